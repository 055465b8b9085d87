// An atomic receiver goes on alone.
//
// expect: safety holds; states 39
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	c!1;
	x = 1;
	x = 2
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
