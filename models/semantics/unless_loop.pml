// A loop as body.
//
// expect: safety holds; states 45
// source: Lariat
byte x;

active proctype p()
{
	do :: x < 5 -> x++ :: else -> break od unless { x == 3 -> x = 7 };
	x = 9
}

active proctype q()
{
	x = 3;
	x = 0
}
