// A d_step may start with a rendezvous receive.
//
// expect: safety holds; states 11
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte y;
	d_step { c?y; x = y; y = 9 };
	x = 4
}

active proctype q()
{
	c!7;
	x = 8
}
