// Leader election in a ring of processes that send their numbers around.
//
// expect: safety holds; states 498
// source: Lariat; the algorithm is [chang.79.cacm]
#define N 4

chan ring[N] = [N] of { byte };
byte leaders;

proctype node(byte place; byte number)
{
	byte heard;
	bool elected = false;

	ring[(place + 1) % N]!number;
end:	do
	:: ring[place]?heard ->
		if
		:: heard > number -> ring[(place + 1) % N]!heard
		:: heard < number
		:: heard == number ->
			elected = true;
			leaders++;
			assert(leaders == 1 && number == N)
		fi
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run node(i, (i * 3) % N + 1)
		}
	}
}
