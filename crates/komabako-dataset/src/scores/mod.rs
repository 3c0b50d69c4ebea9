//! Scores apart from their records: columns, files of one `i16` a record, little-endian, without a header
//! (`spec/formats.md` §4.4).
//!
//! A [`Column`] is merged onto records by a conversion ([`crate::convert::Job::scores`]); an [`Extraction`] takes one
//! out of records. The scores are in the order of the records, so whatever permutes or drops the one must do so to the
//! other.

mod extract;

pub use self::extract::{Extraction, Plan, Summary};
pub use crate::io::score_column::{Column, UNKNOWN};
