//! Test inputs and oracles shared by the crates of the workspace.

#![forbid(unsafe_code)]

pub mod agreement;
pub mod backends;
pub mod cases;
pub mod files;
pub mod fuzz;
pub mod peers;
pub mod reference_moves;
pub mod setups;
pub mod tsume_oracle;
pub mod vectors;
pub mod wild;
