// A blocked atomic sequence lets others in and is atomic again when it goes on.
//
// expect: safety violated(end-state); states 27; shortest 7
// source: Lariat
byte x, y, z;

active proctype p()
{
	atomic { x = 1; y == 1; x = 2; x = 3 };
	x = 4
}

active proctype q()
{
	y = 1;
	z = 1;
	z = 2;
	y = 0;
	z = 3
}
