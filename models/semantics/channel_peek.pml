// A receive in angle brackets leaves the message.
//
// expect: safety holds; states 13
// source: Lariat
chan c = [4] of { byte, byte };
byte x, y;

active proctype p()
{
	c!1,10;
	c!2,20;
	c?<x,y>;
	assert(x == 1 && y == 10 && len(c) == 2);
	c??<2,y>;
	assert(y == 20 && len(c) == 2);
	c?<1,y>;
	assert(y == 10);
	c?x,y;
	c?x,y;
	assert(x == 2 && len(c) == 0)
}
