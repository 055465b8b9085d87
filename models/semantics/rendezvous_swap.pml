// The message is computed before anything is stored.
//
// expect: safety holds; states 8
// source: Lariat
chan c = [0] of { byte, byte };
byte a = 1, b = 2;

active proctype p()
{
	c!a,b;
	assert(a == 2 && b == 1)
}

active proctype q()
{
	c?b,a;
	assert(a == 2 && b == 1)
}
