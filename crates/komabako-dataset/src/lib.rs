//! Files of shogi training positions: what they are, record by record, and from one format to another.
//!
//! * [`record`]: the records themselves, [`Psv`](record::Psv) and [`Hcpe`](record::Hcpe) byte for byte, and the
//!   neutral [`Record`]. [`move16`] and [`GameResult`] hold the conventions of their fields.
//! * [`FileFormat`]: the formats, what each holds, and what a conversion [loses](losses).
//! * [`detect`]: what a file is, and why.

#![forbid(unsafe_code)]

pub mod compression;
pub mod convert;
pub mod detect;
pub mod error;
pub mod format;
pub mod move16;
pub mod record;
mod result;

pub use compression::Compression;
pub use error::{DatasetError, RecordError, RecordFault};
pub use format::{Field, FileFormat, Loss, LossKind, losses};
pub use record::Record;
pub use result::GameResult;
