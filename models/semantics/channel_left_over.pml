// Messages left in a channel are no error.
//
// expect: safety holds; states 4
// source: Lariat
chan c = [2] of { byte };

active proctype p()
{
	c!1;
	c!2
}
