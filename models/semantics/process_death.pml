// Processes die in reverse order of creation.
//
// expect: safety holds; states 11
// source: Lariat
byte x;

active proctype p()
{
	x = 1
}

active proctype q()
{
	x == 5 -> x = 2
}

active proctype r()
{
	x == 1 -> x = 5
}
