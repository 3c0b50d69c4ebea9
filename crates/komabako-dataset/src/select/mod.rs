//! [`Selection`]: which records of the inputs are written.

mod filter;
mod mask;
mod ratio;
mod retained;

pub mod expression;

pub use self::filter::Filter;
pub use self::mask::Mask;
pub use self::ratio::Ratio;
pub(crate) use self::retained::{Retained, RetainedChunk, recut};

use std::ops::Range;

/// Which records are written, always in the order of the inputs. Records are numbered from 0 over all inputs.
#[derive(Clone, Debug, Default)]
pub enum Selection {
    /// All.
    #[default]
    All,
    /// Those with these numbers. Nothing after them is read, and what lies before them in uncompressed files of records
    /// of one size is skipped.
    Range(Range<u64>),
    /// So many at the end. Where the number of records is not known beforehand (compressed files, text, streams), all
    /// are read, and this many are held in memory.
    Last(u64),
    /// Each with a probability, whatever becomes of the others.
    Ratio(Ratio),
    /// So many, or all if there are no more. Every subset of that size is equally likely.
    ///
    /// By reservoir (Vitter, *Random sampling with a reservoir*, 1985, algorithm R): the first `count` good records fill
    /// it, and then the record of number *i* among the good ones takes a place drawn from *i* + 1, if that is one of the
    /// reservoir's. Those records are held in memory: about 30 bytes each and the record.
    Sample {
        /// How many.
        count: u64,
        /// The same seed gives the same records, whatever the threads and the compression.
        seed: u64,
    },
    /// Those that a filter keeps.
    Filter(Filter),
    /// Those that a mask takes.
    Mask(Mask),
}
