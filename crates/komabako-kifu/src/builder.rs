//! [`Builder`]: builds a record move by move for a reader, keeping the current position.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, Square};
use komabako_rules::{Move16, State};

use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::KifuError;
use crate::record::{AppendError, NodeId, Record, Step};

/// The distance of saved positions in plies: going to a node replays at most this many moves.
///
/// A stack of moves to undo would be simpler, but variations that alternate between two long branches would replay both
/// branches for each move: 10^5 nodes of such a file took minutes.
const SNAPSHOT_INTERVAL: u32 = 64;

/// The maximum number of moves to reserve room for initially, 10 KiB: more than most games have. The text may contain
/// further games, so its length is no better bound.
const MAX_RESERVED_MOVES: usize = 160;

pub(crate) struct Builder {
    record: Record,
    state: State<()>,
    at: NodeId,
    previous: Option<Square>,
    /// For each ply, the latest node that a variation may replace, see [`start_variation`](Builder::start_variation).
    /// Empty before the first variation, since most games have none.
    by_ply: Vec<NodeId>,
    /// The ply of the first node of the current line; 0 for the main line.
    line_start: u32,
    /// The positions after some nodes, ascending by node.
    snapshots: Vec<(NodeId, State<()>)>,
    /// An illegal move, which only an ending by a breach of the rules excuses.
    illegal: Option<IllegalMove>,
}

/// An illegal move, and the error to report if no ending excuses it.
pub(crate) struct IllegalMove {
    pub error: KifuError,
    pub text: String,
    pub time: Option<Millis>,
    pub comments: Vec<String>,
}

