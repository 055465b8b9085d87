// Lamport's bakery for N processes with numbers up to MOST: who draws a larger number waits for the others to leave.
//
// expect: safety holds; states 828
// expect: ltl exclusive holds
// expect: ltl served violated; shortest 29
// source: Lariat; the algorithm is L. Lamport's, Communications of the ACM 17(8), 1974
#ifndef N
#define N 2
#endif
#ifndef MOST
#define MOST 1
#endif
byte number[N];
bool choosing[N];
byte inside;

ltl exclusive { [] !(customer[0]@critical && customer[1]@critical) }
ltl served { [] (customer[0]@waiting -> <> customer[0]@critical) }

active [N] proctype customer()
{
	byte other, largest;
idle:	do
	:: choosing[_pid] = true;
drawing:   largest = 0;
	   for (other : 0 .. N - 1) {
		largest = (number[other] > largest -> number[other] : largest)
	   }
	   other = 0;
	   if
	   :: largest < MOST ->
		number[_pid] = largest + 1;
		choosing[_pid] = false;
waiting:	do
		:: other == N -> break
		:: other < N && !choosing[other] ->
			(number[other] == 0 || number[other] > number[_pid] ||
			 (number[other] == number[_pid] && other >= _pid));
			other++
		od;
critical:	inside++;
		assert(inside == 1);
		inside--;
		d_step { number[_pid] = 0; other = 0; largest = 0 }
	   :: else -> choosing[_pid] = false
	   fi
	od
}
