// Initialisers of a process are evaluated when it is created.
//
// expect: safety holds; states 26
// source: Lariat
byte g = 3;

proctype p(byte n)
{
	byte a = n + 1;
	byte b = a + g;
	int arr[3] = b;
	assert(a == n + 1 && b == a + 3 || g != 3);
	assert(arr[2] == b)
}

init
{
	run p(4);
	g = 7;
	run p(5)
}
