// Peterson's algorithm: once process 0 has been inside, is it the turn of process 1?
//
// No: process 0 may run alone for ever. With weak fairness the property holds. `peterson-turns-mirrored.pml` asks the
// same with the processes exchanged.
//
// expect: safety holds; states 38
// expect: ltl turns violated; shortest 12
// source: Lariat; the algorithm is [peterson.81.ipl]
bool want[2];
byte turn;
bool inside[2];

ltl turns { [] (inside[0] -> <> inside[1]) }

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
