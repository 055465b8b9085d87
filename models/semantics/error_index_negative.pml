// A negative index is a run-time error.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
short x = -1; byte a[3];

active proctype q()
{
	x = a[x];
	x = 9
}
