//! What the search keeps of the nodes on its path: frames, each with its children.

use komabako_board::{BaseKind, Hand};
use komabako_rules::{Move16, State, Undo};

use crate::table::BoardKey;

/// The position that a search moves in. The wide key serves the table's 96 bits.
pub(crate) type TsumeState = State<u128>;

/// Leans on no repetition.
pub(crate) const NO_REPETITION: u32 = u32::MAX;

/// What a search found out about a node: numbers, and when one of them is 0 for which hands and how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub pn: u32,
    pub dn: u32,
    /// The proof hand or the disproof hand.
    pub hand: Hand,
    /// The length of the mate that was found, or the longest that is excluded.
    pub length: u16,
    /// The least depth of the path that a disproof leans on.
    pub repetition: u32,
    /// Whether a proof holds for strict lengths, and so for larger hands.
    pub strict: bool,
}

impl Found {
    pub fn open(pn: u32, dn: u32, hand: Hand) -> Self {
        Self { pn, dn, hand, length: 0, repetition: NO_REPETITION, strict: true }
    }
}

/// A move from a node and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub mv: Move16,
    pub key: BoardKey,
    /// The attacker's hand.
    pub hand: Hand,
    pub found: Found,
    /// The index of the promotion that is looked at before this move which does not promote.
    pub after: u32,
    /// Whether it has not been searched yet.
    pub fresh: bool,
    /// Whether it is a drop of the defender whose position is new and has not been looked at.
    pub unseen: bool,
    pub drop: Interposition,
}

impl Child {
    /// Whether it is a drop of the defender that the search must look at before those after it.
    pub fn is_open_drop(&self, attacks: bool) -> bool {
        !attacks && self.mv.is_drop() && self.found.pn > 0
    }
}

/// Whether a defender's drop may be useless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interposition {
    /// Not a drop, or in strict lengths.
    Counts,
    /// To be tested before it is searched.
    Untested,
    /// It does not count.
    Useless,
}

pub(crate) const NO_CHILD: u32 = u32::MAX;

/// How a frame's position came about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entered {
    /// It is the position that was asked about, or its parent's with fewer drops.
    InPlace,
    /// By a move.
    Move(Undo<u128>),
    /// By a drop and its capture, and the piece given back.
    Returned { drop: Undo<u128>, capture: Undo<u128>, kind: BaseKind },
}

/// The test whether a drop is useless, as far as it has got. See `interposition.rs`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// The index of the drop among the children.
    pub child: u32,
    /// The defender is known to last no longer than this without the drop.
    pub within: u16,
    /// How many captures have been refuted.
    pub capture: u16,
    /// Whether it waits for the base rather than for a capture.
    pub base: bool,
}

/// A node on the path.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub entered: Entered,
    pub attacks: bool,
    pub key: BoardKey,
    pub hand: Hand,
    pub path: u128,
    pub bound: u16,
    /// Drops at this distance from the king or farther are left out; 0: none is.
    pub drops_below: u8,
    /// How deep the path is here.
    pub depth: u32,
    pub pn_limit: u32,
    pub dn_limit: u32,
    /// How many old children were seen above, see `select`.
    pub old_above: u32,
    /// Where the children begin.
    pub children: u32,
    /// The child that is being searched.
    pub best: u32,
    pub test: Option<Test>,
    /// The least depth that an answer of a test leans on, see `interposition.rs`.
    pub leans_on: u32,
    pub nodes_before: u64,
    /// The frame below with the same slot in the index of the path.
    pub link: u32,
}
