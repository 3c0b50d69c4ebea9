//! The form for backends that gather and scatter bits with single instructions, for a block of positions at once.
//!
//! Only gathers and scatters handle one position at a time, between boards and [`Column`]s. Everything else is loops over
//! columns, which the compiler vectorises: eight positions with AVX-512, four with AVX2. So no position depends on
//! another, and data for a later loop is kept in the L1 cache instead of in registers.
//!
//! A loop over columns must have no call, no table and no branch, or it would not be vectorised. `cargo xtask bench-check`
//! would show that: the number of instructions would grow by half.

mod hands;
mod pack;
mod unpack;

pub use pack::pack;
pub use unpack::unpack;

/// The number of positions in a block: a multiple of a vector's lanes, and small enough for their columns and boards to stay
/// in the L1 cache.
const BLOCK: usize = 16;

/// One number per position.
type Column = [u64; BLOCK];

const ZEROS: Column = [0; BLOCK];
