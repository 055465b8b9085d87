// The remainder by zero is a run-time error.
//
// expect: safety violated(runtime); states 8; shortest 1
// source: Lariat
byte x, y;

active proctype q()
{
	y = 5 % x;
	y = 3
}

active proctype r()
{
	x = 1
}
