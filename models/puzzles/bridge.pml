// Four people cross a bridge by night with one torch; can all be over within 17 minutes?
// The assertion says no, and its violation is the plan.
//
// expect: safety violated(assertion); states 16771; shortest 54
// source: Lariat; a folklore puzzle
byte minutes;
byte pace[4];
bool over[4];
bool torch_over;

inline cross(one, two)
{
	atomic {
		over[one] == torch_over && over[two] == torch_over ->
		over[one] = !torch_over;
		over[two] = over[one];
		minutes = minutes + (pace[one] > pace[two] -> pace[one] : pace[two]);
		torch_over = !torch_over
	}
}

init {
	byte first, second;
	pace[0] = 1; pace[1] = 2; pace[2] = 5; pace[3] = 10;
	do
	:: minutes <= 17 ->
		select (first : 0 .. 3);
		select (second : 0 .. 3);
		if
		:: over[first] == torch_over && over[second] == torch_over -> cross(first, second)
		:: else
		fi;
		assert(!(over[0] && over[1] && over[2] && over[3] && minutes <= 17))
	:: minutes > 17 -> break
	od
}
