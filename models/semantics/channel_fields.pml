// Too few fields are a run-time error.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
chan c = [2] of { byte, byte };
byte x, y = 5;

active proctype p()
{
	c!1;
	c!2,3;
	c?x;
	assert(x == 1 && y == 5);
	c?x,y;
	assert(x == 2 && y == 3)
}
