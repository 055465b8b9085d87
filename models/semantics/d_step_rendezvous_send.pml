// A rendezvous send inside a d_step is a run-time error.
//
// expect: safety violated(runtime); states 1; shortest 1
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	d_step { x = 1; c!1; x = 3 }
}

active proctype q()
{
	byte y;
	c?y;
	x = y
}
