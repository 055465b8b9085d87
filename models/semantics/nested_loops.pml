// A loop at the start of an option is part of the outer choice; its own location is met only later.
//
// expect: safety violated(end-state); states 67; shortest 6
// source: Lariat
byte x;

active proctype p()
{
	do
	:: x = 1; do :: x = 2; break :: x = 3; goto out :: break od
	:: x = 5; break
	:: do :: x == 6 -> break :: x == 7 od
	:: if :: x == 8 -> break :: x == 9 :: else fi; x = 10
	od;
	out: x = 11
}

active proctype q()
{
	x = 6;
	x = 7;
	x = 8;
	x = 9
}
