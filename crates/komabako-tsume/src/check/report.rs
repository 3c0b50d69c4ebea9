//! [`CheckReport`]: the findings of the checker.

use alloc::vec::Vec;
use core::fmt;

use komabako_board::Hand;
use komabako_messages::{Lang, Message, say};
use komabako_rules::Move16;

use crate::outcome::Reason;

/// The kind of a [`Finding`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// 不詰: there is no mate, or none after the author's move. A defect.
    NoMate,
    /// 早詰: there is a shorter mate than the author's. A defect.
    Sooner,
    /// 余詰: another check before the last ply mates without returning to the main line. A defect.
    Dual,
    /// 合流 (迂回・手順前後): another check mates, but only through a position of the main line.
    Rejoin,
    /// 非限定: a dual that differs by promotion alone or by the distance of a slider.
    Unspecified,
    /// 最終手余詰: another check mates at the last ply.
    LastMove,
    /// 変同: the defender has another reply of the same length.
    EqualDefence,
    /// 変長: a reply of the defender lasts longer than the author's. A defect unless it leaves pieces over.
    LongerDefence,
    /// 駒余り: the main line leaves pieces in the attacker's hand. A defect.
    LeftOver,
    /// 無駄合: the author's line contains a useless interposition, which is not counted.
    UselessInterposition,
    /// A search ended at its limit.
    Undecided,
}

/// One thing that the checker found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// The ply of the main line, from 1.
    pub ply: u16,
    /// The move.
    pub mv: Option<Move16>,
    /// The number of plies from this one to the mate, if known.
    pub length: Option<u16>,
    /// The line that shows it, from this ply on.
    pub line: Vec<Move16>,
    /// Whether that line leaves pieces over; for an equal defence, whether it leaves more of them than the main line.
    pub leaves_pieces: bool,
    /// Whether it makes the problem unsound.
    pub is_defect: bool,
    /// The limit, if it is undecided.
    pub reason: Option<Reason>,
}

/// The checker's verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Soundness {
    /// A mate, no defect, and nothing undecided.
    Sound,
    /// At least one defect.
    Defective,
    /// No defect was found, but a search ended at its limit.
    Undecided,
}

/// The checker's report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckReport {
    /// The result.
    pub soundness: Soundness,
    /// The exact length Λ, if it could be found.
    pub length: Option<u16>,
    /// The main line: the author's, continued to the mate if it stops early, or else the determined line.
    pub line: Vec<Move16>,
    /// Whether the main line ends in a mate.
    pub line_complete: bool,
    /// The attacker's hand at its end, without the pieces of useless interpositions.
    pub left: Hand,
    /// The findings, by ply.
    pub findings: Vec<Finding>,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// A move of the author's line is not a legal check or reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The ply, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move16,
    /// Whether the attacker was to move.
    pub attacks: bool,
}

impl Message for LineError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineError { ply, mv, attacks } = self;
        if *attacks {
            say!(
                f,
                lang,
                "ply {ply}: {mv} is not a legal check",
                "{ply} 手目の {mv} は王手になる合法手ではありません",
                ply,
                mv
            )
        } else {
            say!(
                f,
                lang,
                "ply {ply}: {mv} is not a legal reply",
                "{ply} 手目の {mv} は合法手ではありません",
                ply,
                mv
            )
        }
    }
}

komabako_messages::english!(LineError);

impl core::error::Error for LineError {}
