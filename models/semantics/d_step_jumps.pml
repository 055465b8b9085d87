// Jumps inside a d_step.
//
// expect: safety holds; states 15
// source: Lariat
byte x;

active proctype p()
{
	d_step { x = 1; goto L; x = 2; L: x = 3 };
	x = 4
}

active proctype q()
{
	d_step { x = 0; do :: x < 5 -> x++; if :: x == 3 -> break :: else fi od; x = x + 20 }
}
