// A loop inside a d_step is part of one step.
//
// expect: safety holds; states 34
// source: Lariat
byte x, y;

active proctype p()
{
	do
	:: d_step { y < 3 -> y++; x = 0; do :: x < 5 -> x++ :: else -> break od }
	:: else -> break
	od
}

active proctype q()
{
	x = 1;
	x = 2
}
