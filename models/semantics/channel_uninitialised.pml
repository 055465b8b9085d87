// A channel that was never initialised.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
chan c; byte x;

active proctype p()
{
	x = len(c)
}
