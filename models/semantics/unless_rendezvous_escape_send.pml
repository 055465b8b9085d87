// A rendezvous send as escape counts only with a partner.
//
// expect: safety violated(end-state); states 7; shortest 3
// source: Lariat
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype p()
{
	{ c!1; x = 1 } unless { d!2 -> x = 10 }
}

active proctype q()
{
	byte v;
	if :: c?v :: d?v fi
}

active proctype r()
{
	byte v;
	x = 7;
	c?v
}
