//! Nodes: what is known of one ([`Found`]), a move to one ([`Child`]), and one on the path ([`Frame`]).

use komabako_board::{BaseKind, Hand, Square};
use komabako_rules::{Move16, Undo};

use crate::table::{BoardKey, INFINITE, Known, UNBOUNDED};

/// The value of [`Found::repetition`] for a result that depends on no repetition.
pub(super) const NO_REPETITION: u32 = u32::MAX;

/// The result for a node: proof and disproof number, and if one of them is 0 the hands for which it holds and the length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub pn: u32,
    pub dn: u32,
    /// The proof hand or the disproof hand.
    pub hand: Hand,
    /// The length of the mate found, or the longest length excluded.
    pub length: u16,
    /// The least depth on the path that a disproof depends on.
    pub repetition: u32,
    /// Whether a proof holds for strict lengths, and so for larger hands.
    pub strict: bool,
}

impl Found {
    pub fn open(pn: u32, dn: u32, hand: Hand) -> Self {
        Self { pn, dn, hand, length: 0, repetition: NO_REPETITION, strict: true }
    }

    pub fn mate(hand: Hand, length: u16, strict: bool) -> Self {
        Self { pn: 0, dn: INFINITE, hand, length, repetition: NO_REPETITION, strict }
    }

    pub fn no_mate(hand: Hand, length: u16, repetition: u32) -> Self {
        Self { pn: INFINITE, dn: 0, hand, length, repetition, strict: true }
    }

    /// The result from the table, if it settles the position.
    pub fn settled(known: Known) -> Option<Self> {
        match known {
            Known::Mate { hand, length, strict } => Some(Self::mate(hand, length, strict)),
            Known::NoMate { hand, excluded } => Some(Self::no_mate(hand, excluded, NO_REPETITION)),
            Known::Open { .. } | Known::Nothing => None,
        }
    }

    /// The number that the attacker, or else the defender, wants to be 0: the paper's φ of a node in which he is to move, and
    /// δ of a child of his.
    pub fn own(&self, attacks: bool) -> u32 {
        if attacks { self.pn } else { self.dn }
    }

    /// The other number.
    pub fn other(&self, attacks: bool) -> u32 {
        if attacks { self.dn } else { self.pn }
    }
}

/// The bound of a child whose move counts as `plies`.
pub(crate) fn below(bound: u16, plies: u16) -> u16 {
    if bound == UNBOUNDED { bound } else { bound.saturating_sub(plies) }
}

/// The length of a parent, or the length excluded for it.
pub(super) fn above(length: u16, plies: u16) -> u16 {
    length.saturating_add(plies)
}

/// A move from a node and the result so far for the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub mv: Move16,
    pub key: BoardKey,
    /// The attacker's hand.
    pub hand: Hand,
    pub found: Found,
    /// For a move that does not promote: the index of the promotion that is searched before it.
    pub after: u32,
    /// Whether it has not been searched yet.
    pub fresh: bool,
    /// Whether it is a drop of the defender to a new position that has not been evaluated yet.
    pub unseen: bool,
    pub interposition: Interposition,
    /// What the move counts. By [`Counting::Free`](crate::counting::Counting::Free) a drop of the defender counts nothing yet: nothing if its capture mates with the
    /// piece `returned`, and a ply if another check mates, which then counts two.
    pub plies: u16,
    /// Whether it captures the piece that the defender dropped just before, which goes back to him.
    pub returned: bool,
}

impl Child {
    /// Whether it is an open drop of the defender, which the search must answer before later drops.
    pub fn is_open_drop(&self, attacks: bool) -> bool {
        !attacks && self.mv.is_drop() && self.found.pn > 0
    }

    /// Whether it settles its parent on every path.
    pub fn decides(&self, attacks: bool) -> bool {
        if attacks {
            return self.found.pn == 0;
        }
        self.found.dn == 0
            && self.found.repetition == NO_REPETITION
            && self.interposition == Interposition::Counts
    }
}

/// Whether a move counts, or is a defender's drop that may be useless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Interposition {
    /// It counts: it is not a drop, lengths are strict, or the test found it not useless.
    Counts,
    /// Must be tested before it is searched.
    Untested,
    /// It does not count.
    Useless,
}

/// The index of no child.
pub(super) const NO_CHILD: u32 = u32::MAX;

/// The way a frame's position was reached.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entered {
    /// The position of the question, or the parent's position with fewer drops.
    InPlace,
    /// By a move.
    Move(Undo<u128>),
    /// By the capture of a piece just dropped, with the piece given back.
    Captured { capture: Undo<u128>, kind: BaseKind },
    /// By a drop and its capture, with the piece given back.
    Returned { drop: Undo<u128>, capture: Undo<u128>, kind: BaseKind },
}

/// The state of a test for a useless drop. See `interposition.rs`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    /// The index of the drop among the children.
    pub child: u32,
    /// Without the drop the defender lasts at most this many plies.
    pub within: u16,
    /// The number of captures refuted so far.
    pub capture: u16,
    /// Whether the test waits for the answer without the drop (the base) rather than for a capture.
    pub base: bool,
}

impl Frame {
    /// Whether checks other than captures of the piece just dropped are within the bound.
    pub fn has_checks(&self) -> bool {
        self.dropped.is_none() || self.bound >= 2
    }
}

/// A node on the path.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub entered: Entered,
    /// Whether the attacker is to move.
    pub attacks: bool,
    pub key: BoardKey,
    /// The attacker's hand.
    pub hand: Hand,
    /// The key of the path, see `repetition.rs`.
    pub path_key: u128,
    pub bound: u16,
    /// Drops at this distance from the king or farther are left out; 0 leaves out none.
    pub drops_below: u8,
    /// By [`Counting::Free`](crate::counting::Counting::Free): the square of the defender's drop that led here. The attacker may capture the piece and give it back.
    pub dropped: Option<Square>,
    /// The depth of the path at this frame.
    pub depth: u32,
    /// The numbers at which the search returns to the parent: the paper's limits.
    pub pn_limit: u32,
    pub dn_limit: u32,
    /// [`Search`](super::Search)'s `old` before this node was expanded.
    pub old_above: u32,
    /// The place of the first child among the children of the path.
    pub children: u32,
    /// The child that is being searched.
    pub best: u32,
    /// The test of one of its drops, while it lasts.
    pub test: Option<Test>,
    /// The least depth that an answer of a test depends on, see `interposition.rs`.
    pub leans_on: u32,
    /// The number of nodes searched before this one.
    pub nodes_before: u64,
    /// The frame nearer to the root with the same slot in the index of the path, or [`NO_FRAME`](super::path::NO_FRAME).
    pub link: u32,
}
