// Inside atomic sequences, jumps that lead out or to the last statement are steps; no state is seen in between.
//
// expect: safety holds; states 77
// source: Lariat
byte x, y;

active proctype p()
{
	atomic { if :: x = 1 :: x = 2; x = 3 fi };
	atomic { x = 4; if :: x = 5 :: x = 6 fi };
	atomic { x = 7; if :: x = 8 :: x = 9 fi; x = 10 };
	atomic { do :: x < 13 -> x++ :: break od };
	atomic { x = 15; goto F };
	x = 16;
	F: atomic {
		x = 17;
		goto G;
		x = 18;
		G: x = 19;
		if :: y == 1; goto H :: y == 2; y = 1; goto G :: else fi
	};
	x = 22;
	H: x = 23
}

active proctype q()
{
	y = 1;
	y = 2;
	y = 3
}
