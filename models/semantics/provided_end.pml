// A provided clause concerns dying too.
//
// expect: safety violated(end-state); states 10; shortest 3
// source: Lariat
byte x;

active proctype p()
{
	x = 1;
	x = 2
}

active proctype q() provided (x == 1)
{
	end: skip;
	skip
}
