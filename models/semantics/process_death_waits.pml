// A process at its end waits for the younger ones.
//
// expect: safety holds; states 2
// source: Lariat
byte x;

active proctype p()
{
	x = 1
}

active proctype q()
{
	byte v;
	end: x == 5
}
