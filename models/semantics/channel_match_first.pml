// eval() sees the state before the receive.
//
// expect: safety holds; states 5
// source: Lariat
chan c = [1] of { byte, byte };
byte a = 3;

active proctype p()
{
	c!2,3;
	c?a,eval(a) -> assert(a == 2)
}
