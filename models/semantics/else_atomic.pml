// else looks at the first statements of atomic and d_step options.
//
// expect: safety holds; states 14
// source: Lariat
byte x;

active proctype p()
{
	do
	:: atomic { x == 1 -> x = 2; x = 3 }
	:: d_step { x == 3 -> x = 4; x = 5 }
	:: else -> break
	od
}

active proctype q()
{
	x = 1
}
