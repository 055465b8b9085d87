// _nr_pr counts processes that have not died.
//
// expect: safety violated(end-state); states 164; shortest 4
// source: Lariat
byte x;

active proctype p()
{
	x = _nr_pr
}

active [2] proctype q()
{
	_nr_pr == 4;
	x = 7
}

init
{
	(_nr_pr == 4) -> x = 9
}
