// An escape comes before a d_step or after it.
//
// expect: safety holds; states 25
// source: Lariat
byte x;

active proctype p()
{
	d_step { x = 1; x = 2; x = 3 } unless { x == 7 -> x = 6 };
	x = 9
}

active proctype q()
{
	x = 7;
	x = 8
}
