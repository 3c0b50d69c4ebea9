//! df-pn (Nagai 2002) on a stack of its own: depth first, best first by proof and disproof numbers.
//!
//! The paper's procedure MID calls itself. Here the nodes between the root and the one being searched are frames of a
//! [`Path`], and each round of [`Search::run`] takes the last of them one step on. The comments number the steps as the
//! paper does:
//!
//! ```text
//! MID(n, limits of n's numbers)
//!   1  look up n; return if a number is at its limit     for all children, when their parent is expanded: `known`
//!   2  generate the moves; return if none                `expand`, and for children never seen `evaluate_unseen`
//!   3  keep the search from going in a cycle             `Path::find` in `known`, instead of a number stored for n
//!   4  while both numbers of n are below their limits    `select`
//!        a  n's numbers: the least δ of the children, and the sum of their φ
//!        b  the best child, and the limits of its numbers
//!        c  MID(the best child)                          `descend`, and later `deliver`
//!   5  store n's numbers; return                         `return_with`
//! ```
//!
//! Proof and disproof number are φ and δ where the attacker is to move, and δ and φ where the defender is.
//!
//! Extensions of the textbook algorithm, and their reasons:
//!
//! * **Weak numbers** (4a): the sum counts a position twice that is reached twice, and diverges. Instead of the sum a node
//!   has the largest of its children's numbers plus one for each other open child (as in shtsume); within a bound, which
//!   ends every loop, plus two for each other reply.
//! * **Leaves** (2): within the last two plies most checks are refuted by a move of a piece, whatever the hands are. That is seen without
//!   a node (`expand.rs`), and holds for all pieces in the attacker's hand.
//! * **Delayed moves** (4a): of the interposing drops only the first open one is searched, in order from the king outward
//!   and from the pawn to the rook. The others are mostly answered by the same capture, and then are in the table. New
//!   positions after them are not evaluated before their turn: on a problem full of drops that took a seventh of the time.
//!   Non-promotions of pawns, bishops and rooks likewise wait until the promotion is settled. A node is solved only when
//!   all delayed moves are.
//! * **Repetition** (3, 5; the problem of graph history, GHI): a check that leads to a position of the path, with a hand no
//!   larger, does not mate on this path. A refutation that depends on this carries the depth of that position. At that
//!   depth or nearer to the root it is true of the position (the attacker only repeats below); deeper it is stored under
//!   its path (`repetition.rs`). Proofs never depend on a repetition.
//! * **Old children** (4b; TCA, Kishimoto 2010): a child whose entry was made at its parent's depth or nearer to the root may
//!   lead back above its parent. Numbers that go round such a loop can be at their limits at once, so that the search leaves
//!   and enters the same nodes for ever and opens none. So limits grow as long as a debt is left ([`Search`]'s `old`): each
//!   node on the path that has such a child among its moves, searched or not, adds one, and each new node opened takes off one.
//! * **Dominance** (1, 5; Seo 1999): a result holds for other hands too (`hands.rs`).
//!
//! In tsume lengths bounds shrink along every path, so nothing repeats and no bookkeeping of repetitions is needed. In free ones
//! ([`Counting::Free`]) the position after a drop is a node of its own, whose moves are the checks, which count two plies, and the
//! captures of the dropped piece, which count none and give it back:
//!
//! ```text
//! Q, n     the defender: a reply counts 1     after a drop on q:  P on q, n     checks count 2     captures on q count 0: V, n
//! ```
//!
//! Only such a capture may lead to a position of the path, with the same bound; then the refutation depends on it, as above.

mod conclude;
mod cooperation;
mod expand;
mod guide;
mod hands;
mod interposition;
mod node;
mod path;
mod position;
mod repetition;
mod select;

pub(crate) use node::{Found, below};
pub(crate) use position::{TsumeState, after_drop, distance_to_king, position_key};

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, color};
use komabako_rules::{Move16, MoveList};

