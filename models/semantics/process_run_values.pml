// Arguments are evaluated when the process is created.
//
// expect: safety holds; states 12
// source: Lariat
byte x;

proctype p(byte a; byte b)
{
	x = a + b
}

init
{
	x = 1;
	run p(x, x + 1);
	x = 5
}
