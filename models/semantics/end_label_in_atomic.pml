// An end label inside an atomic sequence.
//
// expect: safety holds; states 2
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v;
	atomic { v = 1; end: c?v }
}
