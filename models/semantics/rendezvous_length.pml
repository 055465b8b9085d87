// A rendezvous channel is empty and full.
//
// expect: safety holds; states 10
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	if
	:: full(c) -> x = 1
	:: empty(c) -> x = 2
	:: nfull(c) -> x = 3
	:: nempty(c) -> x = 4
	:: len(c) == 0 -> x = 5
	fi
}
