// There is no escape when the body is done.
//
// expect: safety holds; states 15
// source: Lariat
byte x;

active proctype p()
{
	{ x = 1; x = 2 } unless { x == 2 -> x = 6 }
}

active proctype q()
{
	x = 3
}
