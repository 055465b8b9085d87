// An escape comes before else.
//
// expect: safety holds; states 33
// source: Lariat
byte x;

active proctype p()
{
	{ if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = 4 } unless { x == 5 -> x = 6 }
}

active proctype q()
{
	x = 5;
	x = 1
}
