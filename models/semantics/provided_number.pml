// _pid in a provided clause.
//
// expect: safety holds; states 6
// source: Lariat
byte x;

active [2] proctype q() provided (_pid == 1 || x > 0)
{
	x++
}
