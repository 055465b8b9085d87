// A full channel blocks a d_step: a run-time error.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
chan c = [1] of { byte };
byte x;

active proctype p()
{
	d_step { c!1; c!2; x = 3 };
	x = 7
}
