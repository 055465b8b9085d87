// A channel sent over a channel.
//
// expect: safety holds; states 18
// source: Lariat
chan a = [1] of { chan };
chan b = [1] of { byte };
byte x;

active proctype p()
{
	chan mine = [1] of { byte };
	byte v;
	a!mine;
	mine?v;
	x = v
}

active proctype q()
{
	chan theirs;
	a?theirs;
	theirs!7;
	b!len(theirs)
}
