// A receive that only looks takes no part in a handshake: it fails by itself, and the sender waits.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
chan c = [0] of { byte };
byte y;

active proctype s()
{
	c!1;
	y = 1
}

active proctype r()
{
	byte v;
	c?<v>;
	y = 2
}
