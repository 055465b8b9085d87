// An array of channels.
//
// expect: safety violated(end-state); states 54; shortest 4
// source: Lariat
chan c[2] = [1] of { byte };
byte x;

active [2] proctype p()
{
	byte v;
	do :: c[_pid]!_pid :: c[1 - _pid]?v -> x = v; break od
}
