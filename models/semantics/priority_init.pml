// run with a priority.
//
// expect: safety holds; states 9
// source: Lariat
byte x;

proctype p()
{
	x = _priority;
	x = 5
}

init
{
	run p() priority 4;
	x = get_priority(1);
	x = _priority;
	x = 99
}
