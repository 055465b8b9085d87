// To poll a rendezvous channel is a run-time error.
//
// expect: safety violated(runtime); states 12; shortest 1
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	assert(len(c) == 0);
	if :: full(c) -> x = 1 :: empty(c) -> x = 2 :: nfull(c) -> x = 3 :: nempty(c) -> x = 4 fi;
	c!9
}

active proctype q()
{
	byte y;
	if :: c?[9] -> x = 10 :: c?y -> x = 11 fi;
	assert(len(c) == 0)
}
