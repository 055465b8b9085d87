// Inside a d_step the first possible option is taken, from the first statement on.
//
// expect: safety holds; states 18
// source: Lariat
byte x;

active proctype p()
{
	d_step { if :: x == 0 -> x = 1 :: x == 0 -> x = 2 :: x == 3 -> x = 4 fi };
	x = x + 10
}

active proctype q()
{
	x = 3
}
