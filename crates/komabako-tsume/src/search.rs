//! df-pn (Nagai 2002) on a stack of its own: depth first, best first by proof and disproof numbers.
//!
//! ```text
//! step:   select in the frame on top
//!             solved, or a limit is reached    store it, take its move back, hand the result to the frame below
//!             else                             make the best child's move, push and expand a frame
//! ```
//!
//! Extensions of the textbook algorithm, and their reasons:
//!
//! * **Weak numbers**: the sum of disproof numbers counts a position twice that is reached twice, and diverges. A node has
//!   instead the largest of its children's numbers plus one for each other open child (as in shtsume).
//! * **Delayed moves**: of the interposing drops only the first open one is searched, in order from the king outward and from
//!   the pawn to the rook. The others are mostly answered by the same capture, and then are in the table. New positions
//!   after them are not evaluated before their turn: on a problem full of drops that took a seventh of the time.
//!   Non-promotions of pawns, bishops and rooks likewise wait until the promotion is settled. A node is solved only when
//!   all delayed moves are.
//! * **Repetition**: a check that leads to a position of the path, with a hand no larger, does not mate on this path.
//!   A refutation that depends on this carries the depth of that position. At that depth or nearer to the root it is true of
//!   the position (the attacker only repeats below); deeper it is stored under its path (`repetition.rs`). Proofs never
//!   depend on a repetition.
//! * **Old children** (TCA, Kishimoto 2010): a child whose entry was made nearer to the root may lead back above this
//!   node; its numbers would then never pass the limits. While such a child is on the path, limits grow until one new
//!   node is opened.
//!
//! In tsume lengths bounds shrink along every path, so nothing repeats and no bookkeeping of repetitions is needed.

use alloc::vec::Vec;

use komabako_board::{Color, File, Rank};
use komabako_rules::{Move16, MoveList};

use crate::guide::guide;
use crate::node::{Child, Entered, Found, Frame, Interposition, NO_CHILD, NO_REPETITION, TsumeState};
use crate::outcome::Convention;
use crate::repetition::{PathIndex, PathTable};
use crate::shared::{PathMarks, Shared};
use crate::table::{BoardKey, INFINITE, Known, Query, Record, UNBOUNDED};

/// The depth at which paths are cut. No known or plausible mate is as long.
pub(crate) const MAX_DEPTH: usize = 20_000;

/// The bytes that the children along the path may take if the table takes less: enough for paths of `MAX_DEPTH`, unless they
/// lead through positions with unusually many moves.
const LEAST_STACK: usize = 64 << 20;
/// The nominal size of a child, the same on every platform, so that limits are reached at the same node.
const CHILD_BYTES: usize = 64;
/// The most children that one round of `run` may add: two frames with fewer than 600 moves each.
const CHILDREN_OF_A_ROUND: usize = 2 * 600;

/// A question about a position: is it a mate within a bound?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Question {
    pub attacks: bool,
    pub convention: Convention,
    pub bound: u16,
    /// As in [`Frame`].
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

/// The next action of a frame.
enum Next {
    Done(Found),
    Descend { child: u32, pn_limit: u32, dn_limit: u32 },
    Test { child: u32 },
    EvaluateDrop { child: u32 },
}

/// A search: its path, and the results that hold for its path only.
pub(crate) struct Search {
    pub(crate) paths: PathTable,
    pub(crate) index: PathIndex,
    pub(crate) state: TsumeState,
    pub(crate) attacker: Color,
    pub(crate) question: Question,
    pub(crate) frames: Vec<Frame>,
    pub(crate) children: Vec<Child>,
    pub(crate) max_children: usize,
    /// The attacker's positions that count as no mate if the question is `forbidding`.
    pub(crate) forbidden: Vec<BoardKey>,
    pub(crate) list: MoveList,
    pub(crate) checks: MoveList,
    /// Old children on the path.
    old: u32,
    searches: u64,
    pub(crate) answer: Option<Answer>,
    /// The number of the last settled position that was handled.
    seen_settled: u64,
    /// The slots taken but not yet counted, see [`Shared::store`].
    pub(crate) uncounted: usize,
    pub nodes: u64,
}

