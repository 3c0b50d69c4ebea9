//! Goals, limits and results.

use alloc::vec::Vec;
use core::sync::atomic::AtomicBool;
use core::time::Duration;

use komabako_board::Hand;
use komabako_messages::messages;
use komabako_rules::Move16;

/// The way the plies of a mate are counted (specification, §3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Convention {
    /// Every legal move counts: the length of a game.
    Strict,
    /// Useless interpositions (無駄合) do not count: the length of a problem.
    #[default]
    Tsume,
}

/// The question asked about a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Goal {
    /// Any mate. The quickest to answer; the length reported is that of the mate found.
    Any,
    /// A mate within this number of plies.
    Within(u16, Convention),
    /// The shortest mate, with its determined line.
    Shortest(Convention),
}

impl Goal {
    /// The convention of the length that it asks for.
    pub const fn convention(self) -> Convention {
        match self {
            Goal::Any => Convention::Strict,
            Goal::Within(_, convention) | Goal::Shortest(convention) => convention,
        }
    }
}

/// The limits of a search. The default has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The number of nodes a search may take.
    pub nodes: Option<u64>,
    /// The number of nodes that all searches of a report (the checker's, first checks, variations) may take together. A
    /// single search ignores it.
    pub report_nodes: Option<u64>,
    /// The number of plies a mate may have, useless interpositions included. A longer one ends with [`Reason::Depth`], never with a
    /// refutation.
    pub depth: Option<u16>,
    /// The time a search may take. Without the feature `std` there is no clock, and it is ignored.
    pub time: Option<Duration>,
    /// A flag that ends the search soon after it becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

/// The length of a mate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// Exactly this number of plies.
    Exact(u16),
    /// At most this number of plies: the length of a mate that was found.
    AtMost(u16),
}

impl Length {
    /// The number of plies, exact or not.
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
    /// The convention of the length.
    pub convention: Convention,
    /// A line that mates within the length; the determined line of the specification, §3, if the length is exact and
    /// `ties_settled`.
    pub line: Vec<Move16>,
    /// Whether the line ends in the mate. If not, a limit ended the search for it, and it is the beginning of a line.
    pub line_complete: bool,
    /// The attacker's hand at the end of the line. Pieces in it are 駒余り if the line is complete.
    pub left: Hand,
    /// Whether ties between moves of equal length are settled by the specification's rule.
    pub ties_settled: bool,
}

/// A proof that no mate exists.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refutation {
    /// The attacker has no check at all.
    NoCheck,
    /// Each check, with a reply that refutes it.
    Replies(Vec<(Move16, Move16)>),
    /// The defender is to move and escapes with this move.
    Escape(Move16),
    /// No mate exists within the length asked about; a longer one may exist.
    Longer,
}

/// Why a search ended without a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The limit of nodes.
    Nodes,
    /// The limit of nodes of a whole report, or this question's share of it; its own limit was not reached.
    ReportNodes,
    /// The limit of time.
    Time,
    /// The limit of plies, or a path too long to search.
    Depth,
    /// The moves along the path need more memory than is available, or than the solver may use for them. A full table never
    /// ends a search: it drops entries.
    Memory,
    /// The caller cancelled it.
    Cancelled,
}

messages! {
    Reason {
        Nodes => "the node limit was reached", "ノード数の上限に達しました";
        ReportNodes => "the node limit was reached", "ノード数の上限に達しました";
        Time => "the time limit was reached", "時間切れです";
        Depth => "the depth limit was reached", "手数の上限に達しました";
        Memory => "the moves on the path need more memory", "手順の記憶にメモリが足りません";
        Cancelled => "it was stopped", "中断されました";
    }
}

/// The verdict of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A mate, proven.
    Mate(Mate),
    /// No mate, proven.
    NoMate(Refutation),
    /// A limit ended the search.
    Unknown {
        /// The limit.
        reason: Reason,
        /// The longest length excluded, if any.
        excluded: Option<u16>,
    },
}

impl Verdict {
    /// The length of the mate, if it is exact.
    pub fn exact_length(&self) -> Option<u16> {
        match self {
            Verdict::Mate(Mate { length: Length::Exact(plies), .. }) => Some(*plies),
            _ => None,
        }
    }

    /// Its name in reports, which is stable between releases: `mate`, `no-mate`, `no-mate-within` (a longer mate may exist) or
    /// `unknown`.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Mate(_) => "mate",
            Verdict::NoMate(Refutation::Longer) => "no-mate-within",
            Verdict::NoMate(_) => "no-mate",
            Verdict::Unknown { .. } => "unknown",
        }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of times that the table was full and dropped its least valuable half.
    pub collections: u32,
}

/// The progress of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The proof number of the position being searched.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// The depth of the path.
    pub depth: usize,
    /// The used share of the table, in thousandths.
    pub hashfull: u32,
    /// The path.
    pub best: Vec<Move16>,
    /// The shortest mate found so far.
    pub shortest: Option<u16>,
}
