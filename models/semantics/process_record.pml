// A record as argument stands for its fields.
//
// expect: safety holds; states 10
// source: Lariat
typedef point { short a = 3; byte b };

proctype p(point z; byte k)
{
	assert(z.a == 5);
	assert(z.b == 7);
	assert(k == 9);
	z.b = 12
}

init
{
	point q;
	q.a = 5;
	q.b = 7;
	run p(q, 9)
}
