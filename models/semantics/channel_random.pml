// A random receive takes the first message that fits.
//
// expect: safety holds; states 15
// source: Lariat
chan c = [4] of { byte, byte };
byte x, y;

active proctype p()
{
	c!1,10;
	c!2,20;
	c!1,11;
	c!3,30;
	c??3,y;
	assert(y == 30 && len(c) == 3);
	c??1,y;
	assert(y == 10);
	c??x,11;
	assert(x == 1 && len(c) == 1);
	assert(!(c??[7,_]) && c??[2,_] && c?[2,20]);
	c??x,y;
	assert(x == 2 && y == 20 && empty(c))
}
