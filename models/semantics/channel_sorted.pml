// A sorted send compares fields from left to right.
//
// expect: safety holds; states 20
// source: Lariat
chan c = [6] of { byte, byte };
byte x, y;

active proctype p()
{
	c!!5,1;
	c!!3,2;
	c!!5,0;
	c!!4,9;
	c!!3,2;
	c!!3,1;
	c?x,y;
	assert(x == 3 && y == 1);
	c?x,y;
	assert(x == 3 && y == 2);
	c?x,y;
	assert(x == 3 && y == 2);
	c?x,y;
	assert(x == 4 && y == 9);
	c?x,y;
	assert(x == 5 && y == 0);
	c?x,y;
	assert(x == 5 && y == 1)
}
