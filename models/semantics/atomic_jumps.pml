// A jump from one atomic sequence into another keeps control; a jump from outside does not.
//
// expect: safety holds; states 88
// source: Lariat
byte x, y;

active proctype p()
{
	atomic { x = 1; goto V };
	x = 2;
	atomic { x = 3; V: x = 4; x = 5 };
	x = 6
}

active proctype q()
{
	atomic { y = 1; y = 2 };
	goto W;
	y = 3;
	atomic { y = 4; W: y = 5; y = 6 }
}

active proctype r()
{
	atomic { y = 7; goto V };
	x = 6;
	V: goto W;
	atomic { x = 7; W: x = 8; x = 9; x = 10 }
}
