// An index beyond the end is a run-time error.
//
// expect: safety violated(runtime); states 8; shortest 1
// source: Lariat
byte x = 3, a[3];

active proctype q()
{
	a[x] = 1;
	x = 9
}

active proctype r()
{
	x = 1
}
