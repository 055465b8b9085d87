// The process with the highest priority moves.
//
// expect: safety holds; states 7
// source: Lariat
byte x;

active proctype p() priority 1
{
	x = 1;
	x = 2
}

active proctype q() priority 5
{
	x = 3;
	x = 4
}
