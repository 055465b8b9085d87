// N philosophers and a butler who seats at most N - 1 of them: nobody waits in a circle.
//
// expect: safety holds; states 82
// expect: ltl eats violated; shortest 12
// expect: ltl apart holds
// source: Lariat; the problem is [dijkstra.71.acta]
#ifndef N
#define N 3
#endif
bool taken[N];
byte seated;

ltl eats { [] (philosopher[0]@hungry -> <> philosopher[0]@eating) }
ltl apart { [] !(philosopher[0]@eating && philosopher[1]@eating) }

active [N] proctype philosopher()
{
thinking: do
	:: atomic { seated < N - 1 -> seated++ };
hungry:	   atomic { !taken[_pid] -> taken[_pid] = true };
one_fork:  atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
eating:	   taken[(_pid + 1) % N] = false;
	   taken[_pid] = false;
	   seated--
	od
}
