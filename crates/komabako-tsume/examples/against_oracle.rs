//! Compares the solver with the slow oracle on random positions: `against_oracle POSITIONS [SEED]`.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/random.rs"]
mod random;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let positions = arguments.next().unwrap_or(10_000);
    let seed = arguments.next().unwrap_or(2);
    let counts = random::compare(seed as u64, positions);
    println!("{positions} positions agree: {counts:?}");
}
