// Five philosophers who each take the left fork first: they starve together.
//
// expect: safety violated(end-state); states 392; shortest 10
// source: Lariat; the problem is [dijkstra.71.acta]
#define N 5
#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];

active [N] proctype philosopher()
{
	do
	:: atomic { !taken[LEFT] -> taken[LEFT] = true };
	   atomic { !taken[RIGHT] -> taken[RIGHT] = true };
	   taken[RIGHT] = false;
	   taken[LEFT] = false
	od
}
