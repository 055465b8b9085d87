// A provided clause that fails inside an atomic sequence.
//
// expect: safety violated(end-state); states 17; shortest 5
// source: Lariat
byte x, y;

active proctype p()
{
	x = 1;
	x = 0;
	x = 2
}

active proctype q() provided (x != 1)
{
	atomic { y = 1; x = 1; y = 2; y = 3 };
	y = 4
}
