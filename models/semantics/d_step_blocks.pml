// To block inside a d_step is a run-time error.
//
// expect: safety violated(runtime); states 2; shortest 2
// source: Lariat
byte x;

active proctype p()
{
	x = 1;
	d_step { x = 2; x == 1; x = 3 }
}
