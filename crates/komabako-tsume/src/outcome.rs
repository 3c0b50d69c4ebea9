//! Goals, limits and results.

use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;

use komabako_board::Hand;
use komabako_rules::Move16;

/// How the plies of a mate are counted (specification, §3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Convention {
    /// Every legal move counts: the length of a game.
    Strict,
    /// Useless interpositions (無駄合) do not count: the length of a problem.
    #[default]
    Tsume,
}

/// What is asked about a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Goal {
    /// Any mate. The quickest answer; the length is that of the mate found.
    Any,
    /// A mate within this number of plies.
    Within(u16, Convention),
    /// The shortest mate, with its determined line.
    Shortest(Convention),
}

/// When to give up. The default never does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// How many nodes may be searched.
    pub nodes: Option<u64>,
    /// How many nodes all searches of a report (the checker's, first checks, variations) may take together. A single
    /// search does not look at it.
    pub report_nodes: Option<u64>,
    /// How many plies a mate may have. A longer one is [`Reason::Depth`], never a refutation.
    pub depth: Option<u16>,
    /// How long the search may take.
    #[cfg(feature = "std")]
    pub time: Option<std::time::Duration>,
    /// Ends the search soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

/// How long a mate is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// Exactly this number of plies.
    Exact(u16),
    /// This number of plies or fewer: the length of a mate that was found.
    AtMost(u16),
}

impl Length {
    /// The plies, exact or not.
    pub const fn plies(self) -> u16 {
        match self {
            Length::Exact(plies) | Length::AtMost(plies) => plies,
        }
    }

    /// Whether no shorter mate exists.
    pub const fn is_exact(self) -> bool {
        matches!(self, Length::Exact(_))
    }
}

/// A proven mate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mate {
    /// Its length.
    pub length: Length,
    /// How the length is counted.
    pub convention: Convention,
    /// A line that mates; the determined one of the specification, §3, if the length is exact and `ties_settled`.
    pub line: Vec<Move16>,
    /// The attacker's hand at the end of the line. Pieces in it are 駒余り.
    pub left: Hand,
    /// Whether ties between moves of equal length are settled by the specification's rule.
    pub ties_settled: bool,
}

/// A proof that there is no mate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refutation {
    /// The attacker has no check at all.
    NoCheck,
    /// Each check with a reply that refutes it.
    Replies(Vec<(Move16, Move16)>),
    /// The defender, who is to move, escapes by this move.
    Escape(Move16),
    /// There may be a mate, but none within the length that was asked about.
    Longer,
}

/// Why a search ended without a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The limit of nodes.
    Nodes,
    /// The limit of nodes of a whole report, or a share of it: this question's own limit was not reached.
    ReportNodes,
    /// The limit of time.
    Time,
    /// The limit of plies, or a path too long to search.
    Depth,
    /// The moves along the path need more memory than there is, or than the solver may use for them. A full table is no
    /// such reason: it forgets.
    Memory,
    /// The caller cancelled it.
    Cancelled,
}

/// What a search found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A mate, proven.
    Mate(Mate),
    /// No mate, proven.
    NoMate(Refutation),
    /// A limit ended the search.
    Unknown {
        /// Which one.
        reason: Reason,
        /// The longest length that is excluded, if any.
        excluded: Option<u16>,
    },
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// How many nodes were searched.
    pub nodes: u64,
    /// How often the table was full and forgot its least valuable half.
    pub collections: u32,
}

/// How far a search has got.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// How many nodes have been searched.
    pub nodes: u64,
    /// The proof number of the position searched at present.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// How deep the path is.
    pub depth: usize,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The path.
    pub best: Vec<Move16>,
    /// The shortest mate found so far.
    pub shortest: Option<u16>,
}
