//! The moves beside the main line: other checks that mate, other replies that last as long.

use alloc::vec::Vec;

use komabako_board::{BaseKind, File, Rank, Square, color};
use komabako_rules::{Move16, MoveList};

use super::main_line::Node;
use super::{Checker, DualClass, FindingKind};
use crate::line::Ranking;
use crate::outcome::{Convention, Reason};
use crate::runner::MateLine;
use crate::search::TsumeState;

/// A question about moves beside the main line.
#[derive(Clone, Copy)]
pub(super) enum SideQuestion {
    /// Does another check mate? `own` is the number of plies that the defender lasts after the main line's check, if it is decided.
    Check { index: usize, mv: Move16, own: Result<Option<u16>, Reason> },
    /// Which other replies last as long?
    Replies { index: usize },
}

/// The first look at all questions may take 1/`FIRST_LOOK` of the report's remaining nodes.
const FIRST_LOOK: u64 = 8;

/// A question gets this many times the nodes of one about the last ply, where other mates are no defects.
const WEIGHT: u64 = 16;

impl Checker<'_> {
    /// Answers the questions beside the main line.
    ///
    /// In the order of the plies, a hard check of the first ply would use up the nodes of the whole report, and easy duals
    /// after it would be missed. So every question gets a first look, for which all of them share a part of the remaining
    /// nodes. Then the open questions get equal shares of the rest; nodes that one does not need go to the later ones. With the
    /// results in the table, the second look continues where the first ended.
    pub(super) fn answer_side_questions(&mut self, nodes: &[Node], mut open: Vec<SideQuestion>) {
        let last = nodes.iter().rposition(|node| node.attacks);
        let weight_of = |question: &SideQuestion| if Some(question.index()) == last { 1 } else { WEIGHT };
        let looks: &[u64] = if self.runner.left().is_some() { &[FIRST_LOOK, 1] } else { &[1] };
        for &part in looks {
            let kept = self.runner.left().map_or(0, |left| left - left / part);
            let mut waiting: u64 = open.iter().map(weight_of).sum();
            let mut unanswered = Vec::new();
            for question in open {
                let weight = weight_of(&question);
                let share = self.runner.left().map(|left| left.saturating_sub(kept) * weight / waiting);
                waiting -= weight;
                self.runner.allow(share);
                let before = self.findings.len();
                let answer = match question {
                    SideQuestion::Check { index, mv, own } => {
                        self.check(nodes, index, mv, own, Some(index) == last, part == 1)
                    }
                    SideQuestion::Replies { index } => self.defence(&nodes[index]),
                };
                match answer {
                    Ok(()) => {}
                    Err(reason) if part == 1 => {
                        let mv = match question {
                            SideQuestion::Check { mv, .. } => Some(mv),
                            SideQuestion::Replies { .. } => None,
                        };
                        self.undecided(&nodes[question.index()], mv, reason);
                    }
                    Err(_) => {
                        self.findings.truncate(before);
                        unanswered.push(question);
                    }
                }
            }
            open = unanswered;
        }
    }

    /// Examines another check of a position of the attacker. In the last look it is reported without its length if the length
    /// is not found and its kind does not depend on that.
    fn check(
        &mut self,
        nodes: &[Node],
        index: usize,
        mv: Move16,
        own: Result<Option<u16>, Reason>,
        is_last_ply: bool,
        is_last_look: bool,
    ) -> Result<(), Reason> {
        let node = &nodes[index];
        let mut state = node.state.clone();
        state.do_move(mv);
        let Some(kind) = self.alternative(&state, is_last_ply)? else { return Ok(()) };
        let variant = if kind == FindingKind::Dual { variant(&node.state, node.mv, mv) } else { None };
        let mate = match self.runner.shortest(&state, false, Convention::Tsume) {
            Err(reason) if !is_last_look || variant.is_some() => return Err(reason),
            mate => mate.ok().flatten(),
        };
        if variant.is_some() {
            own?;
        }
        let is_same_length =
            matches!(own, Ok(Some(own)) if mate.as_ref().is_some_and(|mate| mate.length == own));
        let mate = mate.map(|mate| mate.after(mv));
        let (kind, class) = match kind {
            FindingKind::Dual if is_same_length && variant.is_some() => (FindingKind::Unspecified, variant),
            FindingKind::Dual
                if is_same_length && mate.as_ref().is_some_and(|mate| is_reordered(nodes, index, mate)) =>
            {
                (kind, Some(DualClass::Order))
            }
            FindingKind::Dual if node.ply <= 1 => (kind, Some(DualClass::FirstMove)),
            FindingKind::Dual => (kind, Some(DualClass::LaterMove)),
            FindingKind::Rejoin if is_same_length => (kind, Some(DualClass::Order)),
            FindingKind::Rejoin if mate.is_some() && own.is_ok() => (kind, Some(DualClass::Detour)),
            _ => (kind, None),
        };
        self.add_of_class(kind, class, node, Some(mv), mate);
        Ok(())
    }

    /// The kind of a check that is not the main line's, given the state after it.
    fn alternative(&mut self, state: &TsumeState, is_last: bool) -> Result<Option<FindingKind>, Reason> {
        if !self.runner.mates(state, false, false)? {
            return Ok(None);
        }
        if is_last {
            return Ok(Some(FindingKind::LastMove));
        }
        let without = self.runner.mates(state, false, true)?;
        Ok(Some(if without { FindingKind::Dual } else { FindingKind::Rejoin }))
    }

    /// Examines the other replies of the defender that last as long as the main line's or longer.
    fn defence(&mut self, node: &Node) -> Result<(), Reason> {
        let mut state = node.state.clone();
        let Some(longest) = self.runner.length(&state, false, Convention::Tsume)? else { return Ok(()) };
        let undo = state.do_move(node.mv);
        let own = self.runner.length(&state, true, Convention::Tsume)?;
        state.undo_move(undo);
        let own = own.map_or(0, |own| own + 1);
        // Only an author's defence can be shorter than the longest; then the replies in between count as well.
        let replies = if own < longest {
            let mut evasions = MoveList::new();
            state.evasions(&mut evasions);
            let mut replies = evasions.to_vec();
            replies.sort_unstable();
            replies
        } else if own > 0 {
            let ranking = Ranking::Fewest(Convention::Tsume);
            let ranked = self.runner.run(|prover| prover.ranked_replies(&mut state, longest, ranking))?;
            ranked.into_iter().map(|(mv, _)| mv).collect()
        } else {
            Vec::new()
        };
        for mv in replies.into_iter().filter(|&mv| mv != node.mv) {
            let undo = state.do_move(mv);
            let length = self.runner.length(&state, true, Convention::Tsume);
            state.undo_move(undo);
            let Some(length) = length?.map(|length| length + 1).filter(|&length| length >= own) else {
                continue;
            };
            if own < longest && self.runner.run(|prover| prover.is_useless(&mut state, mv, longest))? {
                continue;
            }
            let undo = state.do_move(mv);
            let mate = self.runner.shortest(&state, true, Convention::Tsume);
            state.undo_move(undo);
            let mate = mate?.map(|mate| mate.after(mv));
            let kind = if own < length { FindingKind::LongerDefence } else { FindingKind::EqualDefence };
            self.add(kind, node, Some(mv), mate);
        }
        Ok(())
    }
}

