// Anderson's queue lock for N processes: each waits at a place of its own in a ring.
//
// expect: safety holds; states 170
// expect: ltl exclusive holds
// expect: ltl served holds
// source: Lariat; the algorithm is T. E. Anderson's, IEEE Transactions on Parallel and Distributed Systems 1(1), 1990
#ifndef N
#define N 2
#endif
bool has_lock[N];
byte next;
byte inside;

ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl served { [] (user[0]@waiting -> <> user[0]@critical) }

active [N] proctype user()
{
	byte place;
	has_lock[0] = (_pid == 0 -> true : has_lock[0]);
idle:	do
	:: true -> atomic { place = next; next = (next + 1) % N };
waiting:   has_lock[place];
critical:  inside++;
	   assert(inside == 1);
	   inside--;
leaving:   has_lock[place] = false;
	   has_lock[(place + 1) % N] = true
	od
}
