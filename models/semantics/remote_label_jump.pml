// A jump is a step where a remote reference names its label.
//
// expect: safety violated(end-state); states 23; shortest 4
// source: Lariat
byte x;

active proctype p()
{
	x = 1;
	L: goto M;
	x = 2;
	M: x = 3;
	K: goto N;
	N: x = 4
}

active proctype q()
{
	p@L -> x = 5
}
