// A remote reference to a label.
//
// expect: safety violated(end-state); states 26; shortest 3
// source: Lariat
byte x;

active proctype p()
{
	x = 1;
	L: x = 2;
	M: x = 3
}

active proctype q()
{
	if :: p@L -> x = 9 :: p[0]@M -> x = 8 fi
}
