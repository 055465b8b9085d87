// Jumps outside atomic sequences are no steps, except at the start of an option.
//
// expect: safety holds; states 105
// source: Lariat
byte x;

active proctype p()
{
	goto A;
	B: goto C;
	A: x = 1;
	goto B;
	C: if :: x == 1 -> x = 2; skip :: x == 3 -> goto D :: goto D :: else fi;
	x = 4;
	D: goto E;
	E: skip
}

active proctype q()
{
	byte n;
	do :: n < 3 -> n++ :: n == 3 -> break od;
	x = 9
}
