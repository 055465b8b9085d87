// for and select are loops.
//
// expect: safety holds; states 90
// source: Lariat
byte x, i; byte a[3];

active proctype p()
{
	for (i : 1 .. 3) { x = x + i };
	for (i in a) { a[i] = i };
	select (i : 2 .. 4);
	assert(i >= 2 && i <= 4 && a[2] == 2)
}

active proctype q()
{
	skip
}
