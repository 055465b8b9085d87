// A process moves only while its provided clause holds.
//
// expect: safety holds; states 9
// source: Lariat
byte x, turn;

active proctype p() provided (turn == 0)
{
	x = 1;
	turn = 1;
	x = 2;
	turn = 1
}

active proctype q() provided (turn == 1)
{
	x = 3;
	turn = 0;
	x = 4;
	turn = 0
}
