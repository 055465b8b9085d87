// set_priority takes effect at once.
//
// expect: safety holds; states 13
// source: Lariat
byte x;

active proctype p() priority 2
{
	x = 1;
	set_priority(_pid, 9);
	x = 2;
	assert(get_priority(_pid) == 9);
	set_priority(0, 1);
	x = 5
}

active proctype q() priority 5
{
	x = 3;
	x = 4;
	set_priority(0, 7);
	x = 6
}
