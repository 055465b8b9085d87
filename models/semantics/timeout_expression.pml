// In an expression timeout is an ordinary value.
//
// expect: safety violated(end-state); states 6; shortest 5
// source: Lariat
byte x;

active proctype p()
{
	(timeout && x == 2) -> x = 5
}

active proctype q()
{
	x = 1;
	x = 2;
	!timeout -> x = 4
}
