// Lamport's fast lock for N processes: without contention, it takes seven accesses.
//
// expect: safety holds; states 630
// expect: ltl exclusive holds
// expect: ltl turns violated; shortest 16
// source: Lariat; the algorithm is L. Lamport's, ACM Transactions on Computer Systems 5(1), 1987
#ifndef N
#define N 2
#endif
bool busy[N];
byte x, y = N;
byte inside;

ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl turns { [] (user[0]@critical -> <> user[1]@critical) }

active [N] proctype user()
{
	byte other;
idle:	busy[_pid] = true;
	x = _pid;
	if
	:: y != N -> busy[_pid] = false; y == N; goto idle
	:: else
	fi;
	y = _pid;
	if
	:: x != _pid ->
		busy[_pid] = false;
		other = 0;
waiting:	do
		:: other < N && !busy[other] -> other++
		:: other == N -> break
		od;
		other = 0;
		if
		:: y != _pid -> y == N; goto idle
		:: else
		fi
	:: else
	fi;
critical:
	inside++;
	assert(inside == 1);
	inside--;
leaving:
	y = N;
	busy[_pid] = false;
	goto idle
}
