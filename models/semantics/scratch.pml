// What is assigned to _ is forgotten.
//
// expect: safety holds; states 6
// source: Lariat
chan c = [1] of { byte, byte };
byte x;

active proctype p()
{
	c!1,2;
	c?_,x;
	_ = 5;
	assert(x == 2)
}
