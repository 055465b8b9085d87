// The alternating-bit protocol over channels that lose messages.
//
// expect: safety holds; states 450
// source: Lariat; the protocol is [bartlett.69.cacm]
#define LIMIT 4

mtype = { data, ack };

chan to_receiver = [1] of { mtype, byte, bit };
chan to_sender = [1] of { mtype, bit };

active proctype sender()
{
	byte value = 0;
	bit tag = 0;
	bit answer;

end:	do
	:: to_receiver!data(value, tag)
	:: to_receiver?data(_, _)            /* the channel loses the message */
	:: to_sender?ack(answer) ->
		if
		:: answer == tag ->
			tag = 1 - tag;
			value = (value + 1) % LIMIT
		:: else
		fi
	od
}

active proctype receiver()
{
	byte value, expected = 0;
	bit tag, last = 1;

end:	do
	:: to_receiver?data(value, tag) ->
		if
		:: tag != last ->
			assert(value == expected);
			expected = (expected + 1) % LIMIT;
			last = tag
		:: else
		fi;
		to_sender!ack(tag)
	:: to_sender?ack(_)                  /* the channel loses the answer */
	od
}
