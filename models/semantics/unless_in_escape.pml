// An escape inside an escape counts only there.
//
// expect: safety holds; states 38
// source: Lariat
byte x;

active proctype p()
{
	{ x = 1; x = 2 } unless { { x == 1; x = 11 } unless { x == 30 -> x = 31 } };
	x = 9
}

active proctype q()
{
	x = 1;
	x = 30
}
