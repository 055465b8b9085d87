// A sender that can escape does not send.
//
// expect: safety violated(end-state); states 24; shortest 5
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	{ c!1; c!2 } unless { x == 5 -> x = 6 }
}

active proctype q()
{
	byte v;
	x = 5;
	c?v;
	c?v
}

active proctype r()
{
	x = 7
}
