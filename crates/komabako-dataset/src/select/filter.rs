//! [`Filter`]: keeps the records for which an expression holds.

use super::expression::{Expression, Facts};

/// Keeps the records for which an expression holds, or with `invert` those for which it does not.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The expression.
    pub expression: Expression,
    /// Whether to keep the other records instead.
    pub invert: bool,
}

impl Filter {
    /// Whether a record is kept.
    #[inline]
    pub(crate) fn keeps(&self, facts: &Facts) -> bool {
        self.expression.holds(facts) != self.invert
    }
}
