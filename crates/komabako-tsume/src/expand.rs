//! Children: the results for the positions after each move, and the result they imply for their parent.

use komabako_board::{BaseKind, Hand};
use komabako_rules::{Move16, MoveSet};

use crate::guide::{first_number, guide};
use crate::hands::{all_of_held_kinds, before_check, before_reply, keep_from_defender};
use crate::node::{Child, Found, Frame, Interposition, NO_CHILD, NO_REPETITION};
use crate::outcome::Convention;
use crate::search::{Search, above, below, board_position_key, distance_to_king, path_after};
use crate::shared::Shared;
use crate::table::{INFINITE, Known, Query, Record, UNBOUNDED};

impl Found {
    pub(crate) fn mate(hand: Hand, length: u16, strict: bool) -> Self {
        Self { pn: 0, dn: INFINITE, hand, length, repetition: NO_REPETITION, strict }
    }

    fn no_mate(hand: Hand, length: u16, repetition: u32) -> Self {
        Self { pn: INFINITE, dn: 0, hand, length, repetition, strict: true }
    }

    /// The result from the table, if it settles the position.
    pub(crate) fn settled(known: Known) -> Option<Self> {
        match known {
            Known::Mate { hand, length, strict } => Some(Self::mate(hand, length, strict)),
            Known::NoMate { hand, excluded } => Some(Self::no_mate(hand, excluded, NO_REPETITION)),
            Known::Open { .. } | Known::Nothing => None,
        }
    }
}

