// To look at a rendezvous channel without taking is a run-time error, whether anyone sends or not.
//
// expect: safety violated(runtime); states 5; shortest 1
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte y;
	if :: c?<y> -> x = 9 :: x == 0 -> x = 1 fi;
	x = 2
}
