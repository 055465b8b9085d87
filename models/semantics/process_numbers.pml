// A number is given again when its process has died.
//
// expect: safety holds; states 43
// source: Lariat
byte a, b;

proctype p(byte n)
{
	byte k = n;
	k++
}

init
{
	a = run p(1);
	assert(a == 1);
	b = run p(2);
	assert(b == 1 || b == 2);
	_nr_pr == 1;
	a = run p(3);
	assert(a == 1)
}
