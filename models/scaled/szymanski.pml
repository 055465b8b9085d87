// Szymanski's algorithm for N processes: a waiting room with a door in and a door out.
//
// expect: safety holds; states 99
// expect: ltl exclusive holds
// expect: ltl turns violated; shortest 18
// source: Lariat; the algorithm is B. K. Szymanski's, ICS 1988
#ifndef N
#define N 2
#endif
byte flag[N];
byte inside;

#define all_below(k) (is_below(0, k) && is_below(1, k) && is_below(2, k) && is_below(3, k))
#define is_below(i, k) (i >= N || flag[i % N] < k)
#define some_is(k) (flag[0] == k || flag[1 % N] == k || flag[2 % N] == k || flag[3 % N] == k)
#define first_in(k) (before(0, k) && before(1, k) && before(2, k) && before(3, k))
#define before(i, k) (i >= N || i >= _pid || flag[i % N] < k)
#define after(i) (i >= N || i <= _pid || flag[i % N] < 2 || flag[i % N] > 3)
#define rest_out (after(0) && after(1) && after(2) && after(3))

ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl turns { [] (user[0]@critical -> <> user[1]@critical) }

active [N] proctype user()
{
idle:	do
	:: flag[_pid] = 1;
before_door: all_below(3);
	   flag[_pid] = 3;
	   if
	   :: some_is(1) ->
		flag[_pid] = 2;
in_room:	some_is(4)
	   :: else
	   fi;
	   flag[_pid] = 4;
	   first_in(2);
critical:  inside++;
	   assert(inside == 1);
	   inside--;
	   rest_out;
leaving:   flag[_pid] = 0
	od
}
