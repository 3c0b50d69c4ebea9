//! Scores apart from their records: columns, which are files of one little-endian `i16` per record, without a header
//! (`spec/formats.md` §4.4).
//!
//! A conversion merges a [`Column`] onto records ([`crate::convert::Job::scores`]); an [`Extraction`] extracts one
//! from records. The scores are in the order of the records, so anything that permutes or drops records must do the same
//! to the scores.

mod extract;

pub use self::extract::{Extraction, Plan, Summary};
pub use crate::io::score_column::{Column, UNKNOWN};
