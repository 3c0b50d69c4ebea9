//! Steps 1 to 3 of the search: the children of a node, and what is known of each before it is searched.

use komabako_board::{BaseKind, Hand, Square, color};
use komabako_rules::{Move16, MoveSet};

use super::Search;
use super::guide::{first_number, guide};
use super::hands::{all_of_held_kinds, all_pieces, before_check, keep_from_defender};
use super::node::{Child, Found, Frame, Interposition, NO_CHILD, NO_REPETITION, above, below};
use super::position::{after_drop, board_position_key, distance_to_king};
use super::repetition::path_after_child;
use crate::counting::Counting;
use crate::shared::Shared;
use crate::table::{Known, NewEntry, Query, UNBOUNDED};

/// The bit of a [`Move16`] that says that the piece promotes.
const PROMOTION: u16 = 0x8000;

impl Search {
    /// Appends the children of a frame, up to the first move that settles it. The state must be the frame's position.
    ///
    /// Step 2 lists the moves; then for each child step 1 looks it up, step 3 compares it with the path, and a child never seen
    /// gets its first numbers. The paper does this for a child when it is searched. Done for all of them here, most nodes are
    /// settled without a search of their own, and the waits for memory overlap.
    pub(super) fn expand(&mut self, shared: &Shared, frame: &Frame) {
        if frame.attacks {
            self.state.generate(MoveSet::Checks, &mut self.list);
        } else {
            self.state.evasions(&mut self.list);
            if frame.drops_below > 0 {
                let state = &self.state;
                self.list.retain(|mv| !mv.is_drop() || distance_to_king(state, mv) < frame.drops_below);
            }
        }
        let start = self.path.child_count();
        if frame.has_checks() {
            self.list_children(shared, frame);
        }
        if let Some(square) = frame.dropped {
            self.list_free_captures(shared, square);
        }
        let mut has_old = false;
        let mut has_promotions = false;
        let mut drop_open = false;
        for place in start..self.path.child_count() {
            let mut child = *self.path.child(place);
            self.evaluate(shared, frame, &mut child, drop_open, &mut has_old);
            drop_open |= child.is_open_drop(frame.attacks);
            has_promotions |= child.mv.is_promotion();
            *self.path.child_mut(place) = child;
            if child.decides(frame.attacks) {
                self.path.truncate_children(place + 1);
                break;
            }
        }
        if has_promotions {
            self.delay_non_promotions(start);
        }
        self.old += u32::from(has_old);
    }

    /// Delays moves that could promote but do not until their promotions are answered, for the kinds where not promoting
    /// matters only for drop-pawn mates.
    fn delay_non_promotions(&mut self, start: usize) {
        for place in start..self.path.child_count() {
            let &Child { mv, returned, .. } = self.path.child(place);
            if mv.is_promotion() {
                continue;
            }
            let Some(from) = mv.from() else { continue };
            let kind = self.state.piece_at(from).map(|piece| BaseKind::of(piece.to_parts().0));
            if matches!(kind, Some(BaseKind::Pawn | BaseKind::Bishop | BaseKind::Rook)) {
                let promotion = Move16::from_bits(mv.bits() | PROMOTION);
                let children = self.path.children_from(start);
                let first =
                    children.iter().position(|child| child.mv == promotion && child.returned == returned);
                self.path.child_mut(place).after = first.map_or(NO_CHILD, |first| first as u32);
            }
        }
    }

