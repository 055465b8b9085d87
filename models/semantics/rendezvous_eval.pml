// eval() is evaluated by the receiver.
//
// expect: safety holds; states 15
// source: Lariat
chan c = [0] of { byte, pid };
byte x;

active proctype p()
{
	c!1,1;
	c!2,2
}

active [2] proctype q()
{
	byte y;
	c?y,eval(_pid);
	x = y
}
