// Dying is moving.
//
// expect: safety holds; states 6
// source: Lariat
byte x;

active proctype p()
{
	_nr_pr == 1;
	x = _last + 1
}

active proctype q()
{
	skip
}
