//! The determined line of the specification, §3, and the author's.

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Hand, Rank, square};
use komabako_rules::{Move16, MoveList, MoveSet, Undo};

use crate::outcome::Convention;
use crate::search::Stopped;
use crate::search::TsumeState;
use crate::session::Prover;

/// The order of preference among lines of best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ranking {
    /// Fewest pieces left over, among lines of exact length.
    Fewest(Convention),
    /// No pieces left over, then the shorter line for the attacker and the longer one for the defender.
    Author,
}

/// The end of the best line from a position, and its first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub left: u32,
    pub length: u16,
    pub mv: Option<Move16>,
}

/// A position in the search for the determined line: the moves to compare, and the best ending so far.
struct Fork {
    undo: Option<Undo<u128>>,
    attacks: bool,
    length: u16,
    /// The moves, each with the exact length after it.
    moves: Vec<(Move16, u16)>,
    next: usize,
    best: Option<Ending>,
}

impl Fork {
    /// Whether moves are tested when their turn comes: most often the first one that keeps the length ends the comparison.
    fn is_tested_lazily(&self, ranking: Ranking) -> bool {
        self.attacks || matches!(ranking, Ranking::Fewest(_))
    }
}

impl Prover<'_> {
    /// The best line under a ranking, from a position whose exact length is known.
    pub fn determined_line(
        &mut self,
        root: &TsumeState,
        attacks: bool,
        length: u16,
        ranking: Ranking,
    ) -> Result<(Vec<Move16>, Hand), Stopped> {
        self.rank(root, attacks, length, ranking)?;
        let mut state = root.clone();
        let mut line = Vec::new();
        let mut side = attacks;
        let mut rest = length;
        while rest > 0 {
            let Some(&Ending { mv: Some(mv), .. }) = self.session.endings.get(&(state.key(), ranking)) else {
                break;
            };
            line.push(mv);
            state.do_move(mv);
            side = !side;
            rest = if side && ranking == Ranking::Author {
                self.exact_attack(&state, rest - 1, Convention::Tsume)?
            } else {
                rest - 1
            };
        }
        Ok((line, state.hand(self.attacker)))
    }

    /// Finds the best ending of a position and of all positions visited on the way, depth first.
    fn rank(
        &mut self,
        root: &TsumeState,
        attacks: bool,
        length: u16,
        ranking: Ranking,
    ) -> Result<(), Stopped> {
        let mut state = root.clone();
        let mut forks: Vec<Fork> = Vec::new();
        let mut ended = self.enter(&mut state, None, attacks, length, ranking, &mut forks)?;
        loop {
            // `ended` is the ending of the position after the fork's last move, which has been taken back already.
            if let Some(ending) = ended.take() {
                let Some(fork) = forks.last_mut() else { return Ok(()) };
                let (mv, _) = fork.moves[fork.next - 1];
                let ending = Ending { length: ending.length + 1, mv: Some(mv), ..ending };
                if fork.best.is_none_or(|best| ranking.prefers(fork.attacks, &ending, &best)) {
                    fork.best = Some(ending);
                }
            }
            let Some(fork) = forks.last_mut() else { return Ok(()) };
            let settled =
                matches!(ranking, Ranking::Fewest(_)) && fork.best.is_some_and(|best| best.left == 0);
            if settled || fork.next == fork.moves.len() {
                let Some(fork) = forks.pop() else { return Ok(()) };
                let Some(best) = fork.best else { return Ok(()) };
                self.session.endings.insert((state.key(), ranking), best);
                if let Some(undo) = fork.undo {
                    state.undo_move(undo);
                }
                ended = Some(best);
                continue;
            }
            let place = fork.next;
            fork.next += 1;
            if fork.is_tested_lazily(ranking) {
                if matches!(ranking, Ranking::Fewest(_))
                    && fork.best.is_some_and(|best| self.least_left(&state, fork, place) >= best.left)
                {
                    continue;
                }
                if !self.keeps_length(&mut state, fork, place, ranking)? {
                    continue;
                }
                if let Some(promotion) = promotion_of(&state, &fork.moves, place)
                    && self.keeps_length(&mut state, fork, promotion, ranking)?
                {
                    fork.moves[place] = fork.moves.remove(promotion);
                }
            }
            let (mv, length) = fork.moves[place];
            let side = fork.attacks;
            let undo = state.do_move(mv);
            ended = self.enter(&mut state, Some(undo), !side, length, ranking, &mut forks)?;
        }
    }

    /// The least number of pieces that a line beginning with a move can leave over: each of the attacker's later moves drops one at most.
    fn least_left(&self, state: &TsumeState, fork: &Fork, place: usize) -> u32 {
        let mv = fork.moves[place].0;
        let hand = if fork.attacks { state.hand_after(mv) } else { state.hand(self.attacker) };
        hand.len().saturating_sub(u32::from(fork.length / 2))
    }

    /// Whether a check mates within the length of the fork, or a reply lasts as long.
    fn keeps_length(
        &mut self,
        state: &mut TsumeState,
        fork: &Fork,
        place: usize,
        ranking: Ranking,
    ) -> Result<bool, Stopped> {
        let mv = fork.moves[place].0;
        if fork.attacks {
            return self.check_mates(state, mv, ranking.convention(), fork.length);
        }
        Ok(self.rest_after(state, mv, fork.length, ranking)? > 0)
    }

    /// Whether a check mates within a bound, its own ply counted.
    fn check_mates(
        &mut self,
        state: &mut TsumeState,
        check: Move16,
        convention: Convention,
        bound: u16,
    ) -> Result<bool, Stopped> {
        let undo = state.do_move(check);
        let mates = self.mates(state, false, convention.into(), bound - 1);
        state.undo_move(undo);
        mates
    }

    /// Enters a position. If its ending is known, takes the move back and returns the ending; otherwise pushes a fork.
    fn enter(
        &mut self,
        state: &mut TsumeState,
        undo: Option<Undo<u128>>,
        attacks: bool,
        length: u16,
        ranking: Ranking,
        forks: &mut Vec<Fork>,
    ) -> Result<Option<Ending>, Stopped> {
        let ending = if length == 0 {
            let held = state.hand(self.attacker).len();
            let left = if ranking == Ranking::Author { held.min(1) } else { held };
            Some(Ending { left, length: 0, mv: None })
        } else {
            self.session.endings.get(&(state.key(), ranking)).copied()
        };
        if ending.is_none() {
            let mut fork = Fork { undo, attacks, length, moves: Vec::new(), next: 0, best: None };
            if fork.is_tested_lazily(ranking) {
                let mut list = MoveList::new();
                state.generate(if attacks { MoveSet::Checks } else { MoveSet::Legal }, &mut list);
                let mut moves = list.to_vec();
                moves.sort_unstable();
                fork.moves = moves.into_iter().map(|mv| (mv, length - 1)).collect();
            } else {
                fork.moves = self.ranked_replies(state, length, ranking)?;
                for place in 0..fork.moves.len() {
                    if let Some(promotion) = promotion_of(state, &fork.moves, place) {
                        fork.moves[place] = fork.moves.remove(promotion);
                    }
                }
            }
            forks.push(fork);
        } else if let Some(undo) = undo {
            state.undo_move(undo);
        }
        Ok(ending)
    }

    /// The defender's replies that a ranking compares, each with the exact length after it.
    pub fn ranked_replies(
        &mut self,
        state: &mut TsumeState,
        length: u16,
        ranking: Ranking,
    ) -> Result<Vec<(Move16, u16)>, Stopped> {
        let mut list = MoveList::new();
        state.evasions(&mut list);
        let mut replies: Vec<Move16> = list.to_vec();
        replies.sort_unstable();
        let mut ranked = Vec::new();
        for mv in replies {
            let rest = self.rest_after(state, mv, length, ranking)?;
            if rest > 0 {
                ranked.push((mv, rest));
            }
        }
        Ok(ranked)
    }

    /// The length after a reply, as far as the ranking compares it: 0 if it does not count, or is too short.
    fn rest_after(
        &mut self,
        state: &mut TsumeState,
        mv: Move16,
        length: u16,
        ranking: Ranking,
    ) -> Result<u16, Stopped> {
        let convention = ranking.convention();
        let undo = state.do_move(mv);
        let rest = match ranking {
            Ranking::Author => self.exact_attack(state, length - 1, convention),
            // Only whether the reply lasts the full length matters here.
            Ranking::Fewest(_) if length < 3 => Ok(length - 1),
            Ranking::Fewest(_) => self
                .mates(state, true, convention.into(), length - 3)
                .map(|mates| if mates { 0 } else { length - 1 }),
        };
        state.undo_move(undo);
        let rest = rest?;
        let may_be_useless = rest > 0 && convention == Convention::Tsume && mv.is_drop();
        if may_be_useless && self.is_useless(state, mv, length)? { Ok(0) } else { Ok(rest) }
    }

    /// The exact length of an attack that is known to mate within a bound.
    pub fn exact_attack(
        &mut self,
        state: &TsumeState,
        bound: u16,
        convention: Convention,
    ) -> Result<u16, Stopped> {
        let mut length = 1;
        while length < bound && !self.mates(state, true, convention.into(), length)? {
            length += 2;
        }
        Ok(length.min(bound))
    }
}

