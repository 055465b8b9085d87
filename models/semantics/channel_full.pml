// A full channel blocks the sender.
//
// expect: safety holds; states 9
// source: Lariat
chan c = [1] of { byte };

active proctype p()
{
	c!1;
	c!2;
	c!3
}

active proctype q()
{
	byte x;
	c?x;
	c?x
}
