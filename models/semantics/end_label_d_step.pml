// An end label before a d_step.
//
// expect: safety holds; states 1
// source: Lariat
chan c = [1] of { byte };

active proctype server()
{
	byte v;
	end: d_step { c?v; v = 2 }
}
