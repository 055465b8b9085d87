// Handshakes in the middle of atomic sequences on both sides.
//
// expect: safety holds; states 41
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	atomic { x = 5; c!1; x = 1; x = 2 };
	x = 3
}

active proctype q()
{
	byte y;
	atomic { y = 3; c?y; y = 7; c?y; y = 8 };
	y = 9
}

active proctype r()
{
	z = 1;
	z = 2;
	c!3
}
