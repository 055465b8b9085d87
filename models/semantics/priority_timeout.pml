// A timeout under priorities.
//
// expect: safety holds; states 7
// source: Lariat
byte x;

active proctype p() priority 1
{
	timeout -> x = 1
}

active proctype q() priority 5
{
	x == 1;
	x = 4
}
