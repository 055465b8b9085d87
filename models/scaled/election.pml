// Election in a ring of N processes that pass on the larger number; the numbers fall around the ring.
//
// expect: safety holds; states 140
// expect: ltl elected holds
// expect: ltl first holds
// source: Lariat; the algorithm is [chang.79.cacm]
#ifndef N
#define N 3
#endif
chan ring[N] = [N] of { byte };
byte leaders;

ltl elected { <> (leaders == 1) }
ltl first { (! node[0]@won) U (node[1]@lost) }

active [N] proctype node()
{
	byte heard;
start:	ring[(_pid + 1) % N]!(N - _pid);
end_open: do
	:: ring[_pid]?heard ->
		if
		:: heard > N - _pid -> ring[(_pid + 1) % N]!heard; goto lost
		:: heard < N - _pid
		:: heard == N - _pid -> goto won
		fi
	od;
lost:	skip;
end_passing: do
	:: ring[_pid]?heard -> ring[(_pid + 1) % N]!heard
	od;
won:	leaders++;
	assert(leaders == 1)
}
