// Without a number the oldest instance is meant.
//
// expect: safety holds; states 23
// source: Lariat
byte x = 5;

proctype p(byte n)
{
	byte v;
	v = n;
	L: x == 0
}

init
{
	byte y;
	run p(1);
	run p(2);
	p@L;
	if :: p:v == 0 -> y = 1 :: p:v == 1 -> y = 2 :: p:v == 2 -> y = 3 fi;
	x = 0
}
