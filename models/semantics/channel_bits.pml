// Bits in messages.
//
// expect: safety holds; states 8
// source: Lariat
chan c = [2] of { bool, bit };
int x, y;

active proctype p()
{
	c!2,3;
	c?x,y;
	assert(x == 0 && y == 1);
	c!5,4;
	c?x,y;
	assert(x == 1 && y == 0)
}
