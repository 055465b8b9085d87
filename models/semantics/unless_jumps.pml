// Jumps out of body and escape.
//
// expect: safety holds; states 13
// source: Lariat
byte x;

active proctype p()
{
	L: { x = 1; goto M; x = 2 } unless { x == 10 -> goto L };
	x = 8;
	M: x = 9
}

active proctype q()
{
	x = 10
}
