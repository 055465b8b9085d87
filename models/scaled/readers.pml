// N readers and M writers of one file: readers share it, a writer has it alone.
//
// expect: safety holds; states 40
// expect: ltl alone holds
// expect: ltl writes violated; shortest 7
// source: Lariat; the problem is P. J. Courtois's, F. Heymans's and D. L. Parnas's, Communications of the ACM 14(10), 1971
#ifndef N
#define N 2
#endif
#ifndef M
#define M 1
#endif
byte reading;
bool writing;

ltl alone { [] !(reader[0]@reads && writing) }
ltl writes { [] (writer[N]@waits -> <> writer[N]@writes_now) }

active [N] proctype reader()
{
away:	do
	:: skip;
waits:	   atomic { !writing -> reading++ };
reads:	   assert(!writing);
	   reading--
	od
}

active [M] proctype writer()
{
away:	do
	:: skip;
waits:	   atomic { !writing && reading == 0 -> writing = true };
writes_now: assert(reading == 0);
	   writing = false
	od
}
