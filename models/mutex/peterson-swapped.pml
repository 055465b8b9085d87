// The same as peterson.pml with two lines swapped: both processes get in.
//
// expect: safety violated(assertion); states 98; shortest 9
// source: Lariat
bool want[2];
byte turn;
byte critical;

active [2] proctype user()
{
again:
	turn = 1 - _pid;
	want[_pid] = true;
	(want[1 - _pid] == false || turn == _pid);
	critical++;
	assert(critical == 1);
	critical--;
	want[_pid] = false;
	goto again
}
