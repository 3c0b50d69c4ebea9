//! Children: what is known of each position after a move, and what they say about their parent.

use komabako_board::{BaseKind, Hand};
use komabako_rules::{Move16, MoveSet};

use crate::hands::{all_of_held_kinds, before_check, before_reply, keep_from_defender};
use crate::node::{Child, Found, Frame, Interposition, NO_CHILD, NO_REPETITION};
use crate::outcome::Convention;
use crate::search::{Search, above, below, distance_to_king, first_number, path_after};
use crate::table::{BoardKey, INFINITE, Known, Query, Record, UNBOUNDED};

impl Found {
    pub(crate) fn mate(hand: Hand, length: u16, strict: bool) -> Self {
        Self { pn: 0, dn: INFINITE, hand, length, repetition: NO_REPETITION, strict }
    }

    fn no_mate(hand: Hand, length: u16, repetition: u32) -> Self {
        Self { pn: INFINITE, dn: 0, hand, length, repetition, strict: true }
    }
}

impl Search {
    /// Appends the children of a frame whose position the state is in, up to the first move that settles it.
    pub(crate) fn expand(&mut self, frame: &Frame) {
        if frame.attacks {
            self.state.generate(MoveSet::Checks, &mut self.list);
        } else {
            self.state.evasions(&mut self.list);
            if frame.drops_below > 0 {
                let state = &self.state;
                self.list.retain(|mv| !mv.is_drop() || distance_to_king(state, mv) < frame.drops_below);
            }
        }
        let tsume = self.question.convention == Convention::Tsume;
        let start = self.children.len();
        let (mut has_old, mut has_promotions) = (false, false);
        // By index: taking the list out and putting it back would copy its 2 KiB twice, a tenth of the time.
        for place in 0..self.list.len() {
            let mv = self.list[place];
            let mut child = self.child(frame, mv, &mut has_old);
            // A drop without any mate after it is no useless one: taking it would mate.
            let has_no_mate = child.found.dn == 0 && child.found.length == UNBOUNDED;
            if tsume && mv.is_drop() && !frame.attacks && child.found.pn > 0 && !has_no_mate {
                child.drop = Interposition::Untested;
            }
            has_promotions |= mv.is_promotion();
            self.children.push(child);
            let refuted = child.found.dn == 0
                && child.found.repetition == NO_REPETITION
                && child.drop == Interposition::Counts;
            if if frame.attacks { child.found.pn == 0 } else { refuted } {
                break;
            }
        }
        if has_promotions {
            self.delay_non_promotions(start);
        }
        if has_old {
            self.note_old_child();
        }
    }

    /// Makes moves that could promote and do not wait for those that do, where promoting loses nothing but the chance of
    /// a drop-pawn mate.
    fn delay_non_promotions(&mut self, start: usize) {
        for place in start..self.children.len() {
            let mv = self.children[place].mv;
            let Some(from) = mv.from().filter(|_| !mv.is_promotion()) else { continue };
            let kind = self.state.piece_at(from).map(|piece| BaseKind::of(piece.to_parts().0));
            if matches!(kind, Some(BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook)) {
                let promotion = Move16::from_bits(mv.bits() | 0x8000);
                let first = self.children[start..].iter().position(|child| child.mv == promotion);
                self.children[place].after = first.map_or(NO_CHILD, |first| first as u32);
            }
        }
    }

    /// The child after a move.
    fn child(&mut self, frame: &Frame, mv: Move16, has_old: &mut bool) -> Child {
        let undo = self.state.do_move(mv);
        let hand = self.state.hand(self.attacker);
        let key = self.frame_key(0);
        let (found, fresh) = self.look(frame, mv, key, hand, has_old);
        self.state.undo_move(undo);
        Child { mv, key, hand, found, after: NO_CHILD, fresh, drop: Interposition::Counts }
    }

    /// What is known of the position after a move, which is made, and whether it is new.
    fn look(
        &mut self,
        frame: &Frame,
        mv: Move16,
        key: BoardKey,
        hand: Hand,
        has_old: &mut bool,
    ) -> (Found, bool) {
        let strict = self.question.convention == Convention::Strict;
        let bound = below(frame.bound);
        if !frame.attacks && frame.bound == 0 {
            return (Found::no_mate(hand, 0, NO_REPETITION), false);
        }
        if frame.attacks && bound == 0 && strict {
            let escapes = self.state.has_legal_move();
            let mated = || Found::mate(keep_from_defender(&self.state, Hand::EMPTY), 0, true);
            return (if escapes { Found::no_mate(hand, 0, NO_REPETITION) } else { mated() }, false);
        }
        if strict {
            if self.question.forbidding && !frame.attacks && self.forbidden.contains(&key) {
                return (Found::no_mate(hand, bound, NO_REPETITION), false);
            }
            if let Some(depth) = self.index.find(&self.frames, frame, key, hand) {
                return (Found::no_mate(hand, bound, depth), false);
            }
        }
        let query = Query { key, hand, convention: self.question.convention, bound };
        match self.table.look_up(&query) {
            Known::Mate { hand, length, strict } => (Found::mate(hand, length, strict), false),
            Known::NoMate { hand, excluded } => (Found::no_mate(hand, excluded, NO_REPETITION), false),
            Known::Open { pn, dn, depth, repeats } => {
                if repeats && let Some(depth) = self.paths.get(path_after(frame.path, mv)) {
                    return (Found::no_mate(hand, bound, depth), false);
                }
                *has_old |= u32::from(depth) <= frame.depth;
                (Found::open(pn, dn, hand), false)
            }
            Known::Nothing if frame.attacks => (self.new_defence(hand), true),
            Known::Nothing => (self.new_attack(&query), true),
        }
    }

