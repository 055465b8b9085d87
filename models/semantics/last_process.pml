// _last is the process that moved last.
//
// expect: safety holds; states 27
// source: Lariat
byte x;

active proctype p()
{
	x = _last;
	x = _last
}

active proctype q()
{
	skip;
	skip
}
