// What is received is cut to the type of the variable.
//
// expect: safety holds; states 17
// source: Lariat
chan c = [2] of { int };
bit b; byte v; unsigned u : 3; short s;

active proctype p()
{
	c!70003;
	c?b;
	assert(b == 1);
	c!300;
	c?v;
	assert(v == 44);
	c!13;
	c?u;
	assert(u == 5);
	c!70003;
	c?s;
	assert(s == 4467);
	c!2;
	c?b;
	assert(b == 0)
}
