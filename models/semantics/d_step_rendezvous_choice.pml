// A d_step may start with a choice of rendezvous receives: the first that fits is taken.
//
// expect: safety holds; states 14
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	byte v;
	d_step { if :: c?1 -> x = 1 :: c?v -> x = 2 :: x == 9 fi; x = x + 3 };
	x = 7
}

active proctype q()
{
	if :: c!1 :: c!4 :: x = 9 fi
}
