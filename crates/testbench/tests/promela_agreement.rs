//! The compiled model and the reference interpreter, walked in step over random programs.

use kernel::span::SourceMap;
use promela::front::{self, NoFiles, Options};
use testbench::generate::promela::program;
use testbench::oracle::promela::{Extent, agree};

#[test]
fn random_programs_mean_the_same_twice() {
    let first: u64 = std::env::var("LARIAT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("LARIAT_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    for seed in first..first + count {
        let mut sources = SourceMap::new();
        let text = program(seed);
        let file = sources.add_file("random.pml", text.clone(), None);
        let loaded = front::load(&mut sources, file, &Options::default(), &NoFiles);
        let Some(program) = loaded.program else { panic!("seed {seed}: {:#?}\n{text}", loaded.diagnostics) };
        if let Err(what) = agree(&program, seed, Extent { walks: 6, steps: 60 }) {
            panic!("seed {seed}: {what}\n{text}");
        }
    }
}
