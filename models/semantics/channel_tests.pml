// Tests on a channel.
//
// expect: safety holds; states 130
// source: Lariat
chan c = [2] of { byte };
byte x;

active proctype p()
{
	do :: nfull(c) && x < 3 -> c!1; x++ :: full(c) -> break :: x == 3 -> break od
}

active proctype q()
{
	byte v;
	do :: nempty(c) -> c?v :: empty(c) -> break od;
	assert(len(c) <= 2)
}
