// A rendezvous receive as escape.
//
// expect: safety violated(end-state); states 23; shortest 3
// source: Lariat
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype p()
{
	byte v;
	{ c?v; x = v } unless { d?v -> x = v + 10 }
}

active proctype q()
{
	if :: c!1 :: d!2 fi
}

active proctype r()
{
	x = 7;
	d!3
}
