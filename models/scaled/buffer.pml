// N producers and M consumers around a buffer of SIZE places.
//
// expect: safety holds; states 782
// expect: ltl used holds
// expect: ltl fits holds
// source: Lariat; the problem is E. W. Dijkstra's EWD 123, 1965
#ifndef N
#define N 1
#endif
#ifndef M
#define M 1
#endif
#ifndef SIZE
#define SIZE 2
#endif
chan buffer = [SIZE] of { byte };
byte items;

ltl used { [] (producer[0]@has -> <> consumer[N]@takes) }
ltl fits { [] (items <= SIZE + M) }

active [N] proctype producer()
{
	byte item;
makes:	do
	:: select (item : 0 .. 2);
has:	   atomic { buffer!item; items++ };
	   item = 0
	od
}

active [M] proctype consumer()
{
	byte item;
wants:	do
	:: buffer?item;
takes:	   items--;
	   if
	   :: item == 0
	   :: item > 0 -> uses: skip
	   fi;
	   item = 0
	od
}
