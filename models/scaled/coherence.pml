// N caches of one line that may be invalid, shared or modified, and a bus that one cache owns at a time.
//
// expect: safety holds; states 192
// expect: ltl exclusive holds
// expect: ltl written violated; shortest 12
// source: Lariat
#ifndef N
#define N 2
#endif
mtype = { invalid, shared, modified };
mtype line[N] = invalid;
bool bus;

ltl exclusive { [] !(line[0] == modified && line[1] == modified) }
ltl written { [] (cache[0]@asks -> <> cache[0]@owns) }

inline on_bus(other_state)
{
	for (i : 0 .. N - 1) {
		if
		:: i != _pid && line[i] == modified -> line[i] = other_state
		:: i != _pid && line[i] == shared && other_state == invalid -> line[i] = invalid
		:: else
		fi
	}
	i = 0
}

active [N] proctype cache()
{
	byte i;
ready:	do
	:: line[_pid] == invalid ->
reads:	   atomic { !bus -> bus = true };
	   d_step { on_bus(shared); line[_pid] = shared };
	   bus = false
	:: line[_pid] != modified ->
asks:	   atomic { !bus -> bus = true };
	   d_step { on_bus(invalid); line[_pid] = modified };
owns:	   bus = false
	:: line[_pid] != invalid ->
drops:	   atomic { !bus -> bus = true };
	   line[_pid] = invalid;
	   bus = false
	od
}
