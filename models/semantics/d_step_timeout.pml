// A d_step may start with a timeout.
//
// expect: safety holds; states 6
// source: Lariat
byte x;

active proctype p()
{
	d_step { timeout -> x = 1; if :: timeout -> x = 4 :: else -> x = 5 fi };
	x = x + 1
}

active proctype q()
{
	x = 9
}
