// Three atomic sequences that wait for each other.
//
// expect: safety violated(end-state); states 35; shortest 13
// source: Lariat
byte x, y, z;

active proctype p()
{
	atomic { x = 1; y == 1; x = 2; y == 0; x = 3 };
	x = 4
}

active proctype q()
{
	atomic { y = 1; z = 1; x == 2; z = 2; y = 0; z = 3; x == 3; z = 4 }
}

active proctype r()
{
	atomic { z = 9; z == 4 -> z = 5 }
}
