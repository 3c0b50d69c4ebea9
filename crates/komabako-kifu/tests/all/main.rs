//! The integration tests of the crate, in one program: every further program would link everything again.

mod agreement;
mod common;
mod contradictions;
mod csa_dialects;
mod csa_endings;
mod dialects;
mod fuzz;
mod glued_lines;
mod kif_dialects;
mod npm;
mod random_trees;
mod several_games;
mod spellings;
mod text;
