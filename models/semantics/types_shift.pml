// Shifts take their distance modulo 32.
//
// expect: safety holds; states 14
// source: Lariat
int i = 1, n = 33;

active proctype q()
{
	i = i << n;
	assert(i == 2);
	n = 40;
	i = i << n;
	assert(i == 512);
	n = -1;
	i = i >> n;
	assert(i == 0);
	i = -5;
	n = 35;
	i = i >> n;
	assert(i == -1)
}
