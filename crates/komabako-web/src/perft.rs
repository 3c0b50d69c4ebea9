//! Perft in steps: a page shows the progress and may stop between two steps.

use komabako::board::sfen;
use komabako::messages::Phrase;
use komabako::rules::{Move16, MoveList, State};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::moves::{MoveText, state};

/// The maximum estimated number of leaves of a count: about two minutes in a browser.
const MAX_LEAVES: f64 = 1e10;

const TOO_DEEP: Phrase = Phrase::new(
    "more than 10,000,000,000 leaves; choose a smaller depth",
    "この深さは局面数が 100 億を超える見込みです。深さを減らしてください",
);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    sfen: String,
    depth: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    nodes: u64,
}

#[derive(Serialize)]
pub struct Started {
    roots: Vec<MoveText>,
    estimate: f64,
}

#[derive(Serialize)]
pub struct Progress {
    done: bool,
    nodes: u64,
    counts: Vec<u64>,
}

/// A running count. It is split into parts two plies below the root, where each part is about a thousandth of the whole.
#[derive(Debug)]
pub struct Count {
    root: State<()>,
    depth: u32,
    moves: Vec<Move16>,
    /// The counts of the moves so far; the last one is incomplete while `replies` is not empty.
    counts: Vec<u64>,
    /// The replies to the current move that are still to be counted.
    replies: Vec<Move16>,
    is_done: bool,
}

impl Count {
    /// Starts a count.
    ///
    /// # Errors
    /// No game can be played from the position, or the count would take too long: `PERFT_TOO_DEEP`.
    pub fn start(request: &Start) -> Result<(Self, Started), Failure> {
        let root: State<()> = state(&sfen::parse(&request.sfen)?)?;
        let depth = request.depth;
        let mut roots: Vec<MoveText> = Vec::new();
        let mut moves = Vec::new();
        for mv in legal_moves(&root) {
            let text = MoveText::new(&root, mv, None);
            let place = roots.partition_point(|other| other.usi() < text.usi());
            roots.insert(place, text);
            moves.insert(place, mv);
        }
        let estimate = estimate(&root, depth);
        if estimate > MAX_LEAVES {
            return Err(Failure::new("PERFT_TOO_DEEP", &TOO_DEEP));
        }
        let count = Self { root, depth, moves, counts: Vec::new(), replies: Vec::new(), is_done: false };
        Ok((count, Started { roots, estimate }))
    }

    /// Counts at least one part, and further parts until `nodes` leaves were counted.
    pub fn step(&mut self, request: &Step) -> Progress {
        let before = self.nodes();
        loop {
            self.count_part();
            if self.is_done || self.nodes() - before >= request.nodes {
                let complete = self.counts.len() - usize::from(!self.replies.is_empty());
                let counts = self.counts[..complete].to_vec();
                return Progress { done: self.is_done, nodes: self.nodes(), counts };
            }
        }
    }

    fn nodes(&self) -> u64 {
        // The root itself is the only leaf at depth 0.
        if self.depth == 0 { u64::from(self.is_done) } else { self.counts.iter().sum() }
    }

    /// Counts below one reply, or starts the next move, whose replies may already be the leaves.
    fn count_part(&mut self) {
        let Some(reply) = self.replies.pop() else {
            self.start_move();
            return;
        };
        let mut state = self.root.clone();
        state.do_move(self.moves[self.counts.len() - 1]);
        state.do_move(reply);
        if let Some(count) = self.counts.last_mut() {
            *count += leaves(&mut state, self.depth - 2);
        }
        self.is_done = self.replies.is_empty() && self.counts.len() == self.moves.len();
    }

    fn start_move(&mut self) {
        let next = if self.depth > 0 { self.moves.get(self.counts.len()) } else { None };
        let Some(&mv) = next else {
            self.is_done = true;
            return;
        };
        let mut state = self.root.clone();
        state.do_move(mv);
        match self.depth {
            1 => self.counts.push(1),
            2 => self.counts.push(state.count_legal_moves() as u64),
            _ => {
                self.counts.push(0);
                self.replies = legal_moves(&state);
            }
        }
        self.is_done = self.replies.is_empty() && self.counts.len() == self.moves.len();
    }
}

fn legal_moves(state: &State<()>) -> Vec<Move16> {
    let mut list = MoveList::new();
    state.legal_moves(&mut list);
    list.to_vec()
}

/// Counts the sequences of `depth` legal moves. Slower than the kernels of `rules` (see its `perft`), but those would be
/// a twentieth of the module's size.
fn leaves(state: &mut State<()>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => state.count_legal_moves() as u64,
        _ => {
            let mut moves = MoveList::new();
            state.legal_moves(&mut moves);
            let below = |&mv: &Move16| {
                let undo = state.do_move(mv);
                let count = leaves(state, depth - 1);
                state.undo_move(undo);
                count
            };
            moves.iter().map(below).sum()
        }
    }
}

/// The estimated number of leaves at a depth: exact up to two plies; each further ply multiplies it by the branching
/// factor of the second ply.
fn estimate(root: &State<()>, depth: u32) -> f64 {
    let [first, second] = [1, 2].map(|depth| leaves(&mut root.clone(), depth) as f64);
    match depth {
        0 => 1.0,
        1 => first,
        _ => second * (second / first.max(1.0)).powi(i32::try_from(depth - 2).unwrap_or(i32::MAX)),
    }
}
