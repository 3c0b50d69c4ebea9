//! [`Record`]: a game as a tree of moves.

mod comments;
mod details;
mod node;
mod unplayable;
mod walk;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use komabako_board::{Color, Setup, Square};
use komabako_messages::messages;
use komabako_rules::State;

use crate::clock::Millis;
use crate::ending::{Ending, Outcome};
use crate::lines::line_length;
use comments::Comments;
use node::NodeData;
pub use node::{Node, NodeId, Step};
pub use unplayable::UnplayableSetup;
pub use walk::{Positions, Walk};

/// The maximum number of nodes of a record, including the start.
pub const MAX_NODES: usize = 100_000;

/// A game: header, start position, and a tree of moves whose first children are the main line.
///
/// Every move is legal in its position, and an ending has no children. Lines of text contain no line ends. Records are
/// compared by content; the order of their nodes in memory does not matter.
///
/// ```
/// use komabako_kifu::{Ending, Record, Step};
/// let mut record = Record::even();
/// let first = record.append(record.start(), Step::Move("7g7f".parse().unwrap())).unwrap();
/// record.append(first, Step::End(Ending::Resign)).unwrap();
/// assert_eq!(record.main_line().count(), 2);
/// ```
#[derive(Clone)]
pub struct Record {
    header: Vec<(String, String)>,
    initial: State<()>,
    first_ply: u32,
    nodes: Vec<NodeData>,
    comments: Comments,
    /// The bookmarks by node; few nodes have one.
    bookmarks: BTreeMap<NodeId, String>,
}

/// Why a node cannot be appended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AppendError {
    /// The move is not legal there.
    Illegal,
    /// The parent is an end, or the step is a start.
    Ended,
    /// The record has [`MAX_NODES`] nodes.
    Full,
}

messages! {
    AppendError {
        Illegal => "the move is not legal there", "その指し手はそこでは指せません";
        Ended => "nothing follows an end, and a record has one start", "終局の後には何も続かず、開始局面は 1 つだけです";
        Full => "the record has the greatest number of nodes", "棋譜の手が多すぎます";
    }
}

impl core::error::Error for AppendError {}

impl Record {
    /// A record without moves that starts from a position.
    ///
    /// # Errors
    /// [`UnplayableSetup`] if no game can be played from it; kings may be missing.
    pub fn new(initial: Setup) -> Result<Self, UnplayableSetup> {
        UnplayableSetup::check(initial).map(Self::from_state)
    }

    /// A record without moves that starts from the even game.
    pub fn even() -> Self {
        Self::from_state(State::start())
    }

    /// A record that has only the start position of `other`.
    pub(crate) fn clone_start(other: &Record) -> Self {
        Self::from_state(other.initial.clone())
    }

    fn from_state(initial: State<()>) -> Self {
        let nodes = alloc::vec![NodeData::new(Step::Start, 0, None)];
        let comments = Comments::default();
        let bookmarks = BTreeMap::new();
        Self { header: Vec::new(), initial, first_ply: 1, nodes, comments, bookmarks }
    }

    /// The header: keys with KIF's names (`先手`, `開始日時`) and values, in the order of the file. Keys may repeat.
    pub fn header(&self) -> &[(String, String)] {
        &self.header
    }

