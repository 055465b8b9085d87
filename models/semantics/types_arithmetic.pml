// Operators on 32-bit numbers.
//
// expect: safety holds; states 44
// source: Lariat
int i; byte b = 200; short s;

active proctype q()
{
	i = b + 100;
	assert(i == 300);
	b = b + 100;
	assert(b == 44);
	i = -7 / 2;
	assert(i == -3);
	i = -7 % 2;
	assert(i == -1);
	i = 7 % -2;
	assert(i == 1);
	i = 1 << 31;
	assert(i < 0);
	i = -8 >> 1;
	assert(i == -4);
	i = ~0;
	assert(i == -1);
	i = !5;
	assert(i == 0);
	i = !0;
	assert(i == 1);
	i = (3 > 2) + (2 >= 2) + (1 < 0);
	assert(i == 2);
	i = (5 && 7);
	assert(i == 1);
	i = (0 || 9);
	assert(i == 1);
	i = 6 & 3;
	assert(i == 2);
	i = 6 ^ 3;
	assert(i == 5);
	i = 6 | 3;
	assert(i == 7);
	i = 65536 * 65536;
	assert(i == 0);
	i = 46341 * 46341;
	assert(i < 0);
	i = (i -> 4 : 5);
	assert(i == 4);
	s = 200 * 200;
	assert(s == -25536);
	i = -(-5);
	assert(i == 5)
}
