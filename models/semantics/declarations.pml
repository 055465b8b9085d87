// A declaration after a statement is an assignment.
//
// expect: safety holds; states 135
// source: Lariat
byte x;

active proctype p()
{
	byte k;
	do :: k < 3 -> byte y = k; byte z; y++; z++; x = y; assert(z == 1); k++ :: else -> break od;
	byte t = 9;
	byte u = t + 1;
	x = u
}

active proctype q()
{
	x = 50
}
