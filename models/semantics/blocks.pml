// A block is a location of its own unless it starts an option.
//
// expect: safety holds; states 84
// source: Lariat
byte x;

active proctype p()
{
	{ x = 1; x = 2 };
	{ { x = 3 }; x = 4 };
	if :: { x = 7; x = 8 } :: { if :: x = 9; goto Z :: x = 10 fi } fi;
	{ do :: x = 15 :: break od };
	{ goto Y; x = 16 };
	Y: { { goto Z; x = 17 } };
	Z: x = 19
}

active proctype q()
{
	x = 20
}
