// After a handshake _last is the receiver.
//
// expect: safety holds; states 46
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	c!1;
	skip
}

active proctype q()
{
	byte v;
	c?v;
	x = _last
}

active proctype r()
{
	skip
}
