// A timeout is one for all.
//
// expect: safety holds; states 19
// source: Lariat
byte x;

active proctype p()
{
	timeout -> x = 1
}

active proctype q()
{
	timeout -> x = 2
}

active proctype r()
{
	x != 0 -> x = 3
}
