// Symbols as first fields.
//
// expect: safety holds; states 52
// source: Lariat
mtype = { red, green, blue };
chan c = [1] of { mtype, byte };
mtype m; byte x;

active proctype p()
{
	do :: c!red(1) :: c!green(2) :: c!blue,3 od
}

active proctype q()
{
	do
	:: c?red(x) -> assert(x == 1)
	:: c?green,x -> assert(x == 2)
	:: c?m(3) -> assert(m == blue)
	od
}
