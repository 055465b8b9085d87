// A ring of N stations: who has the token may send, and passes it on.
//
// expect: safety holds; states 161
// expect: ltl exclusive holds
// expect: ltl sends holds
// source: Lariat
#ifndef N
#define N 3
#endif
chan ring[N] = [1] of { bit };
byte sending;

ltl exclusive { [] !(station[0]@sends && station[1]@sends) }
ltl sends { [] (station[0]@wants -> <> station[0]@sends) }

active [N] proctype station()
{
	if
	:: _pid == 0 -> ring[0]!1
	:: else
	fi;
idle:	do
	:: ring[_pid]?1 -> ring[(_pid + 1) % N]!1
	:: skip;
wants:	   ring[_pid]?1;
sends:	   sending++;
	   assert(sending == 1);
	   sending--;
passes:	   ring[(_pid + 1) % N]!1
	od
}
