// Two workers and a lock that is taken too late: the model of docs/tour.md.
//
// expect: safety violated(assertion); states 69; shortest 7
// source: Lariat
bool busy;
byte inside;

active [2] proctype worker()
{
	!busy;
	busy = true;
	inside++;
	assert(inside == 1);
	inside--;
	busy = false
}
