//! [`Selection`]: the choice of records to write.

mod filter;
mod last_blocks;
mod marks;
mod mask;
mod ratio;

pub mod expression;
pub mod games;

pub use self::filter::Filter;
pub(crate) use self::last_blocks::LastBlocks;
pub use self::marks::{Marked, Marking};
pub use self::mask::{Mask, MaskLength};
pub use self::ratio::Ratio;

use std::ops::Range;

use self::games::GameChoice;
use crate::block::Block;
use crate::{FileFormat, boundaries};

/// The records to write, always in the order of the inputs. Records are numbered from 0 over all inputs.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Selection {
    /// All.
    #[default]
    All,
    /// Those with these numbers. Nothing after them is read, and in uncompressed files of records of one size everything
    /// before them is skipped.
    Range(Range<u64>),
    /// This many at the end. If the number of records is not known beforehand (compressed files, text, streams), all
    /// are read, and the blocks with this many are held in memory until they are converted.
    Last(u64),
    /// Each with the same probability, independently of the others.
    Ratio(Ratio),
    /// A sample of `count` records, or all if there are fewer. Every subset of that size is equally likely.
    ///
    /// A reservoir (Vitter, *Random sampling with a reservoir*, 1985, algorithm R): the first `count` good records fill
    /// it; then good record number *i* draws one of *i* + 1 places and replaces the record there, if that place is in the
    /// reservoir. The reservoir is in memory: each record and about 30 bytes.
    Sample {
        /// The size of the sample.
        count: u64,
        /// The seed. The same seed gives the same records, for any number of threads and any compression.
        seed: u64,
    },
    /// Those that a filter keeps.
    Filter(Filter),
    /// Those that a mask selects.
    Mask(Mask),
    /// Those of the games that are taken, in formats of games. Games are judged as they are stored, so a bad record of a game that
    /// is left out is found all the same.
    Games(GameChoice),
}

/// A block of the records in bytes that were encoded in a format.
pub(crate) fn recut(format: FileFormat, bytes: Vec<u8>) -> Block {
    let cuts = boundaries::cut(format, &bytes, true, false).cuts;
    Block::new(bytes, cuts)
}
