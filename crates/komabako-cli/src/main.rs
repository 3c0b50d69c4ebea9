//! The program `komabako`.

fn main() {}
