//! [`RankError`].

use core::fmt;

/// A number that is no rank: it is not below [`T`](super::T).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RankError;

impl RankError {
    /// The error's name as the program prints it: `RANGE`.
    pub const fn name(&self) -> &'static str {
        "RANGE"
    }
}

impl fmt::Display for RankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the number is not below the number of positions; are bits 238 and 239 zero? ({})",
            self.name()
        )
    }
}

impl core::error::Error for RankError {}