    /// The first value of a key of the header.
    pub fn header_value(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The name of Black or White, under either name of the side (先手 or 下手, 後手 or 上手).
    pub fn player(&self, side: Color) -> Option<&str> {
        let [a, b] = match side {
            Color::Black => ["先手", "下手"],
            Color::White => ["後手", "上手"],
        };
        self.header_value(a).or_else(|| self.header_value(b))
    }

    /// Adds an entry to the header. Line ends of the key become blanks; blanks around the value are removed.
    pub fn push_header(&mut self, key: &str, value: &str) {
        let value = value.replace("\r\n", "\n").replace('\r', "\n");
        self.header.push((one_line(key), trim_value(&value).into()));
    }

    /// Sets the whole header, whose values are [trimmed](trim_value) and have no line ends but line feeds.
    pub(crate) fn set_header(&mut self, header: Vec<(String, String)>) {
        self.header = header;
    }

    /// The start position.
    pub fn initial(&self) -> Setup {
        self.initial.setup()
    }

    /// The start position as a state in which moves can be made.
    pub fn initial_state(&self) -> &State<()> {
        &self.initial
    }

    /// The number of the first move, usually 1: the ply of SFEN text.
    pub const fn first_ply(&self) -> u32 {
        self.first_ply
    }

    /// Sets the number of the first move; 0 is treated as 1.
    pub const fn set_first_ply(&mut self, ply: u32) {
        self.first_ply = if ply == 0 { 1 } else { ply };
    }

    /// The node of the start position.
    pub const fn start(&self) -> NodeId {
        NodeId::START
    }

    /// The number of nodes, including the start.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of lines besides the main line.
    pub fn variation_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.first_child.is_none()).count() - 1
    }

    /// A node.
    ///
    /// # Panics
    /// If the id is from a larger record.
    #[inline]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node::new(self, id)
    }

    /// The children of a node: the main one first, then the variations.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.node(id).first_child(), |&child| self.node(child).next_sibling())
    }

    /// The main line, without the start.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.node(self.start()).first_child(), |&id| self.node(id).first_child())
    }

    /// Every line from its first to its last node, without the start: the main line first, then the variations in the
    /// order of Kifu for Windows. The total length is quadratic in the worst case.
    pub fn lines(&self) -> impl Iterator<Item = Vec<NodeId>> + '_ {
        let mut walk = self.walk();
        core::iter::from_fn(move || {
            loop {
                let leaf = walk.next()?;
                if self.node(leaf).first_child().is_none() {
                    return Some(self.path(leaf));
                }
            }
        })
    }

    /// The nodes from the first move to a node.
    fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parents = core::iter::successors(Some(id), |&id| self.node(id).parent());
        let mut path: Vec<_> = parents.take_while(|&id| id != self.start()).collect();
        path.reverse();
        path
    }

    /// Every node except the start, in the order of files: down the main line, then the variations from the last
    /// branching to the first, each followed by its own variations. The walk keeps the position before each node.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// The positions of the main line, the start first.
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self)
    }

    /// The ending of the main line, if it has one.
    pub fn ending(&self) -> Option<&Ending> {
        let last = self.main_line().last()?;
        match self.node(last).step() {
            Step::End(ending) => Some(ending),
            _ => None,
        }
    }

    /// The outcome of the main line; `None` if it is not finished.
    pub fn result(&self) -> Option<Outcome> {
        self.ending()?.outcome(self.last_side())
    }

    /// Appends a step to a node, after its existing children. To check a move, it replays the line up to the node.
    ///
    /// # Errors
    /// [`AppendError`]; the record is unchanged.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn append(&mut self, parent: NodeId, step: Step) -> Result<NodeId, AppendError> {
        let mut state = self.initial.clone();
        if let Step::Move(_) = step {
            for id in self.path(parent) {
                if let Some(mv) = self.node(id).as_move() {
                    state.do_move(mv);
                }
            }
        }
        self.append_after(parent, &state, step)
    }

    /// [`append`](Self::append) for a caller who has the position after the node, whose line then need not be replayed.
    ///
    /// # Errors
    /// [`AppendError`]; the record is unchanged.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn append_after(
        &mut self,
        parent: NodeId,
        state: &State<()>,
        step: Step,
    ) -> Result<NodeId, AppendError> {
        match step {
            Step::Move(mv) if !state.is_legal(mv) => Err(AppendError::Illegal),
            _ => self.append_checked(parent, step),
        }
    }

    /// Appends a step whose move is known to be legal.
    // Always inlined: a caller that passes a move then builds it in place, instead of copying it twice through memory
    // that was just written.
    #[inline(always)]
    pub(crate) fn append_checked(&mut self, parent: NodeId, step: Step) -> Result<NodeId, AppendError> {
        if matches!(step, Step::Start) {
            return Err(AppendError::Ended);
        }
        let (id, ply) = self.link(parent)?;
        self.nodes.push(NodeData::new(step, ply, Some(parent)));
        Ok(id)
    }

    /// Links the next node as a child, and returns its id and ply.
    #[inline]
    fn link(&mut self, parent: NodeId) -> Result<(NodeId, u32), AppendError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(AppendError::Full);
        }
        let id = NodeId::after(self.nodes.len());
        let before = &mut self.nodes[parent.index()];
        if matches!(before.step, Step::End(_)) {
            return Err(AppendError::Ended);
        }
        let ply = before.ply + 1;
        before.first_child.get_or_insert(id);
        if let Some(elder) = before.last_child.replace(id) {
            self.nodes[elder.index()].next_sibling = Some(id);
        }
        Ok((id, ply))
    }

    /// Replaces the step of a node.
    pub(crate) fn replace_step(&mut self, id: NodeId, step: Step) {
        self.nodes[id.index()].step = step;
    }

    /// Reserves room for `nodes` more nodes.
    pub(crate) fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
    }

    /// Sets the time of a node.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn set_time(&mut self, id: NodeId, time: Option<Millis>) {
        self.nodes[id.index()].time = time;
    }

    /// Adds comment lines to a node: text with line ends is split.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn push_comment(&mut self, id: NodeId, text: &str) {
        if line_length(text.as_bytes()) == text.len() {
            self.push_comment_line(id, text);
            return;
        }
        for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
            self.push_comment_line(id, line);
        }
    }

    /// Adds a comment line, which has no line end, to a node.
    #[inline]
    pub(crate) fn push_comment_line(&mut self, id: NodeId, line: &str) {
        self.comments.push(&mut self.nodes[id.index()].comment, line);
    }

    /// Sets the bookmark of a node and returns the previous one. Line ends become blanks.
    ///
    /// # Panics
    /// If the id is from a larger record.
    pub fn set_bookmark(&mut self, id: NodeId, name: &str) -> Option<String> {
        assert!(id.index() < self.nodes.len(), "the node is one of a larger record");
        self.bookmarks.insert(id, one_line(name))
    }

    /// The destination of the move before a node, which 同 refers to.
    pub(crate) fn previous_square(&self, id: NodeId) -> Option<Square> {
        self.node(self.node(id).parent()?).as_move()?.to()
    }
}