impl SideQuestion {
    /// The index of its ply.
    fn index(&self) -> usize {
        match *self {
            SideQuestion::Check { index, .. } | SideQuestion::Replies { index } => index,
        }
    }
}

/// Whether the attacker plays the checks of the main line from an index on, in another order.
fn is_reordered(nodes: &[Node], index: usize, mate: &MateLine) -> bool {
    let own = nodes[index..].iter().filter(|node| node.attacks);
    let mut own: Vec<Move16> = own.map(|node| node.mv).collect();
    let mut other: Vec<Move16> = mate.line.iter().step_by(2).copied().collect();
    own.sort_unstable();
    other.sort_unstable();
    own == other
}

/// How two checks differ, if it is by promotion alone, or if they are a slider's drops or moves on one line through the king.
pub(super) fn variant(state: &TsumeState, a: Move16, b: Move16) -> Option<DualClass> {
    if a.bits() & 0x7fff == b.bits() & 0x7fff {
        return Some(DualClass::Promotion);
    }
    let piece = |mv: Move16| match (mv.dropped(), mv.from()) {
        (Some(kind), _) => Some((kind, None)),
        (None, Some(from)) => {
            Some((BaseKind::of(state.piece_at(from)?.to_parts().0), Some((from, mv.is_promotion()))))
        }
        _ => None,
    };
    let one = piece(a)?;
    if one != piece(b)? || !matches!(one.0, BaseKind::Lance | BaseKind::Bishop | BaseKind::Rook) {
        return None;
    }
    let king = state.king(color::opponent(state.side_to_move()))?;
    let direction = |to: Square| {
        let files = i32::from(File::of(to).number()) - i32::from(File::of(king).number());
        let ranks = i32::from(Rank::of(to).number()) - i32::from(Rank::of(king).number());
        let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        is_line.then_some((files.signum(), ranks.signum()))
    };
    let is_same = direction(a.to()?)? == direction(b.to()?)?;
    is_same.then_some(DualClass::Distance)
}
