// A handshake is something that can happen: no timeout before it.
//
// expect: safety holds; states 8
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	timeout -> c!1
}

active proctype q()
{
	byte y;
	c?y;
	x = y
}

active proctype r()
{
	x = 5
}
