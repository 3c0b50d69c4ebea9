//! The specification of the formats that the crate reads and writes.

/// Moves in 16 bits, records, games, text, and the detection of a file's format.
pub mod formats {
    #![doc = include_str!("../../spec/formats.md")]
}
