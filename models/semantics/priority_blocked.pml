// A process that waits does not hold back others.
//
// expect: safety holds; states 25
// source: Lariat
byte x;

active proctype p() priority 1
{
	x = 1;
	x = 2
}

active proctype q() priority 5
{
	x == 1;
	x = 4
}

active proctype r()
{
	x = 7
}
