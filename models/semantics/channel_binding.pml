// An index in a later field sees what an earlier field stored.
//
// expect: safety holds; states 6
// source: Lariat
chan c = [1] of { byte, byte };
byte a[3], i;

active proctype p()
{
	c!2,7;
	c?i,a[i];
	assert(a[2] == 7 || a[0] == 7);
	assert(a[2] == 7)
}
