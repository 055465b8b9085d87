// Hyman's wrong algorithm: once process 0 has been inside, is it the turn of process 1?
//
// No; and worse, both processes can be inside at the same time.
//
// expect: safety violated(assertion); states 96; shortest 10
// expect: ltl turns violated; shortest 10
// source: Lariat; the algorithm is H. Hyman's, Communications of the ACM 9(1), 1966
bool want[2];
byte turn;
bool inside[2];

ltl turns { [] (inside[0] -> <> inside[1]) }

active [2] proctype user()
{
	do
	:: want[_pid] = true;
	   do
	   :: turn != _pid ->
	      (!want[1 - _pid]);
	      turn = _pid
	   :: else -> break
	   od;
	   inside[_pid] = true;
	   assert(!inside[1 - _pid]);
	   inside[_pid] = false;
	   want[_pid] = false
	od
}
