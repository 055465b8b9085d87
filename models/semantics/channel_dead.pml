// A channel whose process has ended.
//
// expect: safety violated(runtime); states 15; shortest 5
// source: Lariat
byte x;
chan d = [1] of { chan };

proctype a()
{
	chan mine = [1] of { byte };
	d!mine
}

init
{
	chan c;
	byte v;
	run a();
	d?c;
	if :: c!4 -> x = 1 :: x = 2 fi;
	c?v
}
