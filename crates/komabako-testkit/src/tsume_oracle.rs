//! Exact lengths of mates in both conventions, found in the slow and obvious way: by the definitions of
//! `crates/komabako-tsume/spec/tsume.md`, §3, with a memo as the only optimisation.
//!
//! Moves come from a [`Rules`], so that tests may choose: [`Reference`] shares no code with `komabako-rules`, and a
//! test of the solver over many positions plugs in the fast generator.

use std::collections::HashMap;

use komabako_board::{BaseKind, Color, File, Move, Rank, Setup, Square, color};

use crate::reference_moves;

/// A legal move and its result.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub after: Setup,
    /// Whether the side to move after it is in check.
    pub check: bool,
}

/// Lists legal moves.
pub trait Rules {
    /// The legal moves of a setup, in any order.
    fn steps(&self, setup: &Setup) -> Vec<Step>;
}

/// The rules of [`reference_moves`].
#[derive(Debug)]
pub struct Reference;

impl Rules for Reference {
    fn steps(&self, setup: &Setup) -> Vec<Step> {
        let step = |mv| {
            let after = reference_moves::after(setup, mv);
            Step { mv, after, check: reference_moves::is_in_check(&after, after.side_to_move()) }
        };
        reference_moves::legal_moves(setup).into_iter().map(step).collect()
    }
}

/// The bits of a move as in `Move16`; they break ties.
pub fn move_bits(mv: Move) -> u16 {
    match mv {
        Move::Normal { from, to, promote } => {
            to.array_index() as u16 | (from.array_index() as u16) << 7 | u16::from(promote) << 15
        }
        Move::Drop { piece, to } => {
            let kind = BaseKind::of(piece.to_parts().0);
            0x4000 | u16::from(kind.yaneuraou_number()) << 7 | to.array_index() as u16
        }
    }
}

/// The error of a search that needs more positions than it was allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitReached;

type Answer<T> = Result<T, LimitReached>;

/// Knowledge about a position: the exact length, or a length that the mate exceeds.
#[derive(Clone, Copy, Debug)]
enum Known {
    Exactly(u16),
    LongerThan(u16),
}

/// Finds exact lengths.
#[derive(Debug)]
pub struct Oracle<R> {
    rules: R,
    /// Whether useless drop interpositions do not count.
    tsume: bool,
    attacker: Color,
    known: HashMap<Setup, Known>,
    best_left: HashMap<Setup, Ending>,
    best_author: HashMap<Setup, Ending>,
    /// The defender's positions under examination, each with its bound.
    chain: Vec<(Setup, u16)>,
    /// The least place in the chain that a result depends on.
    leans_on: usize,
    nodes_left: u64,
}

/// The pieces left over, the length and the first move of a line; moves are compared by their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ending {
    left: u32,
    length: u16,
    mv: Option<Move>,
}

impl<R: Rules> Oracle<R> {
    /// An oracle for problems in which `attacker` gives check; it examines at most `nodes` positions.
    pub fn new(rules: R, attacker: Color, tsume: bool, nodes: u64) -> Self {
        let (known, best_left, best_author, chain) = Default::default();
        let leans_on = usize::MAX;
        Self { rules, tsume, attacker, known, best_left, best_author, chain, leans_on, nodes_left: nodes }
    }

