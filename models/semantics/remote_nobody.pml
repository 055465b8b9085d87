// Remote references to processes that do not exist.
//
// expect: safety holds; states 26
// source: Lariat
byte x;

active proctype p()
{
	byte v = 7;
	L: x == 0
}

active proctype q()
{
	byte y;
	if
	:: p[1]@L -> y = 1
	:: p[7]@L -> y = 2
	:: !(p[0]@L) -> y = 3
	:: p[9]:v == 0 -> y = 6
	:: p[9]:v == 7 -> y = 7
	:: p[0]:v == 7 -> y = 8
	:: !(p[7]@L) -> y = 9
	fi;
	x = 0
}
