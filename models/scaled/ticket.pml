// A ticket lock for N processes: draw a number, wait until it is shown. Numbers count modulo N.
//
// expect: safety holds; states 42
// expect: ltl exclusive holds
// expect: ltl turns violated; shortest 18
// source: Lariat
#ifndef N
#define N 2
#endif
byte drawn, shown;
byte inside;

ltl exclusive { [] !(user[0]@critical && user[1]@critical) }
ltl turns { [] (user[0]@critical -> <> user[1]@critical) }

active [N] proctype user()
{
	byte mine;
idle:	do
	:: atomic { mine = drawn; drawn = (drawn + 1) % N };
waiting:   shown == mine;
critical:  inside++;
	   assert(inside == 1);
	   inside--;
leaving:   d_step { shown = (shown + 1) % N; mine = 0 }
	od
}
