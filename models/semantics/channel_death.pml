// The channels of a process die with it, and their numbers are given again.
//
// expect: safety violated(end-state); states 14; shortest 13
// source: Lariat
byte x;
chan d = [2] of { chan };

proctype a(byte n)
{
	chan mine = [1] of { byte };
	d!mine;
	mine!n;
	x = n
}

init
{
	run a(3);
	_nr_pr == 1;
	run a(4);
	_nr_pr == 1;
	run a(5)
}
