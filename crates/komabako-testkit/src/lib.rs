//! Test inputs and oracles shared by the crates of the workspace.

pub mod backends;
pub mod setups;
