//! [`CheckReport`]: the findings of the checker.

use alloc::vec::Vec;
use core::fmt;

use komabako_board::Hand;
use komabako_messages::{Lang, Message, say};
use komabako_rules::Move16;

use crate::outcome::{Outcome, Reason};

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
    /// 原型復帰型無駄合: after a drop of the main line and its capture the position comes back with the piece in the attacker's hand.
    /// The plies in between count.
    ReturningInterposition,
    /// 変化別詰: in a variation another check mates without returning to it.
    VariationDual,
    /// A variation of the author's has, or states, another length than the shortest mate after its first move.
    VariationLength,
    /// A variation of the author's does not mate.
    VariationEscapes,
    /// A search ended at its limit.
    Undecided,
}

impl FindingKind {
    /// Its name in reports, which is stable between releases.
    pub const fn name(self) -> &'static str {
        match self {
            FindingKind::NoMate => "no-mate",
            FindingKind::Sooner => "sooner",
            FindingKind::Dual => "dual",
            FindingKind::Rejoin => "rejoin",
            FindingKind::Unspecified => "unspecified",
            FindingKind::LastMove => "last-move",
            FindingKind::EqualDefence => "equal-defence",
            FindingKind::LongerDefence => "longer-defence",
            FindingKind::LeftOver => "left-over",
            FindingKind::UselessInterposition => "useless-interposition",
            FindingKind::ReturningInterposition => "returning-interposition",
            FindingKind::VariationDual => "variation-dual",
            FindingKind::VariationLength => "variation-length",
            FindingKind::VariationEscapes => "variation-escapes",
            FindingKind::Undecided => "undecided",
        }
    }
}

/// The class of another check that mates: what it differs in from the main line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DualClass {
    /// Of a dual: at the first ply.
    FirstMove,
    /// Of a dual: at a later ply.
    LaterMove,
    /// Of a dual: the checks of the main line in another order, as many plies. Of a rejoin (手順前後): back in the main line at the same
    /// ply.
    Order,
    /// Of an unspecified move: promoting or not.
    Promotion,
    /// Of an unspecified move: a slider from another distance.
    Distance,
    /// Of a rejoin (迂回): back in the main line later.
    Detour,
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
    /// The number of plies from this one to the mate, if known. Where the author's line is undecided: of the shortest mate that is known.
    pub length: Option<u16>,
    /// The line that shows it, from this ply on.
    pub line: Vec<Move16>,
    /// Of another check that mates: its class, if it is known.
    pub class: Option<DualClass>,
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

impl Soundness {
    /// Its name in reports, which is stable between releases.
    pub const fn name(self) -> &'static str {
        match self {
            Soundness::Sound => "sound",
            Soundness::Defective => "defective",
            Soundness::Undecided => "undecided",
        }
    }
}

/// The checker's report.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckReport {
    /// The result.
    pub soundness: Soundness,
    /// The verdict about the problem, as of [`Solver::solve`](crate::Solver::solve) with the goal of the shortest mate, and the number of
    /// nodes of the whole report.
    pub outcome: Outcome,
    /// The main line: the author's, continued to the mate if it stops early, or else the determined line. Empty if there is neither.
    pub line: Vec<Move16>,
    /// The number of its plies that count: useless interpositions and their captures do not.
    pub plies: u16,
    /// Whether the main line ends in a mate.
    pub line_complete: bool,
    /// The attacker's hand at its end, without the pieces of useless interpositions.
    pub left: Hand,
    /// The findings, by ply.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Adds notes about variations.
    pub fn add(&mut self, findings: Vec<Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by_key(|finding| (finding.ply, finding.kind, finding.mv));
    }

    /// The exact length Λ of the problem, if it was found.
    pub fn length(&self) -> Option<u16> {
        self.outcome.verdict.exact_length()
    }
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
