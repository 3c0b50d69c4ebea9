//! Compares the solver with the slow oracle on random positions: `against_oracle POSITIONS [SEED]`.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/random.rs"]
mod random;

use std::process::ExitCode;
use std::time::Instant;

use komabako_testkit::setups::Rng;
use komabako_tsume::{Memory, Solver};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let positions = arguments.next().unwrap_or(10_000);
    let seed = arguments.next().unwrap_or(2);
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut counts = random::Counts::default();
    let mut differences = 0;
    let start = Instant::now();
    for done in 1..=positions {
        let problem = random::random_problem(&mut rng);
        for difference in random::compare(&mut solver, &problem, &mut counts) {
            differences += 1;
            println!("{difference}");
        }
        if done % 1_000 == 0 || done == positions {
            let seconds = start.elapsed().as_secs_f64();
            println!("{done} positions in {seconds:.0} s, {differences} differences, {counts:?}");
        }
    }
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
