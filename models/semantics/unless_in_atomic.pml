// A body inside an atomic sequence.
//
// expect: safety holds; states 18
// source: Lariat
byte x, y;

active proctype p()
{
	atomic { { x = 1; x = 2; y = 7 } unless { x == 2 -> x = 11 } };
	x = 9
}

active proctype q()
{
	y = 2;
	x = 2
}
