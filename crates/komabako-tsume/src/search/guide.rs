//! Constants that guide a search to its answer: they change the number of nodes, never the result.

use crate::counting::Counting;

/// The constants that guide a search.
pub(super) struct Guide {
    /// 1/ε of the 1+ε trick (Pawlewicz and Lew 2007): a child is searched until its number is 1+ε times the second best one, so
    /// that small changes do not make the search switch subtrees.
    pub inverse_epsilon: u32,
    /// The cap on the start number of an unsearched position. Many replies are a bad sign, but beyond a few most of them
    /// have the same answer.
    pub most_replies: u32,
    pub most_checks: u32,
}

/// With ε = 1/4 the search stays too long with a move that only looks good. Of 1/2, 1/4, 1/8 and 1/16 the last took the fewest
/// nodes on short and long problems. Counting up to 8 replies took 1.8 times as many nodes on the known mates and 2.5 times
/// as many on a famous problem of 611 plies; counting 1 for every position was worse still.
const STRICT: Guide = Guide { inverse_epsilon: 16, most_replies: 4, most_checks: 8 };

/// Searches in tsume lengths always have a bound, and nearly all of the tree within it has to be searched: with the constants
/// of [`STRICT`] exact lengths took a quarter more nodes. (For exact strict lengths, these constants saved an eighth of the
/// nodes on 250 positions, but a mate in 29 took 1.7 times as many.)
const TSUME: Guide = Guide { inverse_epsilon: 2, most_replies: 6, most_checks: 16 };

/// The constants for searches by this counting. With those of [`TSUME`] a mate in 19 took 1.7 times the nodes by `Free`.
pub(super) const fn guide(counting: Counting) -> &'static Guide {
    match counting {
        Counting::Strict | Counting::Free => &STRICT,
        Counting::Tsume => &TSUME,
    }
}

/// The start number of an unsearched position: its number of moves, at most `most`.
pub(super) fn first_number(moves: usize, most: u32) -> u32 {
    (moves as u32).clamp(1, most)
}
