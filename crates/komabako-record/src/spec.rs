//! The specification of the formats that the crate reads and writes.

/// Moves in 16 bits, records, games, text, and how a file's format is recognised.
pub mod formats {
    #![doc = include_str!("../spec/formats.md")]
}
