// What need not be evaluated is not.
//
// expect: safety holds; states 6
// source: Lariat
byte x, a[2];

active proctype q()
{
	assert(x == 0 || 1 / x == 7);
	assert(!(x != 0 && 5 / x > 1));
	x = (x == 0 -> 5 : 1 / x);
	assert(!(x >= 2 && x < 2 && a[x] == 1))
}
