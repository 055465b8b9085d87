// Receivers take what fits.
//
// expect: safety holds; states 43
// source: Lariat
chan c = [0] of { byte, byte };
byte x;

active proctype p()
{
	c!1,2;
	c!3,4
}

active [2] proctype q()
{
	byte y;
	if :: c?1,y -> x = y :: c?3,y -> x = y + 10 :: c?y,4 -> x = y + 20 fi
}
