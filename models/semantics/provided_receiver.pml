// A provided clause concerns the receiver of a handshake.
//
// expect: safety violated(end-state); states 5; shortest 4
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	x = 1;
	x = 0;
	c!1;
	x = 1;
	c!2
}

active proctype q() provided (x != 1)
{
	byte v;
	end: c?v;
	end1: c?v
}