impl Search {
    pub fn new(bytes: usize) -> Self {
        Self {
            paths: PathTable::new(bytes / 32),
            index: PathIndex::new(),
            state: TsumeState::start(),
            attacker: Color::Black,
            question: Question {
                attacks: true,
                convention: Convention::Strict,
                bound: UNBOUNDED,
                drops_below: 0,
                forbidding: false,
            },
            frames: Vec::new(),
            children: Vec::new(),
            max_children: bytes.max(LEAST_STACK) / CHILD_BYTES,
            forbidden: Vec::new(),
            list: MoveList::new(),
            checks: MoveList::new(),
            old: 0,
            searches: 0,
            answer: None,
            seen_settled: 0,
            uncounted: 0,
            nodes: 0,
        }
    }

    /// Begins a search of a question about a state.
    pub fn start(&mut self, shared: &Shared, state: &TsumeState, attacker: Color, question: Question) {
        self.state.clone_from(state);
        self.attacker = attacker;
        self.question = question;
        self.frames.clear();
        self.children.clear();
        self.index.clear();
        self.old = 0;
        self.searches += 1;
        self.answer = None;
        let path = u128::from(self.searches) << 64 | 0x9e37_79b9_7f4a_7c15;
        let key = self.frame_key(question.drops_below);
        let frame = self.new_frame(Entered::InPlace, question.attacks, key, question.bound, 0, path);
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
            if self.frames.len() > MAX_DEPTH {
                return Err(Stopped::Depth);
            }
            if !self.reserve_round() {
                return Err(Stopped::Memory);
            }
            match self.select(shared) {
                Next::Done(found) => {
                    let top = self.frames.len() - 1;
                    let best = self.best_move(top, &found);
                    self.pop(shared, found);
                    if self.frames.is_empty() {
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

    /// Reserves the memory that one round may need, so that no other allocation can fail. Returns `false` if there is not enough.
    fn reserve_round(&mut self) -> bool {
        self.children.len() <= self.max_children
            && self.children.try_reserve(CHILDREN_OF_A_ROUND).is_ok()
            && self.frames.try_reserve(2).is_ok()
    }

    /// The proof and disproof numbers of the first node, and the moves to the node on top.
    pub fn outlook(&self) -> (u32, u32, Vec<Move16>) {
        let line = self.frames.iter().filter_map(|frame| match frame.entered {
            Entered::Move(undo) => Some(undo.mv()),
            _ => None,
        });
        let Some(first) = self.frames.first() else { return (0, 0, Vec::new()) };
        let children = self.children_of(0);
        let numbers = |number: fn(&Child) -> u32| children.iter().map(number);
        let least = |number| numbers(number).min().unwrap_or(INFINITE);
        let most = |number| numbers(number).max().unwrap_or(0);
        let (pn, dn) = if first.attacks {
            (least(|child| child.found.pn), most(|child| child.found.dn))
        } else {
            (most(|child| child.found.pn), least(|child| child.found.dn))
        };
        (pn, dn, line.collect())
    }

    pub(crate) fn new_frame(
        &self,
        entered: Entered,
        attacks: bool,
        key: BoardKey,
        bound: u16,
        depth: u32,
        path: u128,
    ) -> Frame {
        Frame {
            entered,
            attacks,
            key,
            hand: self.state.hand(self.attacker),
            path,
            bound,
            drops_below: 0,
            depth,
            pn_limit: INFINITE,
            dn_limit: INFINITE,
            old_above: self.old,
            children: self.children.len() as u32,
            best: NO_CHILD,
            test: None,
            leans_on: NO_REPETITION,
            nodes_before: self.nodes,
            link: NO_CHILD,
        }
    }

    /// The key of the state for the current question, see [`position_key`].
    pub(crate) fn frame_key(&self, drops_below: u8) -> BoardKey {
        position_key(&self.state, self.attacker, drops_below, self.question.forbidding)
    }

    pub(crate) fn uses_paths(&self) -> bool {
        self.question.convention == Convention::Strict
    }

    /// Expands a node and pushes it on the path.
    pub(crate) fn push(&mut self, shared: &Shared, mut frame: Frame) {
        self.nodes += 1;
        self.expand(shared, &frame);
        if let Some(marks) = &shared.marks {
            marks.add(PathMarks::slot(frame.key, frame.hand));
        }
        if self.uses_paths() {
            frame.link = self.index.push(frame.key, self.frames.len() as u32);
        }
        self.frames.push(frame);
    }

    fn pop(&mut self, shared: &Shared, found: Found) {
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
        let frame = self.frames.pop()?;
        if let Some(marks) = &shared.marks {
            marks.remove(PathMarks::slot(frame.key, frame.hand));
        }
        if self.uses_paths() {
            self.index.pop(frame.key, frame.link);
        }
        self.children.truncate(frame.children as usize);
        self.old = self.old.min(frame.old_above);
        match frame.entered {
            Entered::InPlace => {}
            Entered::Move(undo) => self.state.undo_move(undo),
            Entered::Returned { drop, capture, kind } => {
                self.state.give(kind, komabako_board::color::opponent(self.attacker));
                self.state.undo_move(capture);
                self.state.undo_move(drop);
            }
        }
        Some(frame)
    }

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
            if self.uses_paths() {
                self.paths.insert(frame.path, repetition);
            }
            Known::Open { pn: 1, dn: 1, depth, repeats: self.uses_paths() }
        };
        let query = Query {
            key: frame.key,
            hand: frame.hand,
            convention: self.question.convention,
            bound: frame.bound,
        };
        let record = Record { known, work: self.nodes - frame.nodes_before };
        shared.store(&query, record, &mut self.uncounted);
    }

    fn deliver(&mut self, shared: &Shared, found: Found) {
        let top = self.frames.len() - 1;
        if self.frames[top].test.is_some() {
            if found.dn == 0 && found.repetition <= self.frames[top].depth {
                self.frames[top].leans_on = self.frames[top].leans_on.min(found.repetition);
            }
            return self.continue_test(shared, Some(found.pn == 0));
        }
        let best = (self.frames[top].children + self.frames[top].best) as usize;
        let depth = self.frames[top].depth;
        let child = &mut self.children[best];
        child.found = found;
        child.fresh = false;
        // A repetition within the subtree of this node holds on every path to the node, so its ancestors do not depend on it.
        if found.dn == 0 && found.repetition > depth {
            child.found.repetition = NO_REPETITION;
        }
    }

    pub(crate) fn children_of(&self, frame: usize) -> &[Child] {
        let start = self.frames[frame].children as usize;
        let end = self.frames.get(frame + 1).map_or(self.children.len(), |next| next.children as usize);
        &self.children[start..end]
    }

    fn best_move(&self, frame: usize, found: &Found) -> Option<Move16> {
        let attacks = self.frames[frame].attacks;
        let settled = |child: &&Child| {
            if attacks { child.found.pn == 0 && found.pn == 0 } else { child.found.dn == 0 && found.dn == 0 }
        };
        self.children_of(frame)
            .iter()
            .filter(settled)
            .min_by_key(|child| child.found.length)
            .map(|child| child.mv)
    }

    fn descend(&mut self, shared: &Shared, child: u32, pn_limit: u32, dn_limit: u32) {
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        frame.best = child;
        let attacks = !frame.attacks;
        let depth = frame.depth + 1;
        let path = frame.path;
        let bound = below(frame.bound);
        let child = self.children[(frame.children + child) as usize];
        if child.fresh {
            self.old = self.old.saturating_sub(1);
        }
        let undo = self.state.do_move(child.mv);
        let path = path_after(path, child.mv);
        let frame = self.new_frame(Entered::Move(undo), attacks, child.key, bound, depth, path);
        self.push(shared, Frame { pn_limit, dn_limit, ..frame });
    }

    /// Decides the next action of the top frame from its children.
    ///
    /// phi is the number of the side to move (the least over its moves), delta the number of the other side.
    fn select(&mut self, shared: &Shared) -> Next {
        let top = self.frames.len() - 1;
        let frame = &self.frames[top];
        let children = self.children_of(top);
        let attacks = frame.attacks;
        let phi_limit = if attacks { frame.pn_limit } else { frame.dn_limit };
        let tests = self.question.convention == Convention::Tsume;
        let mut best = NO_CHILD;
        let mut phi = INFINITE;
        let mut second = INFINITE;
        let mut best_delta = 0;
        let mut most = 0u32;
        let mut open = 0u32;
        let mut least = INFINITE;
        let mut drop_open = false;
        for (index, child) in children.iter().enumerate() {
            let Found { pn, dn, .. } = child.found;
            let (own, other) = if attacks { (pn, dn) } else { (dn, pn) };
            let is_untested = child.drop == Interposition::Untested;
            if own == 0 && !is_untested {
                return Next::Done(self.conclude(top, true));
            }
            if other > 0 {
                if !attacks && child.mv.is_drop() {
                    // In tsume lengths a drop waits until everything before it is answered.
                    if drop_open || tests && open > 0 {
                        continue;
                    }
                    drop_open = true;
                    if child.unseen {
                        return Next::EvaluateDrop { child: index as u32 };
                    }
                    if is_untested {
                        return Next::Test { child: index as u32 };
                    }
                }
                if child.after != NO_CHILD {
                    let first = &children[child.after as usize].found;
                    if (if attacks { first.dn } else { first.pn }) > 0 {
                        continue;
                    }
                }
                open += 1;
                most = most.max(other);
            }
            least = least.min(own);
            // A check that another thread is searching counts as worse by one, but stays below the limit, so that threads
            // separate at checks that are about equally good. At replies they need not separate: all of them have to be
            // answered, and one thread finds the other's results in the table.
            let own = match &shared.marks {
                Some(marks) if attacks && marks.is_marked(PathMarks::slot(child.key, child.hand)) => {
                    own.max((own + 1).min(phi_limit.saturating_sub(1)))
                }
                _ => own,
            };
            if own < phi || own == phi && best != NO_CHILD && other < best_delta {
                (second, phi, best, best_delta) = (phi, own, index as u32, other);
            } else {
                second = second.min(own);
            }
        }
        if open == 0 {
            return Next::Done(self.conclude(top, false));
        }
        let delta = (most + open - 1).min(INFINITE - 1);
        let (pn, dn) = if attacks { (least, delta) } else { (delta, least) };
        let mut pn_limit = frame.pn_limit;
        let mut dn_limit = frame.dn_limit;
        if self.old > 0 {
            pn_limit = pn_limit.max(pn + 1);
            dn_limit = dn_limit.max(dn + 1);
        }
        if pn >= pn_limit || dn >= dn_limit {
            return Next::Done(Found::open(pn, dn, frame.hand));
        }
        let (phi_limit, delta_limit) = if attacks { (pn_limit, dn_limit) } else { (dn_limit, pn_limit) };
        let child_phi = phi_limit
            .min(second.saturating_add(1 + second / guide(self.question.convention).patience))
            .min(INFINITE);
        let child_delta = delta_limit.saturating_sub(open - 1).max(best_delta + 1).min(INFINITE);
        let (pn_limit, dn_limit) = if attacks { (child_phi, child_delta) } else { (child_delta, child_phi) };
        Next::Descend { child: best, pn_limit, dn_limit }
    }

    pub(crate) fn note_old_child(&mut self) {
        self.old += 1;
    }

    /// Updates a child with the results of another thread. Returns whether its numbers changed.
    fn refresh_child(&mut self, shared: &Shared, child: u32) -> bool {
        let frame = &self.frames[self.frames.len() - 1];
        let index = (frame.children + child) as usize;
        let child = &self.children[index];
        let mut has_old = false;
        let Some(found) = self.known(shared, frame, child, &mut has_old) else { return false };
        let is_changed = (found.pn, found.dn) != (child.found.pn, child.found.dn);
        if is_changed {
            (self.children[index].found, self.children[index].fresh) = (found, false);
            self.old = self.old.max(u32::from(has_old));
        }
        is_changed
    }

    /// If another thread settled a node on the path, leaves that node (the first such one, the root excepted)
    /// and delivers the result.
    fn leave_settled(&mut self, shared: &Shared, marks: &PathMarks) {
        let (number, slot) = marks.last_settled();
        if number == self.seen_settled {
            return;
        }
        self.seen_settled = number;
        let frames = self.frames.iter().enumerate().skip(1);
        let settled = frames.filter(|(_, frame)| PathMarks::slot(frame.key, frame.hand) == slot).find_map(
            |(depth, frame)| {
                let &Frame { key, hand, bound, .. } = frame;
                let query = Query { key, hand, convention: self.question.convention, bound };
                Some((depth, Found::settled(shared.table.look_up(&query))?))
            },
        );
        if let Some((depth, found)) = settled {
            while self.frames.len() > depth {
                self.leave(shared);
            }
            self.deliver(shared, found);
        }
    }

    /// Marks all positions of the path.
    #[cfg(feature = "std")]
    pub fn mark_path(&self, marks: &PathMarks) {
        for frame in &self.frames {
            marks.add(PathMarks::slot(frame.key, frame.hand));
        }
    }
}

/// The key under which a position is stored: its board, the attacker, the drops left out, and whether positions are
/// forbidden.
pub(crate) fn position_key(
    state: &TsumeState,
    attacker: Color,
    drops_below: u8,
    forbidding: bool,
) -> BoardKey {
    // A larger hand may lead to a forbidden position where a smaller one does not. So with forbidden positions a result holds
    // for its exact hand only, which is therefore part of the key.
    if forbidding {
        return BoardKey::new(state.key()).salted(1 << 8 | salt(attacker, drops_below));
    }
    board_position_key(state.board_key(), attacker, drops_below)
}

/// [`position_key`] from a board key, without forbidden positions.
pub(crate) fn board_position_key(board_key: u128, attacker: Color, drops_below: u8) -> BoardKey {
    BoardKey::new(board_key).salted(salt(attacker, drops_below))
}

fn salt(attacker: Color, drops_below: u8) -> u64 {
    u64::from(attacker == Color::White) << 7 | u64::from(drops_below)
}

/// The bound of a child.
pub(crate) fn below(bound: u16) -> u16 {
    if bound == UNBOUNDED { bound } else { bound.saturating_sub(1) }
}

/// The length of a parent, or the length excluded for it.
pub(crate) fn above(length: u16) -> u16 {
    length.saturating_add(1)
}

/// The key of a path extended by one move.
pub(crate) fn path_after(path: u128, mv: Move16) -> u128 {
    (path ^ u128::from(mv.bits()) << 40 ^ u128::from(mv.bits()) << 3)
        .wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
        .rotate_left(61)
}

/// The distance of a move's target square from the king of the side to move.
pub(crate) fn distance_to_king(state: &TsumeState, mv: Move16) -> u8 {
    let (Some(king), Some(to)) = (state.king(state.side_to_move()), mv.to()) else { return 0 };
    let files = File::of(to).number().abs_diff(File::of(king).number());
    files.max(Rank::of(to).number().abs_diff(Rank::of(king).number()))
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
        while search.frames.len() < depth {
            let top = search.frames.len() - 1;
            let open = search.children_of(top).iter().position(|child| {
                child.found.pn > 0
                    && child.found.dn > 0
                    && !visited.contains(&(child.key.low, child.hand.bits()))
            });
            match open {
                Some(index) => {
                    let child = search.children_of(top)[index];
                    visited.insert((child.key.low, child.hand.bits()));
                    // With low limits the search leaves the path again later.
                    search.descend(shared, index as u32, 2, 2);
                }
                None => {
                    assert!(search.frames.len() > 1, "no path is as long");
                    search.pop(shared, Found::open(1, 1, search.frames[top].hand));
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
            let deepest = search.frames.len();
            let stopped = search.run(&shared, search.nodes + 20_000);
            (deepest, stopped.is_ok() || search.frames.len() < 4_000)
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
        let (deepest, left) = thread.join().expect("no overflow");
        assert_eq!(deepest, 4_001);
        assert!(left, "the search has not left the path");
    }
}
