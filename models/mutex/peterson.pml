// Mutual exclusion of two processes with one turn variable.
//
// expect: safety holds; states 38
// source: Lariat; the algorithm is [peterson.81.ipl]
bool want[2];
byte turn;
byte critical;

active [2] proctype user()
{
again:
	want[_pid] = true;
	turn = 1 - _pid;
	(want[1 - _pid] == false || turn == _pid);
	critical++;
	assert(critical == 1);
	critical--;
	want[_pid] = false;
	goto again
}
