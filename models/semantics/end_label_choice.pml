// End labels before a choice and before an atomic sequence.
//
// expect: safety holds; states 7
// source: Lariat
chan c = [0] of { byte };

active proctype server()
{
	byte v;
	end_here: if :: c?v :: c?v -> skip fi;
	endx: atomic { c?v -> v = 3 }
}

active proctype client()
{
	if :: c!1 :: skip fi
}
