// Sends and receives inside a d_step.
//
// expect: safety holds; states 5
// source: Lariat
chan c = [2] of { byte };
byte x;

active proctype p()
{
	d_step { c!1; c!2; x = 1 }
}

active proctype q()
{
	byte y;
	d_step { c?y; x = y; c?y; x = y }
}
