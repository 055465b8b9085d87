// A run goes on after a false assertion.
//
// expect: safety violated(assertion); states 30; shortest 2
// source: Lariat
byte x;

active proctype q()
{
	x = 1;
	assert(x == 2);
	x = 3;
	assert(x == 4);
	x = 5
}

active proctype r()
{
	x = 2
}
