// A process of higher priority interrupts an atomic sequence.
//
// expect: safety holds; states 8
// source: Lariat
byte x;

active proctype p() priority 1
{
	atomic { x = 1; x = 2; x = 5 } x = 6
}

active proctype q() priority 5
{
	x == 2 || x == 5;
	x = 4
}
