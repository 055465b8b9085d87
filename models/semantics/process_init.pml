// Processes are created in the order of the text.
//
// expect: safety holds; states 121
// source: Lariat
byte x[4];

active proctype p()
{
	x[_pid] = 1;
	assert(_pid == 0)
}

init
{
	x[_pid] = 9;
	assert(_pid == 1)
}

active [2] proctype q()
{
	x[_pid] = 2;
	assert(_pid == 2 || _pid == 3)
}
