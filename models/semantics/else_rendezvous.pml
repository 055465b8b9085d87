// A rendezvous send with a partner excludes else; a rendezvous receive never does.
//
// expect: safety holds; states 21
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte v;
	do :: c?v -> x = v :: else -> x = 10; break od
}

active proctype q()
{
	if :: c!1 :: else -> x = 11 fi
}