/// The value of an entry of the header without the blanks and line feeds around it.
pub(crate) fn trim_value(value: &str) -> &str {
    // A quick test of the bytes; U+3000 is E3 80 80.
    let starts = matches!(value.as_bytes(), [b' ' | b'\t' | b'\n', ..] | [0xe3, 0x80, 0x80, ..]);
    let ends = matches!(value.as_bytes(), [.., b' ' | b'\t' | b'\n'] | [.., 0xe3, 0x80, 0x80]);
    if !starts && !ends {
        return value;
    }
    value.trim_matches([' ', '　', '\t', '\n'])
}

/// Text without line ends.
pub(crate) fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        let nodes_are_equal = || {
            let mut ours = self.walk();
            let mut theirs = other.walk();
            loop {
                match (ours.next(), theirs.next()) {
                    (None, None) => return true,
                    (Some(a), Some(b)) if self.node(a).content_eq(&other.node(b)) => {}
                    _ => return false,
                }
            }
        };
        self.header == other.header
            && self.initial == other.initial
            && self.first_ply == other.first_ply
            && self.nodes.len() == other.nodes.len()
            && self.node(self.start()).content_eq(&other.node(other.start()))
            && nodes_are_equal()
    }
}

impl Eq for Record {}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut walk = self.walk();
        let nodes = core::iter::from_fn(|| walk.next()).map(|id| self.node(id));
        f.debug_struct("Record")
            .field("header", &self.header)
            .field("initial", &self.initial())
            .field("first_ply", &self.first_ply)
            .field("start", &self.node(self.start()))
            .field("nodes", &nodes.collect::<Vec<_>>())
            .finish()
    }
}
