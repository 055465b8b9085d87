// An atomic sender that sends several times.
//
// expect: safety violated(end-state); states 52; shortest 12
// source: Lariat
chan c = [0] of { byte };
byte x, z;

active proctype p()
{
	atomic { c!1; x = 1; c!2; x = 2; c!3; x = 3 }
}

active proctype q()
{
	byte y;
	do :: c?y; y = 7 od
}

active proctype r()
{
	z = 1;
	z = 2
}
