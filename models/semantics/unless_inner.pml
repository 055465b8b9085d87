// An inner escape is taken while the outer one is not possible.
//
// expect: safety holds; states 35
// source: Lariat
byte x;

active proctype p()
{
	{ x = 1; { x = 2; x = 3 } unless { x == 1 -> x = 20 }; x = 4 } unless { x == 7 -> x = 10 };
	x = 9
}

active proctype q()
{
	x = 1;
	x = 7
}