use crate::counting::Counting;
use crate::shared::{PathMarks, Shared};
use crate::table::{BoardKey, INFINITE, Known, NewEntry, Query, UNBOUNDED};
use node::{Child, Entered, Frame, NO_CHILD, NO_REPETITION};
use path::{NO_FRAME, Path};
use repetition::{PathTable, path_after_child};
use select::Next;

/// The depth at which paths are cut. No known or plausible mate is as long.
const MAX_DEPTH: usize = 20_000;

/// A question about a position: is it a mate within a bound?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Question {
    pub attacks: bool,
    pub counting: Counting,
    pub bound: u16,
    /// The defender's drops at this distance from his king or farther are left out; 0 leaves out none.
    pub drops_below: u8,
    /// Whether the forbidden positions count as no mate.
    pub forbidding: bool,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub found: Found,
    pub best: Option<Move16>,
}

impl Answer {
    pub fn mates(&self) -> bool {
        self.found.pn == 0
    }
}

/// Why a search stopped before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// The nodes of this step are used up, the table needs room, or another thread asks for a pause.
    Pause,
    /// The path is too long.
    Depth,
    /// The children along the path need too much memory.
    Memory,
}

/// A search: its path, and the results that hold for its path only.
pub(crate) struct Search {
    question: Question,
    attacker: Color,
    /// The position of the node being searched.
    state: TsumeState,
    path: Path,
    /// Refutations by repetition.
    path_results: PathTable,
    /// The attacker's positions that count as no mate if the question is `forbidding`.
    forbidden: Vec<BoardKey>,
    /// The new nodes that must be opened before limits hold again, because of old children (TCA).
    old: u32,
    answer: Option<Answer>,
    nodes: u64,
    /// The number of questions so far, which makes the keys of their paths differ.
    searches: u64,
    /// The number of the last settled position that was handled, see `cooperation.rs`.
    seen_settled: u64,
    /// The slots taken but not yet counted, see [`Shared::store`].
    uncounted: usize,
    /// Buffers.
    list: MoveList,
    checks: MoveList,
}

