// A timeout as escape.
//
// expect: safety holds; states 14
// source: Lariat
byte x;

active proctype p()
{
	{ x == 1; x = 2 } unless { timeout -> x = 10 }
}

active proctype q()
{
	x = 5;
	if :: x = 1 :: skip fi
}
