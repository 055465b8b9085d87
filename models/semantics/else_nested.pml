// An inner else looks at the outer options too.
//
// expect: safety holds; states 16
// source: Lariat
byte x;

active proctype p()
{
	do :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: x == 3 -> break od
}

active proctype q()
{
	do :: if :: x == 1 -> x = 2 :: x == 7 -> x = 8 fi :: else -> break od
}
