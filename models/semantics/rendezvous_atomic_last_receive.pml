// A handshake as the end of the receiver's atomic sequence.
//
// expect: safety holds; states 56
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	atomic { x = 1; c!1; x = 2; x = 3 };
	x = 4
}

active proctype q()
{
	byte y;
	atomic { y = 1; c?y };
	y = 7;
	y = 8
}

active proctype r()
{
	z = 1;
	z = 2
}
