// Nobody shakes hands with himself.
//
// expect: safety violated(end-state); states 1; shortest 0
// source: Lariat
chan c = [0] of { byte };
byte x;

active proctype p()
{
	if :: c!1 :: c?x fi
}
