// An atomic sequence whose first statement waits.
//
// expect: safety holds; states 14
// source: Lariat
byte x, y;

active proctype p()
{
	atomic { y == 1 -> x = 1; x = 2 };
	x = 3
}

active proctype q()
{
	y = 1;
	y = 0;
	y = 1
}
