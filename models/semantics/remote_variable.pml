// A remote reference to a variable.
//
// expect: safety holds; states 34
// source: Lariat
byte x;

active proctype p()
{
	byte v = 2, w[2];
	v = 3;
	w[1] = 7;
	v = 4
}

active proctype q()
{
	x = p:v;
	x = p[0]:v;
	x = p[0]:w[1]
}
