// A sorted send compares signed numbers.
//
// expect: safety holds; states 14
// source: Lariat
chan c = [4] of { short };
short x;

active proctype p()
{
	c!!2;
	c!!-1;
	c!!0;
	c!!-5;
	c?x;
	assert(x == -5);
	c?x;
	assert(x == -1);
	c?x;
	assert(x == 0);
	c?x;
	assert(x == 2)
}
