// A process that cannot die yet does not hold back others.
//
// expect: safety holds; states 5
// source: Lariat
byte x;

active proctype p() priority 5
{
	x = 1
}

active proctype q() priority 1
{
	x = 2
}
