// Labels of a loop, inside it, and inside an atomic sequence.
//
// expect: safety violated(end-state); states 35; shortest 10
// source: Lariat
byte x;

active proctype p()
{
	L: do :: x < 3 -> M: x++ :: else -> break od;
	N: atomic { x = 4; O: x = 5; x = 6 }
}

active proctype q()
{
	do :: p@L -> skip :: p@M -> break :: p@N -> break :: p@O -> assert(false) od
}