    fn steps(&mut self, setup: &Setup) -> Answer<Vec<Step>> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(LimitReached)?;
        let mut steps = self.rules.steps(setup);
        steps.sort_by_key(|step| move_bits(step.mv));
        Ok(steps)
    }

    fn checks(&mut self, setup: &Setup) -> Answer<Vec<Step>> {
        Ok(self.steps(setup)?.into_iter().filter(|step| step.check).collect())
    }

    /// The length of the mate, if it is at most `max`; the attacker is to move.
    ///
    /// # Errors
    /// [`LimitReached`].
    pub fn attack(&mut self, setup: &Setup, max: u16) -> Answer<Option<u16>> {
        let mut start = 1;
        match self.known.get(setup) {
            Some(&Known::Exactly(length)) => return Ok((length <= max).then_some(length)),
            Some(&Known::LongerThan(excluded)) if excluded >= max => return Ok(None),
            Some(&Known::LongerThan(excluded)) => start = excluded + 1 + excluded % 2,
            None => {}
        }
        let checks = if start <= max { self.checks(setup)? } else { Vec::new() };
        for length in (start..=max).step_by(2) {
            for check in &checks {
                if self.defend(&check.after, length - 1)?.is_some() {
                    self.known.insert(*setup, Known::Exactly(length));
                    return Ok(Some(length));
                }
            }
        }
        self.known.insert(*setup, Known::LongerThan(max));
        Ok(None)
    }

    /// The length of the longest counted defence, if it is at most `max`; the defender is to move, in check.
    ///
    /// # Errors
    /// [`LimitReached`].
    pub fn defend(&mut self, setup: &Setup, max: u16) -> Answer<Option<u16>> {
        match self.known.get(setup) {
            Some(&Known::Exactly(length)) => return Ok((length <= max).then_some(length)),
            Some(&Known::LongerThan(excluded)) if excluded >= max => return Ok(None),
            _ => {}
        }
        // A drop whose uselessness would depend on itself is not useless. Results that depend on this are not memoised.
        if let Some(place) = self.chain.iter().position(|&link| link == (*setup, max)) {
            self.leans_on = self.leans_on.min(place);
            return Ok(None);
        }
        let place = self.chain.len();
        self.chain.push((*setup, max));
        let counted = self.counted(setup, max);
        self.chain.truncate(place);
        let length = counted?.map(|defences| defences.iter().map(|&(_, length)| length).max().unwrap_or(0));
        if self.leans_on >= place {
            self.leans_on = usize::MAX;
            self.known.insert(*setup, length.map_or(Known::LongerThan(max), Known::Exactly));
        }
        Ok(length)
    }

    /// The defences that count, each with its length; `None` if one of them lasts longer than `max`.
    fn counted(&mut self, setup: &Setup, max: u16) -> Answer<Option<Vec<(Step, u16)>>> {
        let steps = self.steps(setup)?;
        let king = setup.king(setup.side_to_move()).expect("a king is in check");
        let mut counted: Vec<(Step, u16)> = Vec::new();
        let mut longest = 0;
        // Moves on the board have distance 0, drops the distance of their square from the king.
        let mut by_distance: Vec<_> =
            steps.into_iter().map(|step| (drop_distance(step.mv, king), step)).collect();
        by_distance.sort_by_key(|&(distance, step)| (distance, move_bits(step.mv)));
        for group in by_distance.chunk_by(|a, b| a.0 == b.0) {
            let base = longest;
            for &(distance, step) in group {
                if self.tsume && distance > 0 && self.is_useless(&step, base)? {
                    continue;
                }
                let Some(rest) = max.checked_sub(1) else { return Ok(None) };
                let Some(length) = self.attack(&step.after, rest)? else { return Ok(None) };
                longest = longest.max(length + 1);
                counted.push((step, length + 1));
            }
        }
        Ok(Some(counted))
    }

    /// Whether the attacker can capture the dropped piece with check and mate no later than without the drop, even if the
    /// defender gets the piece back.
    fn is_useless(&mut self, drop: &Step, base: u16) -> Answer<bool> {
        let Move::Drop { piece, to } = drop.mv else { return Ok(false) };
        let kind = BaseKind::of(piece.to_parts().0);
        for check in self.checks(&drop.after)? {
            if matches!(check.mv, Move::Normal { to: target, .. } if target == to) {
                let mut returned = check.after;
                for (side, change) in [(self.attacker, -1), (color::opponent(self.attacker), 1)] {
                    let count = returned.hand(side).count(kind).checked_add_signed(change);
                    returned.set_hand_count(side, kind, count.expect("it was captured")).expect("it exists");
                }
                if self.defend(&returned, base)?.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The determined line of a mate of this length, and the number of pieces it leaves over.
    ///
    /// # Errors
    /// [`LimitReached`].
    pub fn line(&mut self, setup: &Setup, length: u16) -> Answer<(Vec<Move>, u32)> {
        let left = self.left(setup, length)?.left;
        let mut line = Vec::new();
        let mut now = *setup;
        let mut rest = length;
        while let Some(mv) = self.left(&now, rest)?.mv {
            line.push(mv);
            now = reference_moves::after(&now, mv);
            rest -= 1;
        }
        Ok((line, left))
    }

    /// The move, among the best moves of either side, after which the fewest pieces are left.
    fn left(&mut self, setup: &Setup, length: u16) -> Answer<Ending> {
        let ended = Ending { left: setup.hand(self.attacker).len(), length: 0, mv: None };
        if length == 0 {
            return Ok(ended);
        }
        if let Some(&ending) = self.best_left.get(setup) {
            return Ok(ending);
        }
        let mut best: Option<Ending> = None;
        for (step, _) in self.best_steps(setup, length)? {
            let left = self.left(&step.after, length - 1)?.left;
            if best.is_none_or(|best| left < best.left) {
                best = Some(Ending { left, length, mv: Some(step.mv) });
            }
        }
        let best = best.expect("the length is exact");
        self.best_left.insert(*setup, best);
        Ok(best)
    }

    /// The checks or counted defences of best length, see [`candidates`](Self::candidates).
    fn best_steps(&mut self, setup: &Setup, length: u16) -> Answer<Vec<(Step, u16)>> {
        let mut best = self.candidates(setup, length)?;
        best.retain(|&(_, own)| own == length);
        Ok(best)
    }

    /// The checks of best length or all counted defences, each with its length, ordered by their bits. A promotion replaces the
    /// move without it if that needs as many plies and the piece loses nothing by promoting.
    fn candidates(&mut self, setup: &Setup, length: u16) -> Answer<Vec<(Step, u16)>> {
        let mut steps = Vec::new();
        if setup.side_to_move() == self.attacker {
            for check in self.checks(setup)? {
                if self.defend(&check.after, length - 1)?.is_some() {
                    steps.push((check, length));
                }
            }
        } else {
            steps = self.counted(setup, length)?.expect("the length is exact");
            steps.sort_by_key(|(step, _)| move_bits(step.mv));
        }
        for place in 0..steps.len() {
            let Some(&(step, length)) = steps.get(place) else { break };
            let Some(promotion) = better_promotion(setup, step.mv) else { continue };
            let is_it = |&(other, own): &(Step, u16)| other.mv == promotion && own == length;
            if let Some(other) = steps.iter().position(is_it) {
                steps[place] = steps.remove(other);
            }
        }
        Ok(steps)
    }

    /// The author's line of a mate of this length, and whether it leaves pieces over.
    ///
    /// # Panics
    /// If the setup has no mate of this length.
    ///
    /// # Errors
    /// [`LimitReached`].
    pub fn author_line(&mut self, setup: &Setup, length: u16) -> Answer<(Vec<Move>, bool)> {
        let mut line = Vec::new();
        let mut now = *setup;
        let mut rest = length;
        let leaves = self.author(setup, length)?.left > 0;
        while let Some(mv) = self.author(&now, rest)?.mv {
            line.push(mv);
            now = reference_moves::after(&now, mv);
            rest = if now.side_to_move() == self.attacker {
                self.attack(&now, length)?.expect("a counted defence loses")
            } else {
                rest - 1
            };
        }
        Ok((line, leaves))
    }

    /// The author's choice: first a line that leaves no pieces, then the shorter (attacker) or the longer line (defender).
    fn author(&mut self, setup: &Setup, length: u16) -> Answer<Ending> {
        if length == 0 {
            let left = setup.hand(self.attacker).len().min(1);
            return Ok(Ending { left, length: 0, mv: None });
        }
        if let Some(&ending) = self.best_author.get(setup) {
            return Ok(ending);
        }
        let attacks = setup.side_to_move() == self.attacker;
        let mut best: Option<Ending> = None;
        for (step, length) in self.candidates(setup, length)? {
            let rest = self.author(&step.after, length - 1)?;
            let ending = Ending { left: rest.left, length: rest.length + 1, mv: Some(step.mv) };
            let is_better = best.is_none_or(|best| {
                let new = i32::from(ending.length);
                let old = i32::from(best.length);
                (ending.left, if attacks { new } else { -new })
                    < (best.left, if attacks { old } else { -old })
            });
            if is_better {
                best = Some(ending);
            }
        }
        let best = best.expect("the length is exact");
        self.best_author.insert(*setup, best);
        Ok(best)
    }
}

/// The promotion of a move without it by which the piece loses nothing but drop-pawn mates to avoid.
fn better_promotion(setup: &Setup, mv: Move) -> Option<Move> {
    let Move::Normal { from, to, promote: false } = mv else { return None };
    let (kind, side) = setup.piece_at(from)?.to_parts();
    let rank = Rank::of(to).number();
    let is_second = rank == if side == Color::Black { 2 } else { 8 };
    let is_better = match BaseKind::of(kind) {
        BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook => true,
        BaseKind::Lance => is_second,
        _ => false,
    };
    is_better.then_some(Move::Normal { from, to, promote: true })
}

/// The distance of a drop from the king; 0 for moves on the board.
fn drop_distance(mv: Move, king: Square) -> u8 {
    let Move::Drop { to, .. } = mv else { return 0 };
    let files = File::of(to).number().abs_diff(File::of(king).number());
    files.max(Rank::of(to).number().abs_diff(Rank::of(king).number()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_the_specification() {
        for (sfen, strict, tsume) in [
            ("8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1", 3, 1),
            ("1k1p4R/2R6/2+n6/9/9/9/8+N/9/9 b 2B2S4g2s2n4l17p 1", 3, 1),
        ] {
            let setup = komabako_board::sfen::parse(sfen).unwrap().setup;
            for (tsume, length) in [(false, strict), (true, tsume)] {
                let mut oracle = Oracle::new(Reference, Color::Black, tsume, 10_000);
                assert_eq!(oracle.attack(&setup, 5), Ok(Some(length)), "{sfen} tsume {tsume}");
            }
        }
    }
}
