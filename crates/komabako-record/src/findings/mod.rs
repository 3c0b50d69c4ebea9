//! The faults of records by level, and the faults that only many records together show.
//!
//! An [`Examiner`] checks every record of a block at some [levels](Levels). The last move of a block may need the next
//! block's first position ([`BlockFindings::first`], [`UncertainMove::resolve`]), and some findings need the whole file
//! ([`Tally`]): code that merges the findings of blocks must merge these too.
//!
//! ```
//! use komabako_record::findings::{BlockFindings, Examiner, Levels};
//! use komabako_record::{Block, FileFormat, boundaries};
//! let bytes = b"sfen startpos\nmove 7g7e\nscore 30\nply 1\nresult 1\ne\n";
//! let block = Block::new(bytes.to_vec(), boundaries::cut(FileFormat::Plain, bytes, true, true).cuts);
//! let examiner = Examiner { levels: Levels::DEFAULT, backend: komabako_codec::Backend::detect() };
//! let mut found = BlockFindings::default();
//! examiner.examine(&mut examiner.buffers(), FileFormat::Plain, &block, &mut found);
//! let names: Vec<_> = found.findings.iter().map(|(index, finding)| (*index, finding.name())).collect();
//! assert_eq!(names, [(0, "MOVE_UNREACHABLE")]);
//! ```

mod convention;
mod examiner;
mod explain;
mod finding;
mod level;
mod next_position_check;

pub use convention::{Contradiction, Convention, Mirror, WrongField};
pub use examiner::{BlockFindings, Buffers, Examiner, PLY_LIMIT, Tally};
pub use explain::{explain, read_with_any_reader};
pub use finding::{Finding, OtherEncoding};
pub use level::{Level, Levels, UnknownLevel};
pub use next_position_check::{Misread, UncertainMove};
