// Three processes count to N. Is one of them always still counting?
//
// No: at the end all have reached N, and nothing moves any more. Every run takes 3 * N steps to get there, and there are
// (N + 1)^3 states on the way: with -D N=45, 99 and 214 about a hundred thousand, a million and ten million.
//
// The shortest lasso has 3 * N + 2 steps with the automaton of the formula, and 3 * N + 1 with the one that facts about
// the model make smaller.
//
// expect: safety holds; states 1000
// expect: ltl counting violated; shortest 29
// source: Lariat
#ifndef N
#define N 9
#endif
byte a, b, c;

ltl counting { []<> (a < N || b < N || c < N) }

active proctype A() { end: do :: d_step { a < N -> a++ } od }
active proctype B() { end: do :: d_step { b < N -> b++ } od }
active proctype C() { end: do :: d_step { c < N -> c++ } od }
