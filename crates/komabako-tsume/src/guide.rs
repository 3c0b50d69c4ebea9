//! Constants that guide a search to its answer: they change how many nodes it takes, never what it finds.

use crate::outcome::Convention;

/// What guides a search.
pub(crate) struct Guide {
    /// A child is searched until it is worse than the second best by this part of that one's number, so that the search
    /// does not leave a subtree for each small change.
    pub patience: u32,
    /// The moves that count where a position has not been searched yet: many replies are a bad sign, but most of those
    /// beyond some are answered alike.
    pub most_replies: u32,
    pub most_checks: u32,
}

/// A 4th was too patient: it stays with what only seems good. Of 2, 4, 8 and 16 the last took the fewest nodes on short and
/// long problems. With 8 replies the known mates took 1.8 times as many nodes and the 611 plies of a famous problem 2.5
/// times; a count of 1 for all was worse again.
const STRICT: Guide = Guide { patience: 16, most_replies: 4, most_checks: 8 };

/// In tsume lengths there is always a bound, and nearly all of the tree within it has to be searched: with the numbers of
/// [`STRICT`] exact lengths took a quarter more nodes. (Exact strict lengths gained an eighth by these on 250 positions, but
/// one of 29 plies took 1.7 times as many nodes.)
const TSUME: Guide = Guide { patience: 2, most_replies: 6, most_checks: 16 };

/// The guide of searches by a convention.
pub(crate) const fn guide(convention: Convention) -> &'static Guide {
    match convention {
        Convention::Strict => &STRICT,
        Convention::Tsume => &TSUME,
    }
}

/// The number with which an unsearched position starts: how many moves there are, up to a point.
pub(crate) fn first_number(moves: usize, most: u32) -> u32 {
    (moves as u32).clamp(1, most)
}
