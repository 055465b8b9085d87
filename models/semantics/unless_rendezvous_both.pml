// A receive in the escape comes before one in the body.
//
// expect: safety holds; states 11
// source: Lariat
chan c = [0] of { byte };
byte x = 5;

active proctype p()
{
	byte v;
	{ c?v; x = v } unless { c?v -> x = 6 }
}

active proctype q()
{
	c!1;
	x = 2
}
