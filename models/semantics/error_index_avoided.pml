// No error where the index is not evaluated.
//
// expect: safety holds; states 6
// source: Lariat
byte x = 3, a[3];

active proctype q()
{
	do :: x < 3 && a[x] == 0 -> break :: x >= 3 -> x = x - 1 od;
	a[x] = 1
}