    /// A position of the defender that was never seen.
    fn new_defence(&self, hand: Hand) -> Found {
        match self.state.count_legal_moves() {
            0 => Found::mate(keep_from_defender(&self.state, Hand::EMPTY), 0, true),
            replies => Found::open(first_number(replies, 4), 1, hand),
        }
    }

    /// A position of the attacker that was never seen: mates in one and positions without a check end here.
    fn new_attack(&mut self, query: &Query) -> Found {
        let mate = self.state.mate_in_one_or_checks(&mut self.checks);
        let count = self.checks.len();
        if let Some(mate) = mate {
            let undo = self.state.do_move(mate);
            let mated = keep_from_defender(&self.state, Hand::EMPTY);
            self.state.undo_move(undo);
            let hand = before_check(&self.state, mate, mated);
            self.table.store(query, Record { known: Known::Mate { hand, length: 1, strict: true }, work: 1 });
            return Found::mate(hand, 1, true);
        }
        if count == 0 {
            return Found::no_mate(all_of_held_kinds(&self.state), UNBOUNDED, NO_REPETITION);
        }
        if query.bound == 1 && query.convention == Convention::Strict {
            return Found::no_mate(query.hand, 1, NO_REPETITION);
        }
        Found::open(1, first_number(count, 8), query.hand)
    }

    /// The result of a frame whose children settle it; `by_one` if a single child of the side to move does.
    pub(crate) fn conclude(&self, frame: usize, by_one: bool) -> Found {
        match (self.frames[frame].attacks, by_one) {
            (true, true) => self.proven_attack(frame),
            (true, false) => self.refuted_attack(frame),
            (false, true) => self.refuted_defence(frame),
            (false, false) => self.proven_defence(frame),
        }
    }

    fn proven_attack(&self, frame: usize) -> Found {
        let mates = self.children_of(frame).iter().filter(|child| child.found.pn == 0);
        let Some(child) = mates.min_by_key(|child| child.found.length) else { unreachable!("a check mates") };
        let strict = child.found.strict;
        let hand = before_check(&self.state, child.mv, child.found.hand);
        let hand = if strict { hand } else { self.frames[frame].hand };
        Found::mate(hand, above(child.found.length), strict)
    }

    fn refuted_attack(&self, frame: usize) -> Found {
        let own = self.frames[frame].hand;
        let (mut hand, mut excluded, mut repetition) =
            (all_of_held_kinds(&self.state), UNBOUNDED, NO_REPETITION);
        for child in self.children_of(frame) {
            hand = hand.kindwise_min(before_check(&self.state, child.mv, child.found.hand));
            excluded = excluded.min(above(child.found.length));
            repetition = repetition.min(child.found.repetition);
        }
        let hand = if repetition == NO_REPETITION { hand.kindwise_max(own) } else { own };
        Found::no_mate(hand, excluded, repetition)
    }

    fn refuted_defence(&self, frame: usize) -> Found {
        let own = self.frames[frame].hand;
        let refutes = |child: &&Child| child.found.dn == 0 && child.drop == Interposition::Counts;
        let replies = self.children_of(frame).iter().filter(refutes);
        let best = replies.max_by_key(|child| (child.found.repetition, child.found.length));
        let Some(child) = best else { unreachable!("a reply refutes") };
        let repetition = child.found.repetition.min(self.frames[frame].leans_on);
        let hand = before_reply(&self.state, child.mv, child.found.hand);
        let hand = if repetition == NO_REPETITION { hand.kindwise_max(own) } else { own };
        Found::no_mate(hand, above(child.found.length), repetition)
    }

    fn proven_defence(&self, frame: usize) -> Found {
        let (mut hand, mut length, mut strict) = (Hand::EMPTY, 0, true);
        for child in self.children_of(frame) {
            strict &= child.found.strict;
            if child.drop == Interposition::Counts {
                hand = hand.kindwise_max(child.found.hand);
                length = length.max(above(child.found.length));
            }
        }
        let hand = if strict { keep_from_defender(&self.state, hand) } else { self.frames[frame].hand };
        Found::mate(hand, length, strict)
    }
}
