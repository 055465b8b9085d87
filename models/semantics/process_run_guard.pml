// run is a statement and an expression.
//
// expect: safety holds; states 38
// source: Lariat
byte x;

proctype p()
{
	x++
}

init
{
	if :: run p() -> x = 10 :: x = 20 fi;
	atomic { run p(); run p(); x = 30 }
}
