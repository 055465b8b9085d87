// A d_step waits at its first statement.
//
// expect: safety violated(end-state); states 20; shortest 10
// source: Lariat
byte x;

active proctype p()
{
	d_step { x == 3 -> x = 5 }
}

active proctype q()
{
	do :: x < 4 -> x++ :: else -> break od
}
