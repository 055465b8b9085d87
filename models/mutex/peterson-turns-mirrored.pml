// peterson-turns.pml with the processes exchanged in the question.
//
// The processes are symmetric, so this is the same question with the steps of each state in the opposite order: it
// changes what a depth-first search finds first, and not what is shortest.
//
// expect: safety holds; states 38
// expect: ltl turns violated; shortest 12
// source: Lariat; the algorithm is [peterson.81.ipl]
bool want[2];
byte turn;
bool inside[2];

ltl turns { [] (inside[1] -> <> inside[0]) }

active [2] proctype user()
{
	do
	:: want[_pid] = true;
	   turn = 1 - _pid;
	   (!want[1 - _pid] || turn == _pid);
	   inside[_pid] = true;
	   assert(!inside[1 - _pid]);
	   inside[_pid] = false;
	   want[_pid] = false
	od
}
