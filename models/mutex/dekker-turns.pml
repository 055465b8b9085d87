// Dekker's algorithm: once process 0 has been inside, is it the turn of process 1?
//
// No: process 1 can look at the flag of process 0 for ever while process 0 does not move.
//
// expect: safety holds; states 146
// expect: ltl turns violated; shortest 9
// source: Lariat; the algorithm is T. J. Dekker's, told by E. W. Dijkstra in 1965
bool want[2];
byte turn;
bool inside[2];

ltl turns { [] (inside[0] -> <> inside[1]) }

active [2] proctype user()
{
	do
	:: want[_pid] = true;
	   do
	   :: want[1 - _pid] ->
	      if
	      :: turn == 1 - _pid ->
	         want[_pid] = false;
	         (turn == _pid);
	         want[_pid] = true
	      :: else
	      fi
	   :: else -> break
	   od;
	   inside[_pid] = true;
	   assert(!inside[1 - _pid]);
	   inside[_pid] = false;
	   turn = 1 - _pid;
	   want[_pid] = false
	od
}
