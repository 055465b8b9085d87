// enabled() asks whether another process can move.
//
// expect: safety violated(end-state); states 18; shortest 4
// source: Lariat
byte x;

active proctype p()
{
	x == 1;
	x = 2
}

active proctype q()
{
	if :: enabled(0) -> x = 7 :: !enabled(0) -> x = 1 fi;
	enabled(0) -> x = 3
}
