// A provided clause concerns the sender of a handshake.
//
// expect: safety violated(end-state); states 2; shortest 1
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte v;
	x = 1;
	c?v;
	x = 0;
	c?v
}

active proctype q() provided (x != 1)
{
	c!1;
	c!2
}
