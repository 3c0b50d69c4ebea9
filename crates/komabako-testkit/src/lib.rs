//! Test inputs and oracles shared by Komabako's crates.

pub mod backends;
