// Arguments are cut to the types of the parameters.
//
// expect: safety holds; states 7
// source: Lariat
byte x; short y;

proctype p(byte n; short s; bit b; chan c)
{
	assert(n == 44 && s == 4464 && b == 0);
	c!n;
	x = n
}
chan k = [1] of { byte };

init
{
	run p(300, 70000, 2, k)
}
