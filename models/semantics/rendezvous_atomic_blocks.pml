// An atomic receiver that blocks after the handshake.
//
// expect: safety violated(end-state); states 42; shortest 8
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	atomic { c!1; x = 1; x = 2 };
	x = 3
}

active proctype q()
{
	byte y;
	atomic { c?y; z == 2; y = 8 };
	y = 9
}

active proctype r()
{
	z = 1;
	z = 2;
	z = 3
}