    /// Appends a child for each move of the list, with only its key and hand filled in.
    ///
    /// The keys are computed without making the moves (unless positions are forbidden). In a table larger than the caches each
    /// lookup would wait for memory, one after the other; prefetching the slots of all children here overlaps the waits.
    fn list_children(&mut self, shared: &Shared, frame: &Frame) {
        let attacks = frame.attacks;
        let drops_are_free = !attacks && self.question.counting == Counting::Free;
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
            let is_free = drops_are_free && mv.is_drop();
            let key = if is_free { after_drop(key, mv) } else { key };
            let plies = match frame.dropped {
                _ if is_free => 0,
                Some(_) => 2,
                None => 1,
            };
            let hand = if attacks { self.state.hand_after(mv) } else { hand };
            shared.table.prefetch(key);
            let found = Found::open(1, 1, hand);
            self.path.add_child(Child {
                mv,
                key,
                hand,
                found,
                after: NO_CHILD,
                fresh: false,
                unseen: false,
                interposition: Interposition::Counts,
                plies,
                returned: false,
            });
        }
    }

    /// Appends the captures of the piece just dropped, which goes back to the defender.
    fn list_free_captures(&mut self, shared: &Shared, square: Square) {
        let board_key = self.state.board_key();
        let hand = self.state.hand(self.attacker);
        for index in 0..self.list.len() {
            let mv = self.list[index];
            if mv.is_drop() || mv.to() != Some(square) {
                continue;
            }
            let key = board_position_key(self.state.board_key_after(board_key, mv), self.attacker, 0);
            shared.table.prefetch(key);
            self.path.add_child(Child {
                mv,
                key,
                hand,
                found: Found::open(1, 1, hand),
                after: NO_CHILD,
                fresh: false,
                unseen: false,
                interposition: Interposition::Counts,
                plies: 0,
                returned: true,
            });
        }
    }

    /// Evaluates a drop whose turn has come.
    pub(super) fn evaluate_drop(&mut self, shared: &Shared, child: u32) {
        let frame = self.path.top().clone();
        let place = self.path.place(child);
        let mut child = *self.path.child(place);
        let mut has_old = false;
        self.evaluate(shared, &frame, &mut child, false, &mut has_old);
        *self.path.child_mut(place) = child;
        self.old += u32::from(has_old);
    }

    /// Fills in a child's result from what is known of the position after its move. If an earlier drop is open, a drop to a new
    /// position is not evaluated yet.
    fn evaluate(
        &mut self,
        shared: &Shared,
        frame: &Frame,
        child: &mut Child,
        drop_open: bool,
        has_old: &mut bool,
    ) {
        match self.known(shared, frame, child, has_old) {
            Some(found) => {
                child.found = found;
                child.fresh = false;
                child.unseen = false;
            }
            None => {
                child.fresh = true;
                child.unseen = drop_open && child.mv.is_drop();
                if !child.unseen {
                    child.found = self.evaluate_unseen(shared, frame, child);
                }
            }
        }
        // A drop after which there is no mate at all cannot be useless: capturing a useless drop mates.
        let has_no_mate = child.found.dn == 0 && child.found.length == UNBOUNDED;
        let tsume = self.question.counting == Counting::Tsume;
        let is_untested = tsume && child.mv.is_drop() && !frame.attacks && child.found.pn > 0 && !has_no_mate;
        child.interposition = if is_untested { Interposition::Untested } else { Interposition::Counts };
    }

    /// The result for a position that was never seen, from its moves.
    fn evaluate_unseen(&mut self, shared: &Shared, frame: &Frame, child: &Child) -> Found {
        let hand = child.hand;
        let bound = below(frame.bound, child.plies);
        let entered = self.enter(child);
        let found = if frame.attacks {
            self.new_defence(hand, bound)
        } else {
            let query = Query { key: child.key, hand, counting: self.question.counting, bound };
            self.new_attack(shared, &query, child.plies)
        };
        self.go_back(entered);
        found
    }

    /// Steps 1 and 3: the known result for the position after a move; `None` if it was never seen.
    pub(super) fn known(
        &self,
        shared: &Shared,
        frame: &Frame,
        child: &Child,
        has_old: &mut bool,
    ) -> Option<Found> {
        let &Child { mv, key, hand, .. } = child;
        let strict = self.question.counting == Counting::Strict;
        let bound = below(frame.bound, child.plies);
        // With no ply left a reply lasts longer than the bound. (If it is a drop, a test may still find that it does not count.)
        if !frame.attacks && frame.bound == 0 && child.plies > 0 {
            let hand = if mv.is_drop() { hand } else { all_pieces(&self.state) };
            return Some(Found::no_mate(hand, 0, NO_REPETITION));
        }
        // The last check must leave no reply: no move of a piece, whatever the hands are, and no drop that counts.
        if frame.attacks && bound == 0 {
            if self.state.check_without_moves(&[mv]).is_none() {
                let all = hand.saturating_add(self.state.hand(color::opponent(self.attacker)));
                return Some(Found::no_mate(all, 0, NO_REPETITION));
            }
            if strict && !self.state.is_mate_after(mv) {
                return Some(Found::no_mate(hand, 0, NO_REPETITION));
            }
        }
        if strict {
            if self.question.forbidding && !frame.attacks && self.forbidden.contains(&key) {
                return Some(Found::no_mate(hand, bound, NO_REPETITION));
            }
            // Step 3: the position is on the path, and the attacker has gained nothing since.
            if let Some(depth) = self.path.find(key, hand) {
                return Some(Found::no_mate(hand, bound, depth));
            }
        }
        if child.returned
            && let Some(depth) = self.path.find_within(key, hand, bound)
        {
            // A drop whose capture is free only if this one is: it counts.
            return Some(Found::no_mate(hand, bound, depth));
        }
        if child.plies == 0
            && !child.returned
            && let Some(found) = self.known_without_drop(shared, child, bound)
        {
            return Some(found);
        }
        // Step 1.
        match shared.table.look_up(&Query { key, hand, counting: self.question.counting, bound }) {
            known @ (Known::Mate { .. } | Known::NoMate { .. }) => Found::settled(known),
            Known::Open { pn, dn, depth, repeats } => {
                if repeats && let Some(depth) = self.path_results.get(path_after_child(frame.path_key, child))
                {
                    return Some(Found::no_mate(hand, bound, depth));
                }
                *has_old |= u32::from(depth) <= frame.depth;
                Some(Found::open(pn, dn, hand))
            }
            Known::Nothing => None,
        }
    }

    /// What is known of a position after a drop as it is without free captures, which only help the attacker: a mate with the
    /// drop counted, or no mate of any length.
    fn known_without_drop(&self, shared: &Shared, child: &Child, bound: u16) -> Option<Found> {
        let key = after_drop(child.key, child.mv);
        let query = Query { key, hand: child.hand, counting: Counting::Free, bound: bound.checked_sub(1)? };
        match shared.table.look_up(&query) {
            Known::Mate { hand, length, strict } => Some(Found::mate(hand, above(length, 1), strict)),
            known @ Known::NoMate { excluded: UNBOUNDED, .. } => Found::settled(known),
            _ => None,
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

    /// The result for a position of the defender that was never seen. Within two plies it is settled at once if a move of a piece
    /// leads where no check mates: most of the tree below a bound would be such positions.
    fn new_defence(&mut self, hand: Hand, bound: u16) -> Found {
        if bound == 2
            && let Some(hand) = self.disproof_hand_within_two()
        {
            return Found::no_mate(hand, 2, NO_REPETITION);
        }
        let most = guide(bound).most_replies;
        match self.state.count_legal_moves_up_to(most) {
            0 => self.mated(),
            replies => Found::open(first_number(replies, most), 1, hand),
        }
    }

    /// The disproof hand of the first move of a piece, if any, that leaves the attacker no mate in one whatever the hands are.
    fn disproof_hand_within_two(&mut self) -> Option<Hand> {
        self.state.evasions(&mut self.list);
        for index in 0..self.list.len() {
            let mv = self.list[index];
            if mv.is_drop() {
                continue;
            }
            let undo = self.state.do_move(mv);
            let hand = self.disproof_hand_within_one();
            self.state.undo_move(undo);
            if hand.is_some() {
                return hand;
            }
        }
        None
    }

    /// The disproof hand if a move of a piece answers each check, so that none mates whatever the hands are. Lists the checks.
    fn disproof_hand_within_one(&mut self) -> Option<Hand> {
        self.state.generate(MoveSet::Checks, &mut self.checks);
        let check = self.state.check_without_moves(&self.checks);
        if check.is_none() { Some(all_of_held_kinds(&self.state)) } else { None }
    }

    /// The result for a position of the attacker that was never seen. Mates in one and positions without a check are settled
    /// at once.
    ///
    /// `plies`: what the move to it counted. After a drop that counts nothing, a check counts two.
    fn new_attack(&mut self, shared: &Shared, query: &Query, plies: u16) -> Found {
        let is_after_drop = plies == 0;
        let is_last = query.bound == 1 && !is_after_drop;
        if is_last
            && let Some(hand) = self.disproof_hand_within_one()
            && !self.checks.is_empty()
        {
            return Found::no_mate(hand, 1, NO_REPETITION);
        }
        let mate = self.state.mate_in_one_or_checks(&mut self.checks);
        let count = self.checks.len();
        if is_after_drop && query.bound < 2 && (mate.is_some() || count > 0) {
            return Found::open(1, 1, query.hand);
        }
        if let Some(mate) = mate {
            let mated = self.mated_after(mate);
            let hand = before_check(&self.state, mate, mated.hand);
            let length = if is_after_drop { 2 } else { 1 };
            let entry = NewEntry { known: Known::Mate { hand, length, strict: true }, work: 1 };
            shared.store(query, entry, &mut self.uncounted);
            return Found::mate(hand, length, true);
        }
        if count == 0 {
            return Found::no_mate(all_of_held_kinds(&self.state), UNBOUNDED, NO_REPETITION);
        }
        if is_last && query.counting == Counting::Strict {
            return Found::no_mate(query.hand, 1, NO_REPETITION);
        }
        let most = guide(query.bound).most_checks;
        Found::open(1, first_number(count, most), query.hand)
    }
}
