// A false assertion inside an atomic sequence.
//
// expect: safety violated(assertion); states 15; shortest 2
// source: Lariat
byte x;

active proctype q()
{
	atomic { x = 1; assert(x == 2); x = 3 } x = 5
}

active proctype r()
{
	x = 2
}
