//! [`RankError`].

use core::fmt;

/// The error for a number that is not a rank because it is not below [`T`](super::T).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RankError;

impl RankError {
    /// The error's name in the program's output: `RANGE`.
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