/// The place of the promotion that replaces a move without it in a list of moves and lengths: of the same length, and of a piece
/// that loses nothing by promoting, except where a drop-pawn mate is to be avoided.
///
/// The order by bits would prefer the move without it, and authors read a needless 不成 as an error.
pub(crate) fn promotion_of(state: &TsumeState, moves: &[(Move16, u16)], place: usize) -> Option<usize> {
    let &(mv, length) = moves.get(place)?;
    if mv.is_promotion() {
        return None;
    }
    let from = mv.from()?;
    let to = mv.to()?;
    let (kind, side) = state.piece_at(from)?.to_parts();
    let to_from_own_side = if side == Color::Black { to } else { square::rotate(to) };
    let loses_nothing = match BaseKind::of(kind) {
        BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook => true,
        BaseKind::Lance => Rank::of(to_from_own_side).number() == 2,
        _ => false,
    };
    if !loses_nothing {
        return None;
    }
    moves.iter().position(|&other| other == (Move16::board(from, to, true), length))
}

impl Ranking {
    fn convention(self) -> Convention {
        match self {
            Ranking::Fewest(convention) => convention,
            Ranking::Author => Convention::Tsume,
        }
    }

    fn prefers(self, attacks: bool, new: &Ending, old: &Ending) -> bool {
        match self {
            Ranking::Fewest(_) => new.left < old.left,
            Ranking::Author if new.left != old.left => new.left < old.left,
            Ranking::Author if attacks => new.length < old.length,
            Ranking::Author => new.length > old.length,
        }
    }
}
