// Channels of processes are numbered in order of creation.
//
// expect: safety holds; states 15
// source: Lariat
chan a = [1] of { byte };
chan g[3] = [1] of { byte };
int z;

active proctype p()
{
	chan l = [1] of { byte };
	chan k[2] = [1] of { byte };
	z = k[1];
	assert(g[2] == 4)
}

active proctype q()
{
	chan l = [1] of { byte };
	z = l
}
