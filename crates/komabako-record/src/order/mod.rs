//! Seeded random numbers, and the orders and samples of records that are drawn with them. The same seed gives the same order
//! on every machine.
//!
//! * [`Random`]: numbers by place, in any order; [`below`](Random::below) a bound.
//! * [`Permutation`]: a shuffled order of numbers in constant memory.
//! * [`Reservoir`]: a random sample of a stream of records.
//! * `ShuffleOrder`: the order of `komabako shuffle`, with the feature `shuffle`.

mod permutation;
mod random;
mod reservoir;
#[cfg(feature = "shuffle")]
mod shuffle;

pub use permutation::Permutation;
pub use random::Random;
#[cfg(feature = "analysis")]
pub(crate) use random::{STEP, mix};
pub use reservoir::{Reservoir, written_record};
#[cfg(feature = "shuffle")]
pub use shuffle::{Buckets, ShuffleOrder};
