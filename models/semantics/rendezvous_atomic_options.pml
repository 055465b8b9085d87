// Handshakes that start atomic options.
//
// expect: safety holds; states 7
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	do :: atomic { c!1 -> x = 1; x = 2 } :: x == 2 -> break od
}

active proctype q()
{
	byte y;
	do :: atomic { c?y -> x = 3 } :: timeout -> break od
}
