// An else without company is always possible.
//
// expect: safety holds; states 6
// source: Lariat
byte x;

active proctype p()
{
	if :: else -> x = 1 fi;
	do :: else -> break od;
	x = 2
}
