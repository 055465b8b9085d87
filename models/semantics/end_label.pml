// A process that waits at an end label.
//
// expect: safety holds; states 4
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v;
	end: do :: c?v od
}

active proctype client()
{
	c!1;
	c!2
}
