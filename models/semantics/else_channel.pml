// A channel operation that could go on excludes else.
//
// expect: safety violated(end-state); states 42; shortest 3
// source: Lariat
chan c = [1] of { byte };
byte x;

active proctype p()
{
	byte v;
	do :: c?v -> x = v :: c?1 -> x = 9 :: else -> x = 10; break od
}

active proctype q()
{
	c!1;
	c!2
}
