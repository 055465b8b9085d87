// else is possible when no other option is.
//
// expect: safety holds; states 48
// source: Lariat
byte x, y;

active proctype p()
{
	do :: x == 1 -> y = 1 :: x == 2 -> break :: else -> y = 2 od
}

active proctype q()
{
	x = 1;
	x = 0;
	x = 2
}
