// An index sees what an earlier field stored.
//
// expect: safety holds; states 5
// source: Lariat
chan c = [0] of { byte, byte };
byte a[3];
byte i;

active proctype p()
{
	c!1,7
}

active proctype q()
{
	c?i,a[i];
	assert(i == 1 && a[1] == 7)
}
