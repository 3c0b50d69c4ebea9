//! [`Builder`]: a record that a reader makes, move by move, with the position at hand.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, Square};
use komabako_rules::{Move16, State};

use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::KifuError;
use crate::record::{AppendError, NodeId, Record, Step};

/// How many plies lie between kept positions: going to a node replays at most this many moves.
///
/// A stack of undone moves would be simpler, but variations that alternate between two long branches would replay both for
/// each move: 10^5 nodes of such a file took minutes.
const SNAPSHOT_EVERY: u32 = 64;

/// The most moves that room is reserved for at first, 10 KiB: more than most games have. The text may hold further games.
const USUAL_MOVES: usize = 160;

pub(crate) struct Builder {
    record: Record,
    state: State<()>,
    at: NodeId,
    previous: Option<Square>,
    /// For each ply the latest node that a variation may replace, see [`start_variation`](Builder::start_variation). Empty
    /// before the first variation: most games have none.
    by_ply: Vec<NodeId>,
    /// The ply of the first node of the line at hand; 0 for the main line.
    line_start: u32,
    /// Positions after some nodes, ascending by node.
    snapshots: Vec<(NodeId, State<()>)>,
    /// An illegal move, which only the ending of its game excuses.
    illegal: Option<IllegalMove>,
}

/// A move that is illegal, and the error that it is if no ending follows.
pub(crate) struct IllegalMove {
    pub error: KifuError,
    pub text: String,
    pub time: Option<Millis>,
    pub comments: Vec<String>,
}

impl Builder {
    /// Continues a record that has no moves yet. The text has room for `moves` of them.
    pub fn new(mut record: Record, moves: usize) -> Self {
        record.reserve(moves.min(USUAL_MOVES));
        let (state, at) = (record.initial_state().clone(), record.start());
        Self {
            record,
            state,
            at,
            previous: None,
            by_ply: Vec::new(),
            line_start: 0,
            snapshots: Vec::new(),
            illegal: None,
        }
    }

    pub fn record(&self) -> &Record {
        &self.record
    }

    pub fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    pub fn into_record(self) -> Record {
        self.record
    }

    /// The node that was appended last, or the start.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The ply of the next node, that of an illegal move counted.
    pub fn next_ply(&self) -> u32 {
        self.record.node(self.at).ply() + 1 + u32::from(self.illegal.is_some())
    }

    pub fn state(&self) -> &State<()> {
        &self.state
    }

    pub fn side(&self) -> Color {
        self.state.side_to_move()
    }

    /// Where the move before went.
    pub fn previous(&self) -> Option<Square> {
        self.previous
    }

    pub fn has_ended(&self) -> bool {
        matches!(self.record.node(self.at).step(), Step::End(_))
    }

    /// Appends a legal move.
    #[inline]
    pub fn push_move(&mut self, mv: Move16) -> Result<(), AppendError> {
        let id = self.record.append_checked(self.at, Step::Move(mv))?;
        self.state.do_move(mv);
        self.previous = mv.to();
        self.arrive(id);
        Ok(())
    }

    /// Appends the end of the line.
    ///
    /// After an illegal move, which is not in the record, the side to move is the one that made it: it broke the rules.
    pub fn push_end(&mut self, ending: Ending) -> Result<(), AppendError> {
        let mut ending = ending;
        if self.illegal.is_some() && ending == Ending::OpponentIllegal {
            ending = Ending::Illegal;
        }
        let id = self.record.append_checked(self.at, Step::End(ending))?;
        if let Some(IllegalMove { text, time, comments, .. }) = self.illegal.take() {
            self.record.push_comment(id, &alloc::format!("反則手：{text}"));
            self.record.set_time(id, time);
            for comment in comments {
                self.record.push_comment(id, &comment);
            }
        }
        self.arrive(id);
        Ok(())
    }

    #[inline]
    fn arrive(&mut self, id: NodeId) {
        self.at = id;
        let ply = self.record.node(id).ply();
        if ply > self.line_start && !self.by_ply.is_empty() {
            match self.by_ply.get_mut(ply as usize) {
                Some(latest) => *latest = id,
                None => self.by_ply.push(id),
            }
        }
        if ply.is_multiple_of(SNAPSHOT_EVERY) {
            self.snapshots.push((id, self.state.clone()));
        }
    }

    /// Goes back to replace the move of a ply: that of the latest line that has one and began before it. `false` if no line has
    /// it.
    ///
    /// Each node enters `by_ply` once, when it is appended, and the first node of a variation never does: so the entry of a
    /// ply is a move of the latest line that has one there and began before.
    pub fn start_variation(&mut self, ply: u32) -> bool {
        if self.by_ply.is_empty() {
            // Until now the record was a single line, whose nodes were appended in the order of their plies.
            self.by_ply = (0..self.record.node_count()).map(NodeId::after).collect();
        }
        let replaced = self.by_ply.get(ply as usize).filter(|_| ply > 0);
        let Some(parent) = replaced.and_then(|&id| self.record.node(id).parent()) else { return false };
        self.go_to(parent);
        self.line_start = ply;
        true
    }

    /// Goes to a node, so that what is pushed next follows it.
    pub fn go_to(&mut self, target: NodeId) {
        let mut moves = Vec::new();
        let mut id = target;
        self.state = loop {
            let node = self.record.node(id);
            if let Ok(index) = self.snapshots.binary_search_by_key(&id, |&(id, _)| id) {
                break self.snapshots[index].1.clone();
            }
            moves.extend(node.as_move());
            match node.parent() {
                Some(parent) => id = parent,
                None => break self.record.initial_state().clone(),
            }
        };
        for &mv in moves.iter().rev() {
            self.state.do_move(mv);
        }
        self.at = target;
        self.previous = self.record.node(target).as_move().and_then(Move16::to);
    }

    /// Keeps an illegal move until its ending comes.
    pub fn set_illegal(&mut self, error: KifuError, text: String) {
        self.illegal = Some(IllegalMove { error, text, time: None, comments: Vec::new() });
    }

    pub fn illegal_mut(&mut self) -> Option<&mut IllegalMove> {
        self.illegal.as_mut()
    }

    /// The error that the illegal move is, now that no ending came.
    pub fn unexcused(&mut self) -> Result<(), KifuError> {
        match self.illegal.take() {
            Some(illegal) => Err(illegal.error),
            None => Ok(()),
        }
    }

    /// Adds a comment to the node at hand, or to the ending that an illegal move waits for.
    pub fn push_comment(&mut self, text: &str) {
        match &mut self.illegal {
            Some(illegal) => illegal.comments.push(text.into()),
            None => self.record.push_comment(self.at, text),
        }
    }

    /// Sets the time of the node at hand, or of the illegal move.
    pub fn set_time(&mut self, time: Millis) {
        match &mut self.illegal {
            Some(illegal) => illegal.time = Some(time),
            None => self.record.set_time(self.at, Some(time)),
        }
    }
}
