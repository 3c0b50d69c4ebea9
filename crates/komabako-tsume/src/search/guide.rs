//! Constants that guide a search to its answer: they change the number of nodes, never the result.

use crate::table::UNBOUNDED;

/// The constants that guide a search.
pub(super) struct Guide {
    /// 1/ε of the 1+ε trick (Pawlewicz and Lew 2007): a child is searched until its number is 1+ε times the second best one, so
    /// that small changes do not make the search switch subtrees.
    pub inverse_epsilon: u32,
    /// The cap on the start number of an unsearched position. Many replies are a bad sign, but beyond a few most of them
    /// have the same answer.
    pub most_replies: u32,
    pub most_checks: u32,
    /// What each further open reply adds to the proof number of the hardest one.
    pub further_reply: u32,
}

/// For mates of any length. With ε = 1/4 the search stays too long with a move that only looks good. Of 1/2, 1/4, 1/8 and 1/16 the
/// last took the fewest nodes on short and long problems. Counting up to 8 replies took 1.8 times as many nodes on the known mates and
/// 2.5 times as many on a famous problem of 611 plies; counting 1 for every position was worse still.
const ANY: Guide = Guide { inverse_epsilon: 16, most_replies: 4, most_checks: 8, further_reply: 1 };

/// For mates within a bound. A bound ends every loop, so proof numbers do not diverge there, and a sum may count replies more fully. How
/// the weight was chosen: `PERFORMANCE.md`.
const BOUNDED: Guide = Guide { inverse_epsilon: 8, most_replies: 4, most_checks: 8, further_reply: 2 };

/// The constants for searches within a bound.
pub(super) const fn guide(bound: u16) -> &'static Guide {
    if bound == UNBOUNDED { &ANY } else { &BOUNDED }
}

/// The start number of an unsearched position: its number of moves, at most `most`.
pub(super) fn first_number(moves: usize, most: u32) -> u32 {
    (moves as u32).clamp(1, most)
}
