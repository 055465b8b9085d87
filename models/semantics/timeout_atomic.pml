// A timeout inside an atomic sequence waits for everybody else.
//
// expect: safety holds; states 19
// source: Lariat
byte x, y, z;

active proctype p()
{
	atomic { x = 1; if :: timeout -> x = 2 :: y == 1 -> x = 5 fi; x = 3 };
	x = 4
}

active proctype q()
{
	y = 1;
	y = 2;
	z = 1
}
