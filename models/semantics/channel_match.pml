// Values to match are not cut to the type of the field.
//
// expect: safety holds; states 12
// source: Lariat
chan c = [2] of { byte };
byte x; short s = 257;

active proctype p()
{
	c!257;
	assert(c?[1]);
	assert(!(c?[eval(s)]));
	c?1;
	c!255;
	if :: c?eval(s - 2) :: c?x fi;
	assert(x == 0 || x == 255)
}
