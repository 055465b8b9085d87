// A barber who sleeps while nobody waits, CHAIRS chairs and N customers.
//
// expect: safety holds; states 22
// expect: ltl shaved holds
// expect: ltl awake holds
// source: Lariat; the problem is E. W. Dijkstra's EWD 123, 1965
#ifndef N
#define N 2
#endif
#ifndef CHAIRS
#define CHAIRS 1
#endif
byte waiting;
chan seat = [0] of { byte };
bool done;

ltl shaved { [] (customer[1]@sits -> <> customer[1]@shaven) }
ltl awake { [] (customer[1]@shaven -> !barber[0]@asleep) }

active proctype barber()
{
asleep:	do
	:: seat?_;
cuts:	   done = true;
	   !done
	od
}

active [N] proctype customer()
{
outside: do
	:: atomic { waiting < CHAIRS -> waiting++ };
sits:	   atomic { seat!_pid; waiting-- };
	   done;
shaven:	   done = false
	od
}
