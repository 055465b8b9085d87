// A record in a message stands for its fields.
//
// expect: safety holds; states 8
// source: Lariat
typedef point { byte x; short y };
typedef pair { point a; byte b };
chan c = [2] of { pair, bit };
pair one, two;
bit b;

active proctype p()
{
	one.a.x = 1;
	one.a.y = -2;
	one.b = 3;
	c!one,1;
	c?two,b;
	assert(two.a.x == 1 && two.a.y == -2 && two.b == 3 && b == 1)
}
