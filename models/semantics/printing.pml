// printf and printm are steps.
//
// expect: safety holds; states 23
// source: Lariat
mtype = { alpha };
byte x;

active proctype p()
{
	printf("x=%d %c %e\n", x, 65, alpha);
	x = 1;
	printm(alpha);
	x = 2
}

active proctype q()
{
	x = 3
}
