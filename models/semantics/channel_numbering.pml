// Channels are numbered in order of declaration.
//
// expect: safety holds; states 7
// source: Lariat
chan a = [1] of { byte };
chan b = [1] of { byte };
int x, y, z;

active proctype p()
{
	chan l = [1] of { byte };
	x = a;
	y = b;
	z = l;
	assert(x == 1 && y == 2);
	assert (z == 3)
}
