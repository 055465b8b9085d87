// else looks at the first statement of a d_step.
//
// expect: safety holds; states 16
// source: Lariat
byte x;

active proctype p()
{
	if :: d_step { x == 1 -> x = 2 } :: else -> x = 3 fi
}

active proctype q()
{
	x = 1
}
