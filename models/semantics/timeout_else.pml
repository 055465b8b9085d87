// Beside a timeout, else wins.
//
// expect: safety violated(end-state); states 5; shortest 4
// source: Lariat
byte x, y;

active proctype p()
{
	do :: x == 1 -> break :: timeout -> y = 1; break :: else -> y = 2; x = 1 od
}

active proctype q()
{
	y == 1 -> y = 3
}
