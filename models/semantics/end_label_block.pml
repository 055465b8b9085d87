// End labels before blocks.
//
// expect: safety holds; states 1
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v;
	end: { c?v; v = 2 }
}

active proctype server2()
{
	byte v;
	endy: { { c?v; v = 2 } ; c?v }
}
