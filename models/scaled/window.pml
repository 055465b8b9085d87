// A sliding window of SIZE messages over a channel that loses messages; sequence numbers count modulo 2 * SIZE.
//
// expect: safety holds; states 486
// expect: ltl arrives violated; shortest 6
// expect: ltl in_step holds
// source: Lariat; the protocol is N. V. Stenning's, Computer Networks 1(2), 1976, simplified
#ifndef SIZE
#define SIZE 1
#endif
#define MODULUS (2 * SIZE)
chan data = [SIZE] of { byte };
chan acks = [SIZE] of { byte };
byte oldest, fresh, expected;

ltl arrives { [] (sender[0]@sending -> <> receiver[1]@delivering) }
ltl in_step { [] (fresh == oldest -> expected == oldest) }

active proctype sender()
{
	byte ack;
end_ready: do
	:: (fresh - oldest + MODULUS) % MODULUS < SIZE && nfull(data) ->
sending:	atomic { data!fresh; fresh = (fresh + 1) % MODULUS }
	:: fresh != oldest && nfull(data) -> data!oldest
	:: acks?ack ->
acked:		if
		:: (ack - oldest + MODULUS) % MODULUS <= (fresh - oldest + MODULUS) % MODULUS -> oldest = ack
		:: else
		fi;
		ack = 0
	od
}

active proctype receiver()
{
	byte number;
end_listening: do
	:: data?number ->
		if
		:: number == expected ->
delivering:		expected = (expected + 1) % MODULUS
		:: else
		fi;
		number = 0;
		if
		:: nfull(acks) -> acks!expected
		:: full(acks)
		fi
	:: data?_
	:: acks?_
	od
}
