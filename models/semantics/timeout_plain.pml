// A timeout is possible only when nothing else is.
//
// expect: safety holds; states 21
// source: Lariat
byte x, y;

active proctype p()
{
	do :: timeout -> x++; if :: x == 3 -> break :: else fi od
}

active proctype q()
{
	x == 1 -> y = 1;
	x == 2 -> y = 2
}
