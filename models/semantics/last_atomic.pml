// _last inside an atomic sequence.
//
// expect: safety holds; states 25
// source: Lariat
byte x;

active proctype p()
{
	atomic { skip; x = _last; skip };
	x = _last
}

active proctype q()
{
	skip;
	skip
}
