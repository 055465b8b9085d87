// Four wheels with N positions that turn independently: N to the power of 4 states, each with four successors. For measurements of
// large state spaces: 100 million states with N=100.
//
// expect: safety holds; states 81
// source: Lariat
#ifndef N
#define N 3
#endif
byte w, x, y, z;

active proctype first() { do :: w = (w + 1) % N od }
active proctype second() { do :: x = (x + 1) % N od }
active proctype third() { do :: y = (y + 1) % N od }
active proctype fourth() { do :: z = (z + 1) % N od }
