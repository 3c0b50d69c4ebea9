//! [`Counting`]: how a search counts the plies of a mate.

use crate::outcome::Convention;

/// How a search counts the plies of a mate.
///
/// `Free` is a lower bound of the lengths of the tsume convention, Λ° in `spec/tsume.md`: after the defender drops a piece, the attacker may
/// capture it with check and give it back, and neither the drop nor the capture counts. Λ° ≤ Λ ≤ L, nearly always Λ° = Λ, and "no mate
/// within Λ° − 2" takes a fraction of the nodes: the attacker's hand has its dominance again, and a drop is a move like any other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Counting {
    /// Every legal move counts.
    Strict,
    /// Useless interpositions do not count.
    Tsume,
    /// No interposition counts that the attacker captures for free.
    Free,
}

impl From<Convention> for Counting {
    fn from(convention: Convention) -> Counting {
        match convention {
            Convention::Strict => Counting::Strict,
            Convention::Tsume => Counting::Tsume,
        }
    }
}
