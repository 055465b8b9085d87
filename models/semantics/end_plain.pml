// A process that waits where it may not.
//
// expect: safety violated(end-state); states 3; shortest 2
// source: Lariat
byte x;

active proctype p()
{
	x == 1
}

active proctype q()
{
	skip
}
