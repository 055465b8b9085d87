// An escape at the start of an option comes before all options.
//
// expect: safety holds; states 8
// source: Lariat
byte x;

active proctype p()
{
	do :: x = 1 :: { x = 2; x = 3 } unless { x == 1 -> x = 10; break } :: x = 4 od
}
