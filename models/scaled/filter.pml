// Peterson's algorithm for N processes: on each of N - 1 levels one process waits.
//
// expect: safety holds; states 102
// expect: ltl exclusive holds
// expect: ltl turns violated; shortest 19
// source: Lariat; the algorithm is [peterson.81.ipl]
#ifndef N
#define N 2
#endif
byte level[N];
byte last[N];
byte inside;

ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl turns { [] (user[0]@critical -> <> user[1]@critical) }

#define others_below(k) (waits_alone(0, k) && waits_alone(1, k) && waits_alone(2, k) && waits_alone(3, k))
#define waits_alone(i, k) (i >= N || i == _pid || level[i % N] < k)

active [N] proctype user()
{
	byte k;
idle:	do
	:: k = 1;
climbing:  do
	   :: k < N ->
		level[_pid] = k;
		last[k] = _pid;
waiting:	(last[k] != _pid || others_below(k));
		k++
	   :: k == N -> break
	   od;
critical:  inside++;
	   assert(inside == 1);
	   inside--;
leaving:   d_step { level[_pid] = 0; k = 0 }
	od
}