impl Search {
    /// A search to accompany a table of this many bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            question: Question {
                attacks: true,
                counting: Counting::Strict,
                bound: UNBOUNDED,
                drops_below: 0,
                forbidding: false,
            },
            attacker: Color::Black,
            state: TsumeState::start(),
            path: Path::new(bytes),
            path_results: PathTable::new(bytes / 32),
            forbidden: Vec::new(),
            old: 0,
            answer: None,
            nodes: 0,
            searches: 0,
            seen_settled: 0,
            uncounted: 0,
            list: MoveList::new(),
            checks: MoveList::new(),
        }
    }

    /// Begins another problem.
    pub fn forget(&mut self) {
        self.path_results.clear();
        self.nodes = 0;
    }

    /// The number of nodes since [`Search::forget`].
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts the nodes of other searches as well.
    #[cfg(feature = "std")]
    pub fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// The number of nodes on the path.
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Sets the attacker's positions that count as no mate if a question is `forbidding`.
    pub fn forbid(&mut self, positions: &[BoardKey]) {
        self.forbidden.clear();
        self.forbidden.extend_from_slice(positions);
    }

    /// The positions set by [`Search::forbid`].
    pub fn forbidden(&self) -> &[BoardKey] {
        &self.forbidden
    }

    /// Sets the answer to the question, found by another search.
    #[cfg(feature = "std")]
    pub fn set_answer(&mut self, answer: Answer) {
        self.answer = Some(answer);
    }

    #[cfg(test)]
    pub fn limit_children(&mut self, most: usize) {
        self.path.limit_children(most);
    }

    /// Begins a search of a question about a state.
    pub fn start(&mut self, shared: &Shared, state: &TsumeState, attacker: Color, question: Question) {
        self.state.clone_from(state);
        self.attacker = attacker;
        self.question = question;
        self.path.clear();
        self.old = 0;
        self.searches += 1;
        self.answer = None;
        let path_key = u128::from(self.searches) << 64 | 0x9e37_79b9_7f4a_7c15;
        let key = self.frame_key(question.drops_below);
        let frame = self.new_frame(Entered::InPlace, question.attacks, key, question.bound, 0, path_key);
        self.push(shared, Frame { drops_below: question.drops_below, ..frame });
    }

    /// Searches until the answer is known or the total reaches `until` nodes.
    pub fn run(&mut self, shared: &Shared, until: u64) -> Result<Answer, Stopped> {
        if let Some(answer) = self.answer {
            return Ok(answer);
        }
        loop {
            if shared.table.is_full() {
                return Err(Stopped::Pause);
            }
            if let Some(marks) = &shared.marks {
                if marks.is_stopped() {
                    return Err(Stopped::Pause);
                }
                self.leave_settled(shared, marks);
            }
            if self.path.len() > MAX_DEPTH {
                return Err(Stopped::Depth);
            }
            if !self.path.reserve_round() {
                return Err(Stopped::Memory);
            }
            match self.select(shared) {
                Next::Return(found) => {
                    let best = if self.path.len() == 1 { self.best_move(&found) } else { None };
                    self.return_with(shared, found);
                    if self.path.is_empty() {
                        let answer = Answer { found, best };
                        self.answer = Some(answer);
                        return Ok(answer);
                    }
                    self.deliver(shared, found);
                }
                Next::EvaluateDrop { child } => self.evaluate_drop(shared, child),
                _ if self.nodes >= until => return Err(Stopped::Pause),
                Next::Descend { child, .. }
                    if shared.marks.is_some() && self.refresh_child(shared, child) => {}
                Next::Descend { child, pn_limit, dn_limit } => {
                    self.descend(shared, child, pn_limit, dn_limit);
                }
                Next::Test { child } => self.begin_test(shared, child),
            }
        }
    }

    /// For reports of progress: the first node's proof and disproof numbers, roughly, and the moves to the node on top. In place
    /// of the weak number it has the largest of the children's, and delayed moves count like the others.
    pub fn outlook(&self) -> (u32, u32, Vec<Move16>) {
        let Some(first) = self.path.frames().first() else { return (0, 0, Vec::new()) };
        let children = self.path.first_children();
        let numbers = |number: fn(&Child) -> u32| children.iter().map(number);
        let least = |number| numbers(number).min().unwrap_or(INFINITE);
        let most = |number| numbers(number).max().unwrap_or(0);
        let (pn, dn) = if first.attacks {
            (least(|child| child.found.pn), most(|child| child.found.dn))
        } else {
            (most(|child| child.found.pn), least(|child| child.found.dn))
        };
        (pn, dn, self.path.moves().collect())
    }

    fn new_frame(
        &self,
        entered: Entered,
        attacks: bool,
        key: BoardKey,
        bound: u16,
        depth: u32,
        path_key: u128,
    ) -> Frame {
        Frame {
            entered,
            attacks,
            key,
            hand: self.state.hand(self.attacker),
            path_key,
            bound,
            drops_below: 0,
            dropped: None,
            depth,
            pn_limit: INFINITE,
            dn_limit: INFINITE,
            old_above: self.old,
            children: self.path.child_count() as u32,
            best: NO_CHILD,
            test: None,
            leans_on: NO_REPETITION,
            nodes_before: self.nodes,
            link: NO_FRAME,
        }
    }

    /// The key of the state for the current question, see [`position_key`].
    fn frame_key(&self, drops_below: u8) -> BoardKey {
        position_key(&self.state, self.attacker, drops_below, self.question.forbidding)
    }

    /// Whether a refutation may depend on a repetition: by tsume lengths positions repeat only in tests.
    fn may_repeat(&self) -> bool {
        self.question.counting != Counting::Tsume
    }

    /// Whether any position of the path may repeat. By [`Counting::Free`] only those with the same bound may.
    fn is_indexed(&self) -> bool {
        self.question.counting == Counting::Strict
    }

    /// Step 4c: makes the move of a child and pushes its node.
    fn descend(&mut self, shared: &Shared, child: u32, pn_limit: u32, dn_limit: u32) {
        let frame = self.path.top_mut();
        frame.best = child;
        let attacks = !frame.attacks;
        let depth = frame.depth + 1;
        let path_key = frame.path_key;
        let bound = frame.bound;
        let child = *self.path.child(self.path.place(child));
        let bound = below(bound, child.plies);
        if child.fresh {
            // TCA: this opens a new node.
            self.old = self.old.saturating_sub(1);
        }
        let path_key = path_after_child(path_key, &child);
        let is_free_drop = attacks && child.mv.is_drop() && self.question.counting == Counting::Free;
        let dropped = if is_free_drop { child.mv.to() } else { None };
        let entered = self.enter(&child);
        let frame = self.new_frame(entered, attacks, child.key, bound, depth, path_key);
        self.push(shared, Frame { pn_limit, dn_limit, dropped, ..frame });
    }

    /// Makes the move of a child.
    fn enter(&mut self, child: &Child) -> Entered {
        let captured = child.mv.to().and_then(|to| self.state.piece_at(to));
        let undo = self.state.do_move(child.mv);
        match captured {
            Some(piece) if child.returned => {
                let kind = BaseKind::of(piece.to_parts().0);
                self.state.give(kind, self.attacker);
                Entered::Captured { capture: undo, kind }
            }
            _ => Entered::Move(undo),
        }
    }

    /// Goes back to the position before.
    fn go_back(&mut self, entered: Entered) {
        match entered {
            Entered::InPlace => {}
            Entered::Move(undo) => self.state.undo_move(undo),
            Entered::Captured { capture, kind } => {
                self.state.give(kind, color::opponent(self.attacker));
                self.state.undo_move(capture);
            }
            Entered::Returned { drop, capture, kind } => {
                self.state.give(kind, color::opponent(self.attacker));
                self.state.undo_move(capture);
                self.state.undo_move(drop);
            }
        }
    }

    /// Expands a node and pushes it on the path.
    fn push(&mut self, shared: &Shared, frame: Frame) {
        self.nodes += 1;
        self.expand(shared, &frame);
        if let Some(marks) = &shared.marks {
            marks.add(PathMarks::slot(frame.key, frame.hand));
        }
        self.path.push(frame, self.is_indexed());
    }

    /// Step 5: stores the result of the node on top and goes back to its parent.
    fn return_with(&mut self, shared: &Shared, found: Found) {
        let Some(frame) = self.leave(shared) else { return };
        self.store(shared, &frame, found);
        if let Some(marks) = &shared.marks
            && (found.pn == 0 || found.dn == 0)
        {
            marks.publish_settled(PathMarks::slot(frame.key, frame.hand));
        }
    }

    /// Removes the top node from the path.
    fn leave(&mut self, shared: &Shared) -> Option<Frame> {
        let frame = self.path.pop(self.is_indexed())?;
        if let Some(marks) = &shared.marks {
            marks.remove(PathMarks::slot(frame.key, frame.hand));
        }
        self.old = self.old.min(frame.old_above);
        self.go_back(frame.entered);
        Some(frame)
    }

    /// Stores a result: a proof and a refutation that is true of the position in the table, a refutation that depends on
    /// a repetition above it under its path.
    ///
    /// In tsume lengths a refutation depends on the path only if it leans on a test above (`interposition.rs`). It is kept for
    /// its parent only; in the table the position stays open, with the numbers 1 and 1.
    fn store(&mut self, shared: &Shared, frame: &Frame, found: Found) {
        let Found { pn, dn, hand, length, repetition, strict } = found;
        let depth = frame.depth.min(u32::from(u16::MAX - 1)) as u16;
        let known = if pn == 0 {
            Known::Mate { hand, length, strict }
        } else if dn > 0 {
            Known::Open { pn, dn, depth, repeats: false }
        } else if repetition >= frame.depth {
            Known::NoMate { hand, excluded: length }
        } else {
            if self.may_repeat() {
                self.path_results.insert(frame.path_key, repetition);
            }
            Known::Open { pn: 1, dn: 1, depth, repeats: self.may_repeat() }
        };
        let query =
            Query { key: frame.key, hand: frame.hand, counting: self.question.counting, bound: frame.bound };
        let entry = NewEntry { known, work: self.nodes - frame.nodes_before };
        shared.store(&query, entry, &mut self.uncounted);
    }

    /// Stores a result that no search found.
    pub fn store_known(&mut self, shared: &Shared, query: &Query, known: Known) {
        shared.store(query, NewEntry { known, work: 1 }, &mut self.uncounted);
    }

    /// Hands the result of a node that was left to its parent, now on top.
    fn deliver(&mut self, shared: &Shared, found: Found) {
        let frame = self.path.top_mut();
        if frame.test.is_some() {
            // The answer to a question of the test. If it leans on this node or one above, so may a refutation of this node.
            if found.dn == 0 && found.repetition <= frame.depth {
                frame.leans_on = frame.leans_on.min(found.repetition);
            }
            return self.continue_test(shared, Some(found.pn == 0));
        }
        let depth = frame.depth;
        let best = frame.best;
        let child = self.path.child_mut(self.path.place(best));
        child.found = found;
        child.fresh = false;
        // A repetition within the subtree of this node holds on every path to the node, so its ancestors do not depend on it.
        if found.dn == 0 && found.repetition > depth {
            child.found.repetition = NO_REPETITION;
        }
    }

    /// The move of the node on top that settles it, if one does: the shortest.
    fn best_move(&self, found: &Found) -> Option<Move16> {
        let attacks = self.path.top().attacks;
        if found.own(attacks) > 0 {
            return None;
        }
        let settled = self.path.top_children().iter().filter(|child| child.found.own(attacks) == 0);
        settled.min_by_key(|child| child.found.length).map(|child| child.mv)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use alloc::boxed::Box;
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::problem::{Hands, Problem, Root, Rules};
    use crate::table::Table;

    /// Descends through open moves until the path has `depth` positions, and backs up if no open move is left.
    fn descend_to(search: &mut Search, shared: &Shared, depth: usize) {
        let mut visited: BTreeSet<(u64, u32)> = BTreeSet::new();
        while search.depth() < depth {
            let open = search.path.top_children().iter().position(|child| {
                child.found.pn > 0
                    && child.found.dn > 0
                    && !visited.contains(&(child.key.low, child.hand.bits()))
            });
            match open {
                Some(index) => {
                    let child = search.path.top_children()[index];
                    visited.insert((child.key.low, child.hand.bits()));
                    // With low limits the search leaves the path again later.
                    search.descend(shared, index as u32, 2, 2);
                }
                None => {
                    assert!(search.depth() > 1, "no path is as long");
                    let hand = search.path.top().hand;
                    search.return_with(shared, Found::open(1, 1, hand));
                }
            }
        }
    }

    /// A path uses no machine stack: 256 KiB are enough for 4,000 moves.
    #[test]
    fn paths_of_4000_plies_need_no_machine_stack() {
        let run = || {
            let setup = komabako_board::sfen::parse("4k4/9/9/9/4B4/9/9/9/R8 b - 1").expect("SFEN").setup;
            let rules = Rules { hands: Hands::AsGiven, root: Root::Attack };
            let problem = Problem::new(&setup, rules).expect("a problem");
            let shared = Shared { table: Table::new(1 << 20), marks: None };
            let mut search = Box::new(Search::new(1 << 20));
            let question = crate::session::any_mate(true);
            search.start(&shared, &problem.state, problem.attacker(), question);
            descend_to(&mut search, &shared, 4_001);
            assert_eq!(search.outlook().2.len(), 4_000);
            // From there the search itself continues, and returns to the root.
            let deepest = search.depth();
            let stopped = search.run(&shared, search.nodes + 20_000);
            (deepest, stopped.is_ok() || search.depth() < 4_000)
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
        let (deepest, left) = thread.join().expect("no overflow");
        assert_eq!(deepest, 4_001);
        assert!(left, "the search has not left the path");
    }
}
