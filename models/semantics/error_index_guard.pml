// An index beyond the end in a guard is a run-time error.
//
// expect: safety violated(runtime); states 13; shortest 1
// source: Lariat
byte x = 3, a[3];

active proctype q()
{
	if :: a[x] == 0 -> x = 9 :: x == 1 -> x = 8 fi
}

active proctype r()
{
	x = 1
}
