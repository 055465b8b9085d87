// A process that may not move does not prevent a timeout.
//
// expect: safety holds; states 8
// source: Lariat
byte x, y;

active proctype p()
{
	timeout -> x = 0
}

active proctype q() provided (x == 0)
{
	x = 1;
	y = 1;
	y = 2
}
