//! The chores of the workspace: `cargo xtask VERB`.

fn main() {}