impl Builder {
    /// Continues a record that has no moves yet. The text contains at most `moves` moves.
    pub fn new(mut record: Record, moves: usize) -> Self {
        record.reserve(moves.min(MAX_RESERVED_MOVES));
        let state = record.initial_state().clone();
        let at = record.start();
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

    /// The current node: the node appended last, or the start.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The ply of the next node, counting a pending illegal move.
    pub fn next_ply(&self) -> u32 {
        self.record.node(self.at).ply() + 1 + u32::from(self.illegal.is_some())
    }

    pub fn state(&self) -> &State<()> {
        &self.state
    }

    pub fn side(&self) -> Color {
        self.state.side_to_move()
    }

    /// Sets the destination of the move before the first one, which 同 may mean.
    pub fn set_previous(&mut self, square: Option<Square>) {
        self.previous = square;
    }

    /// The destination of the previous move.
    pub fn previous(&self) -> Option<Square> {
        self.previous
    }

    pub fn has_ended(&self) -> bool {
        self.ending().is_some()
    }

    /// The end of the line, if it has one.
    pub fn ending(&self) -> Option<&Ending> {
        match self.record.node(self.at).step() {
            Step::End(ending) => Some(ending),
            _ => None,
        }
    }

    /// Whether the line has a move, a pending illegal one included, or an end.
    pub fn has_steps(&self) -> bool {
        self.at != self.record.start() || self.illegal.is_some()
    }

    /// Appends a legal move.
    #[inline]
    pub fn push_move(&mut self, mv: Move16) -> Result<(), AppendError> {
        let id = self.record.append_checked(self.at, Step::Move(mv))?;
        self.state.do_move(mv);
        self.previous = mv.to();
        self.set_current(id);
        Ok(())
    }

    /// The ending that a word means which names no side.
    ///
    /// An illegal move is not in the record, so after it the side to move is still the side that broke the rules.
    pub fn without_side(&self, ending: &Ending) -> Ending {
        let is_of_mover = self.illegal.is_some() && *ending == Ending::OpponentIllegal;
        if is_of_mover { Ending::Illegal } else { ending.clone() }
    }

    /// The ending that a name of CSA means here, and whether a notice is due: the name is not known, or it says that
    /// the side broke the rules that did not make the illegal move.
    pub fn ending_of_csa(&self, name: &str) -> (Ending, bool) {
        let ending = Ending::from_csa(name, self.side());
        let ending = if name.starts_with(['+', '-']) { ending } else { self.without_side(&ending) };
        let is_of_other = self.illegal.is_some() && ending == Ending::OpponentIllegal;
        let is_doubtful = is_of_other || ending.is_unknown();
        (ending, is_doubtful)
    }

    /// Appends the end of the line.
    pub fn push_end(&mut self, ending: Ending) -> Result<(), AppendError> {
        let id = self.record.append_checked(self.at, Step::End(ending))?;
        if let Some(IllegalMove { text, time, comments, .. }) = self.illegal.take() {
            self.record.push_comment(id, &alloc::format!("反則手：{text}"));
            self.record.set_time(id, time);
            for comment in comments {
                self.record.push_comment(id, &comment);
            }
        }
        self.set_current(id);
        Ok(())
    }

    /// Sets the end of the line: appends it, or replaces the one that is there.
    pub fn set_end(&mut self, ending: Ending) -> Result<(), AppendError> {
        if self.has_ended() {
            self.record.replace_step(self.at, Step::End(ending));
            return Ok(());
        }
        self.push_end(ending)
    }

    #[inline]
    fn set_current(&mut self, id: NodeId) {
        self.at = id;
        let ply = self.record.node(id).ply();
        if ply > self.line_start && !self.by_ply.is_empty() {
            match self.by_ply.get_mut(ply as usize) {
                Some(latest) => *latest = id,
                None => self.by_ply.push(id),
            }
        }
        if ply.is_multiple_of(SNAPSHOT_INTERVAL) {
            self.snapshots.push((id, self.state.clone()));
        }
    }

    /// Goes back to replace the move at a ply, in the latest line that has such a move and began before it, or to continue
    /// a line that ends just before it. Returns `false` if no line has one.
    ///
    /// Each node enters `by_ply` once, when it is appended, except the first node of a variation: so the entry of a ply
    /// is a move of the latest line that has a move at that ply and began before it.
    pub fn start_variation(&mut self, ply: u32) -> bool {
        if self.by_ply.is_empty() {
            // So far the record is a single line, whose nodes were appended in the order of their plies.
            self.by_ply = (0..self.record.node_count()).map(NodeId::after).collect();
        }
        let parent = match self.by_ply.get(ply as usize) {
            _ if ply == 0 => return false,
            // Where only an ending stands, the variation may continue the line before it.
            Some(&replaced) if self.is_end(replaced) && !self.is_end(self.at) && self.next_ply() == ply => {
                self.line_start = ply - 1;
                Some(self.at)
            }
            Some(&replaced) => {
                self.line_start = ply;
                self.record.node(replaced).parent()
            }
            // One move after the end of the longest line, the variation continues that line.
            None => {
                self.line_start = ply - 1;
                if ply as usize == self.by_ply.len() { self.by_ply.last().copied() } else { None }
            }
        };
        let Some(parent) = parent.filter(|&id| !self.is_end(id)) else { return false };
        self.go_to(parent);
        true
    }

    fn is_end(&self, id: NodeId) -> bool {
        matches!(self.record.node(id).step(), Step::End(_))
    }

    /// Makes a node the current one, so that the next step follows it.
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

    /// Keeps an illegal move until the ending that may excuse it.
    pub fn set_illegal(&mut self, error: KifuError, text: String) {
        self.illegal = Some(IllegalMove { error, text, time: None, comments: Vec::new() });
    }

    pub fn illegal_mut(&mut self) -> Option<&mut IllegalMove> {
        self.illegal.as_mut()
    }

    /// Returns the error of the pending illegal move, if any: no ending can excuse it any more.
    #[inline]
    pub fn fail_on_illegal(&mut self) -> Result<(), KifuError> {
        if self.illegal.is_some() { self.take_illegal() } else { Ok(()) }
    }

    #[cold]
    fn take_illegal(&mut self) -> Result<(), KifuError> {
        match self.illegal.take() {
            Some(illegal) => Err(illegal.error),
            None => Ok(()),
        }
    }

    /// Adds a comment to the current node or, after an illegal move, to its ending.
    pub fn push_comment(&mut self, text: &str) {
        match &mut self.illegal {
            Some(illegal) => illegal.comments.push(text.into()),
            None => self.record.push_comment(self.at, text),
        }
    }

    /// [`push_comment`](Builder::push_comment) for text without a line end.
    #[inline]
    pub fn push_comment_line(&mut self, line: &str) {
        match &mut self.illegal {
            Some(illegal) => illegal.comments.push(line.into()),
            None => self.record.push_comment_line(self.at, line),
        }
    }

    /// Sets the time of the current node, or of the pending illegal move. Returns `false` and changes nothing if that
    /// has a time, or if nothing was played.
    pub fn set_time(&mut self, time: Millis) -> bool {
        let earlier = match &self.illegal {
            Some(illegal) => illegal.time,
            None => self.record.node(self.at).time(),
        };
        if earlier.is_some() || !self.has_steps() {
            return false;
        }
        match &mut self.illegal {
            Some(illegal) => illegal.time = Some(time),
            None => self.record.set_time(self.at, Some(time)),
        }
        true
    }
}
