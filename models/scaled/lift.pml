// A lift with FLOORS floors serves calls of N people; each call is for a floor that a person chooses.
//
// expect: safety holds; states 744
// expect: ltl comes violated; shortest 25
// expect: ltl stops violated; shortest 10
// source: Lariat
#ifndef N
#define N 1
#endif
#ifndef FLOORS
#define FLOORS 3
#endif
bool call[FLOORS];
byte floor;
bool open;
bool up = true;

ltl comes { [] (person[1]@waiting -> <> person[1]@inside) }
ltl stops { [] <> lift[0]@standing }

active proctype lift()
{
standing: do
	:: call[floor] -> open = true;
serving:   call[floor] = false;
	   open = false
	:: !call[floor] ->
moving:	   if
	   :: up && floor < FLOORS - 1 -> floor++
	   :: up && floor == FLOORS - 1 -> up = false
	   :: !up && floor > 0 -> floor--
	   :: !up && floor == 0 -> up = true
	   fi
	od
}

active [N] proctype person()
{
	byte at;
outside: do
	:: select (at : 0 .. FLOORS - 1);
	   call[at] = true;
waiting:   (open && floor == at);
inside:	   skip
	od
}
