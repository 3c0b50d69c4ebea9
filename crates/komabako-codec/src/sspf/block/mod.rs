//! The form where bits are gathered and scattered by single instructions, for a block of positions at once.
//!
//! Only gathers and scatters go position by position, between boards and [`Column`]s. All else is loops over columns, which
//! the compiler makes instructions on vectors: of eight positions with AVX-512, of four with AVX2. So no position waits
//! for another, and what a later loop needs waits in the nearest cache and not in a register.
//!
//! A loop over columns has no call, no table and no branch, or it would not become vectors. `cargo xtask bench-check` would see
//! that: the instructions would be half as many again.

mod hands;
mod pack;
mod unpack;

pub use pack::pack;
pub use unpack::unpack;

/// How many positions are a block: a multiple of what a vector holds, and few enough for their columns and boards to stay in
/// the nearest cache.
const BLOCK: usize = 16;

/// A number of each position.
type Column = [u64; BLOCK];

const ZEROS: Column = [0; BLOCK];
