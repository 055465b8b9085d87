// A handshake as the end of the sender's atomic sequence.
//
// expect: safety holds; states 31
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	atomic { x = 1; c!1 };
	x = 3
}

active proctype q()
{
	byte y;
	c?y;
	y = 7;
	y = 8
}

active proctype r()
{
	z = 1;
	z = 2
}
