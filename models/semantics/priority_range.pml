// A priority out of range is a run-time error.
//
// expect: safety violated(runtime); states 2; shortest 2
// source: Lariat
byte x;

active proctype p()
{
	x = 1;
	set_priority(_pid, 300);
	x = 2
}
