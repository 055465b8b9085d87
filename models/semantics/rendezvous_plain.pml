// Sender and receiver move in one step; any receiver that fits may be the one.
//
// expect: safety violated(end-state); states 15; shortest 2
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	c!1;
	c!2
}

active proctype q()
{
	byte y;
	do :: c?y; x = y :: goto L :: break od;
	L: skip
}

active proctype r()
{
	byte y;
	c?2;
	c?y
}
