// A choice in a D_proctype is a run-time error.
//
// expect: safety violated(runtime); states 48; shortest 2
// source: Lariat
byte x;

active proctype p()
{
	do :: x == 0 -> x = 1 :: x == 0 -> x = 2 :: else -> break od
}

D_proctype q()
{
	if :: x == 0 -> x = 3 :: x == 0 -> x = 4 :: else fi
}

init
{
	run q()
}