impl Search {
    /// Appends the children of a frame, up to the first move that settles it. The state must be the frame's position.
    pub(crate) fn expand(&mut self, shared: &Shared, frame: &Frame) {
        if frame.attacks {
            self.state.generate(MoveSet::Checks, &mut self.list);
        } else {
            self.state.evasions(&mut self.list);
            if frame.drops_below > 0 {
                let state = &self.state;
                self.list.retain(|mv| !mv.is_drop() || distance_to_king(state, mv) < frame.drops_below);
            }
        }
        let start = self.children.len();
        self.list_children(shared, frame.attacks);
        let mut has_old = false;
        let mut has_promotions = false;
        let mut drop_open = false;
        for index in start..self.children.len() {
            let mut child = self.children[index];
            self.evaluate(shared, frame, &mut child, drop_open, &mut has_old);
            drop_open |= child.is_open_drop(frame.attacks);
            has_promotions |= child.mv.is_promotion();
            self.children[index] = child;
            let decides = if frame.attacks {
                child.found.pn == 0
            } else {
                child.found.dn == 0
                    && child.found.repetition == NO_REPETITION
                    && child.drop == Interposition::Counts
            };
            if decides {
                self.children.truncate(index + 1);
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

    /// Delays moves that could promote but do not until their promotions are answered, for the kinds where not promoting
    /// matters only for drop-pawn mates.
    fn delay_non_promotions(&mut self, start: usize) {
        for index in start..self.children.len() {
            let mv = self.children[index].mv;
            if mv.is_promotion() {
                continue;
            }
            let Some(from) = mv.from() else { continue };
            let kind = self.state.piece_at(from).map(|piece| BaseKind::of(piece.to_parts().0));
            if matches!(kind, Some(BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook)) {
                let promotion = Move16::from_bits(mv.bits() | 0x8000);
                let first = self.children[start..].iter().position(|child| child.mv == promotion);
                self.children[index].after = first.map_or(NO_CHILD, |first| first as u32);
            }
        }
    }

    /// Appends a child for each move of the list, with only its key and hand filled in.
    ///
    /// The keys are computed without making the moves (unless positions are forbidden). In a table larger than the caches each
    /// lookup would wait for memory, one after the other; prefetching the slots of all children here overlaps the waits.
    fn list_children(&mut self, shared: &Shared, attacks: bool) {
        let board_key = self.state.board_key();
        let hand = self.state.hand(self.attacker);
        // Indexing, because taking the list out and putting it back would copy its 2 KiB twice, a tenth of the time.
        for index in 0..self.list.len() {
            let mv = self.list[index];
            let key = if self.question.forbidding {
                let undo = self.state.do_move(mv);
                let key = self.frame_key(0);
                self.state.undo_move(undo);
                key
            } else {
                board_position_key(self.state.board_key_after(board_key, mv), self.attacker, 0)
            };
            let hand = if attacks { self.state.hand_after(mv) } else { hand };
            shared.table.prefetch(key);
            let found = Found::open(1, 1, hand);
            let drop = Interposition::Counts;
            self.children.push(Child {
                mv,
                key,
                hand,
                found,
                after: NO_CHILD,
                fresh: false,
                unseen: false,
                drop,
            });
        }
    }

    /// Evaluates a drop whose turn has come.
    pub(crate) fn evaluate_drop(&mut self, shared: &Shared, child: u32) {
        let frame = self.frames[self.frames.len() - 1].clone();
        let index = (frame.children + child) as usize;
        let mut child = self.children[index];
        let mut has_old = false;
        self.evaluate(shared, &frame, &mut child, false, &mut has_old);
        self.children[index] = child;
        if has_old {
            self.note_old_child();
        }
    }

    /// Fills in a child's result from what is known of the position after its move. With `waits`, a drop to a new position is
    /// not evaluated yet.
    fn evaluate(
        &mut self,
        shared: &Shared,
        frame: &Frame,
        child: &mut Child,
        waits: bool,
        has_old: &mut bool,
    ) {
        match self.known(shared, frame, child, has_old) {
            Some(found) => (child.found, child.fresh, child.unseen) = (found, false, false),
            None => {
                child.fresh = true;
                child.unseen = waits && child.mv.is_drop();
                if !child.unseen {
                    child.found = self.evaluate_unseen(shared, frame, child);
                }
            }
        }
        // A drop after which there is no mate at all cannot be useless: capturing a useless drop mates.
        let has_no_mate = child.found.dn == 0 && child.found.length == UNBOUNDED;
        let tsume = self.question.convention == Convention::Tsume;
        let is_untested = tsume && child.mv.is_drop() && !frame.attacks && child.found.pn > 0 && !has_no_mate;
        child.drop = if is_untested { Interposition::Untested } else { Interposition::Counts };
    }

    /// The result for a position that was never seen, from its moves.
    fn evaluate_unseen(&mut self, shared: &Shared, frame: &Frame, child: &Child) -> Found {
        let hand = child.hand;
        let bound = below(frame.bound);
        let undo = self.state.do_move(child.mv);
        let query = Query { key: child.key, hand, convention: self.question.convention, bound };
        let found = if frame.attacks { self.new_defence(hand) } else { self.new_attack(shared, &query) };
        self.state.undo_move(undo);
        found
    }

    /// The known result for the position after a move; `None` if it was never seen.
    pub(crate) fn known(
        &self,
        shared: &Shared,
        frame: &Frame,
        child: &Child,
        has_old: &mut bool,
    ) -> Option<Found> {
        let &Child { mv, key, hand, .. } = child;
        let strict = self.question.convention == Convention::Strict;
        let bound = below(frame.bound);
        if !frame.attacks && frame.bound == 0 {
            return Some(Found::no_mate(hand, 0, NO_REPETITION));
        }
        if frame.attacks && bound == 0 && strict && !self.state.is_mate_after(mv) {
            return Some(Found::no_mate(hand, 0, NO_REPETITION));
        }
        if strict {
            if self.question.forbidding && !frame.attacks && self.forbidden.contains(&key) {
                return Some(Found::no_mate(hand, bound, NO_REPETITION));
            }
            if let Some(depth) = self.index.find(&self.frames, frame, key, hand) {
                return Some(Found::no_mate(hand, bound, depth));
            }
        }
        match shared.table.look_up(&Query { key, hand, convention: self.question.convention, bound }) {
            known @ (Known::Mate { .. } | Known::NoMate { .. }) => Found::settled(known),
            Known::Open { pn, dn, depth, repeats } => {
                if repeats && let Some(depth) = self.paths.get(path_after(frame.path, mv)) {
                    return Some(Found::no_mate(hand, bound, depth));
                }
                *has_old |= u32::from(depth) <= frame.depth;
                Some(Found::open(pn, dn, hand))
            }
            Known::Nothing => None,
        }
    }

    /// The result after a check that leaves no reply.
    fn mated_after(&mut self, check: Move16) -> Found {
        let undo = self.state.do_move(check);
        let found = self.mated();
        self.state.undo_move(undo);
        found
    }

    /// The result for a position whose side to move is mated.
    fn mated(&self) -> Found {
        Found::mate(keep_from_defender(&self.state, Hand::EMPTY), 0, true)
    }

    /// The result for a position of the defender that was never seen.
    fn new_defence(&self, hand: Hand) -> Found {
        let most = guide(self.question.convention).most_replies;
        match self.state.count_legal_moves_up_to(most) {
            0 => self.mated(),
            replies => Found::open(first_number(replies, most), 1, hand),
        }
    }

    /// The result for a position of the attacker that was never seen. Mates in one and positions without a check are settled
    /// at once.
    fn new_attack(&mut self, shared: &Shared, query: &Query) -> Found {
        let mate = self.state.mate_in_one_or_checks(&mut self.checks);
        let count = self.checks.len();
        if let Some(mate) = mate {
            let mated = self.mated_after(mate);
            let hand = before_check(&self.state, mate, mated.hand);
            let record = Record { known: Known::Mate { hand, length: 1, strict: true }, work: 1 };
            shared.store(query, record, &mut self.uncounted);
            return Found::mate(hand, 1, true);
        }
        if count == 0 {
            return Found::no_mate(all_of_held_kinds(&self.state), UNBOUNDED, NO_REPETITION);
        }
        if query.bound == 1 && query.convention == Convention::Strict {
            return Found::no_mate(query.hand, 1, NO_REPETITION);
        }
        Found::open(1, first_number(count, guide(query.convention).most_checks), query.hand)
    }

    /// The result of a frame that its children settle; `by_one` if a single child settles it for the side to move.
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
        let mut hand = all_of_held_kinds(&self.state);
        let mut excluded = UNBOUNDED;
        let mut repetition = NO_REPETITION;
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
        let mut hand = Hand::EMPTY;
        let mut length = 0;
        let mut strict = true;
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
