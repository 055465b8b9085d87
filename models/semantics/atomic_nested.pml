// Only the outermost atomic sequence counts; a d_step may end one.
//
// expect: safety holds; states 31
// source: Lariat
byte x, y;

active proctype p()
{
	atomic {
		x = 1;
		atomic { x = 2; if :: x = 3 :: x = 4 fi };
		if :: x = 33 :: x = 44 fi;
		atomic { x = 5; if :: x = 6 :: x = 7 fi }
	};
	x = 8;
	atomic { x = 1; d_step { x = 2; x = 3 }; x = 4; d_step { x = 5; x = 6 } };
	x = 8
}

active proctype q()
{
	y = 1;
	y = 2;
	y = 3
}
