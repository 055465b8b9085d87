// Messages are cut to the types of the fields and come out in order.
//
// expect: safety holds; states 18
// source: Lariat
chan c = [3] of { byte, short };
byte x; short y;

active proctype p()
{
	c!1,-1;
	c!300,70000;
	c!3,40000
}

active proctype q()
{
	c?x,y;
	assert(x == 1 && y == -1);
	c?x,y;
	assert(x == 44 && y == 4464);
	c?x,y;
	assert(y == -25536)
}
