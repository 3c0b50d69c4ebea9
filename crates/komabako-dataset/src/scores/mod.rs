//! Scores apart from their records: columns, which are files of one little-endian number per record, without a header
//! (`spec/formats.md` §4.4): an `i16` or, if the name ends in `.f32` or `.u32`, such a number.
//!
//! A conversion merges a [`Column`] onto records ([`ScoreChange`](crate::convert::ScoreChange)); an [`Extraction`] extracts one
//! from records. The scores are in the order of the records, so anything that permutes or drops records must do the same
//! to the scores.

mod extract;

pub use self::extract::{Extraction, Summary};
pub use crate::io::score_column::{Column, UNKNOWN, Width};
