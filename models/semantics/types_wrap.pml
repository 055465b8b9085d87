// What a store keeps of a value.
//
// expect: safety holds; states 31
// source: Lariat
bit b;
bool t;
byte y;
pid n;
short s;
int i;
unsigned u : 5;
mtype m;

active proctype q()
{
	b = 2;
	assert(b == 0);
	b = 3;
	assert(b == 1);
	t = 4;
	assert(t == 0);
	t = -1;
	assert(t == 1);
	y = 256;
	assert(y == 0);
	y = -1;
	assert(y == 255);
	n = 257;
	assert(n == 1);
	s = 32768;
	assert(s == -32768);
	s = 65535;
	assert(s == -1);
	i = 2147483647;
	i = i + 1;
	assert(i == -2147483647 - 1);
	i = i - 1;
	assert(i == 2147483647);
	u = 33;
	assert(u == 1);
	u = -1;
	assert(u == 31);
	m = 257;
	assert(m == 1)
}
