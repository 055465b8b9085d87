// An escape may start an atomic sequence.
//
// expect: safety holds; states 39
// source: Lariat
byte x, y;

active proctype p()
{
	{
		x = 1;
		d_step { x = 2; x = 3 };
		x = 4 } unless { atomic { x == 10 -> x = 11; y = 1 };
		x = 5
	};
	x = 9
}

active proctype q()
{
	x = 10;
	y = 2
}
