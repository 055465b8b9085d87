//! Times the same functions in this package and in OxiDD: `cargo run --release -p lariat-bdd --example beside_oxidd [QUEENS]`.
//!
//! All placements of queens that do not attack each other, as in most comparisons of such packages; one thread each.
#![allow(clippy::print_stdout, reason = "an example that talks to its user")]

use std::time::Instant;

use bdd::{Manager, Variable};
use oxidd::bdd::BDDFunction;
use oxidd::{BooleanFunction, Function as _, Manager as _, ManagerRef as _};

/// Whether two places of a board are in one line.
fn attack(size: u32, one: u32, other: u32) -> bool {
    let ((a, b), (c, d)) = ((one / size, one % size), (other / size, other % size));
    one != other && (a == c || b == d || a.abs_diff(c) == b.abs_diff(d))
}

/// All placements, with the operations of either package.
fn placements<F: Clone>(
    size: u32,
    places: &[F],
    constants: (F, F),
    not: impl Fn(&F) -> F,
    and: impl Fn(&F, &F) -> F,
    or: impl Fn(&F, &F) -> F,
) -> F {
    let (no, mut all) = constants;
    for row in 0..size {
        let mut some = no.clone();
        for place in row * size..(row + 1) * size {
            some = or(&some, &places[place as usize]);
            let free = not(&places[place as usize]);
            for other in (0..size * size).filter(|other| attack(size, place, *other)) {
                all = and(&all, &or(&free, &not(&places[other as usize])));
            }
        }
        all = and(&all, &some);
    }
    all
}

fn main() {
    let size: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    let squares = size * size;
    let begin = Instant::now();
    let ours = Manager::new();
    let places: Vec<_> = (0..squares).map(|place| ours.variable(Variable(place))).collect();
    let all = placements(size, &places, (ours.no(), ours.yes()), |f| !f, |f, g| f & g, |f, g| f | g);
    println!("ours:  {:.2?}, {} nodes, {:?} placements", begin.elapsed(), all.size(), all.count(squares));
    for cache in [1 << 16, 1 << 20] {
        let begin = Instant::now();
        let theirs = oxidd::bdd::new_manager(1 << 24, cache, 1);
        let (places, constants) = theirs.with_manager_exclusive(|manager| {
            manager.add_vars(squares);
            let places: Vec<_> = (0..squares).map(|place| BDDFunction::var(manager, place).expect("room")).collect();
            (places, (BDDFunction::f(manager), BDDFunction::t(manager)))
        });
        let all = placements(
            size,
            &places,
            constants,
            |f| f.not().expect("room"),
            |f, g| f.and(g).expect("room"),
            |f, g| f.or(g).expect("room"),
        );
        println!("OxiDD: {:.2?} with a cache of {cache}, {} nodes", begin.elapsed(), all.node_count());
    }
}
