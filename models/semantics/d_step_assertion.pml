// A false assertion does not end a d_step.
//
// expect: safety violated(assertion); states 4; shortest 1
// source: Lariat
byte x;

active proctype p()
{
	d_step { x = 1; assert(x == 2); x = 3 };
	x = 4
}
