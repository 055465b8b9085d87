// An end label before a jump names no location.
//
// expect: safety violated(end-state); states 2; shortest 1
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v = 1;
	end: goto X;
	v = 3;
	X: c?v
}
