// An escape interrupts an atomic sequence in the body.
//
// expect: safety holds; states 33
// source: Lariat
byte x, y;

active proctype p()
{
	{ x = 1; atomic { x = 2; y = 1; x = 33 }; x = 4 } unless { x == 2 -> x = 11 };
	x = 9
}

active proctype q()
{
	y = 3;
	x = 2;
	y = 2
}
