// All possible options of an escape may be taken.
//
// expect: safety holds; states 40
// source: Lariat
byte x;

active proctype p()
{
	{
		x = 1;
		x = 2;
		x = 3 } unless { if :: x == 1 -> x = 10 :: x == 1 -> x = 11 :: x == 2 -> x = 12 fi
	};
	x = 9
}

active proctype q()
{
	x = 1;
	x = 2
}
