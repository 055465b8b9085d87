// A priority of a proctype does not concern run.
//
// expect: safety holds; states 78
// source: Lariat
byte x;

proctype p()
{
	x = _priority
}

proctype q() priority 3
{
	x = _priority + 10
}

init
{
	run p();
	run q();
	run p() priority 6;
	x = 99
}
