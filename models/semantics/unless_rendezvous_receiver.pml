// A receiver answers though it could escape.
//
// expect: safety violated(end-state); states 39; shortest 5
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte v;
	{ c?v; x = v; c?v } unless { x == 5 -> x = 6 }
}

active proctype q()
{
	x = 5;
	c!1;
	c!2
}

active proctype r()
{
	x = 7
}
