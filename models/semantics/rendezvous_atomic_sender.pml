// An atomic sender hands control over and competes for it afterwards.
//
// expect: safety holds; states 54
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
	c?y;
	y = 7;
	y = 8
}

active proctype r()
{
	z = 1;
	z = 2;
	z = 3
}
