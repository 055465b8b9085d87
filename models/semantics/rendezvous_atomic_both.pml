// Control passes from an atomic sender to an atomic receiver.
//
// expect: safety holds; states 39
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
	atomic { c?y; y = 7; y = 8 };
	y = 9
}

active proctype r()
{
	z = 1;
	z = 2;
	z = 3
}
