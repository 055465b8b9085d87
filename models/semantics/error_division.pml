// Division by zero is a run-time error.
//
// expect: safety violated(runtime); states 11; shortest 2
// source: Lariat
byte x, y;

active proctype q()
{
	y = 1;
	y = y / x;
	y = 3
}

active proctype r()
{
	x = 1
}
