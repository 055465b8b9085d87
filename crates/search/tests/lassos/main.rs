//! Emptiness checks and minimisers against brute force: on automata alone, and on products.

mod automata;
mod brute;
mod products;
