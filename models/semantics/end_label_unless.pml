// An end label before an unless.
//
// expect: safety holds; states 1
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v;
	end: { c?v; v = 2 } unless { v == 3 }
}
