//! Game records as trees in JSON.

use std::collections::BTreeMap;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{Color, Square, color};
use komabako::kifu::{
    About, AppendError, Ending, Format, Millis, NodeId, Notice, Record, ScoreValue, ScoreView, Step,
};
use komabako::messages::Phrase;
use komabako::rules::{Move16, State};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Sentence};
use crate::moves::{MoveText, read_usi};
use crate::vocabulary::ColorName;

/// A game: header, first position and the nodes of its tree.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    header: Vec<(String, String)>,
    initial: String,
    first_ply: u32,
    nodes: Vec<Node>,
    #[serde(skip_deserializing)]
    notices: Vec<NoticeText>,
}

/// A node of the tree, which follows the node `parent`.
#[derive(Serialize, Deserialize, Default)]
struct Node {
    parent: Option<usize>,
    #[serde(flatten, skip_deserializing)]
    texts: Option<MoveText>,
    #[serde(skip_serializing)]
    usi: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bookmark: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u32>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    score: Option<ScoreText>,
}

#[derive(Serialize)]
struct ScoreText {
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<MateText>,
}

#[derive(Serialize)]
struct MateText {
    winner: ColorName,
    plies: u32,
}

#[derive(Serialize)]
struct NoticeText {
    line: u32,
    name: &'static str,
    text: String,
    sentence: Sentence,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteGame {
    game: Game,
    format: String,
}

#[derive(Serialize)]
pub struct Written {
    text: String,
    losses: BTreeMap<&'static str, u64>,
}

impl Game {
    /// Converts a record, adding the texts of its moves.
    pub fn read(game: &komabako::kifu::Game) -> Self {
        let record = &game.record;
        // The walk visits variations last to first; the tree of the page has the order of the record's nodes, in which
        // each node follows its parent.
        let mut nodes: Vec<Node> = Vec::new();
        nodes.resize_with(record.node_count(), Node::default);
        nodes[0] = node(record, record.start(), None);
        let mut walk = record.walk();
        while let Some(id) = walk.next() {
            nodes[id.index()] = node(record, id, Some(walk.state()));
        }
        Self {
            header: record.header().to_vec(),
            initial: Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string(),
            first_ply: record.first_ply(),
            nodes,
            notices: game.notices.iter().map(notice).collect(),
        }
    }

    /// Builds the record that the page describes.
    fn record(&self) -> Result<Record, Failure> {
        let mut record = Record::new(sfen::parse(&self.initial)?.setup)?;
        record.set_first_ply(self.first_ply);
        for (key, value) in &self.header {
            record.push_header(key, value);
        }
        let mut ids: Vec<NodeId> = Vec::new();
        // The state after each node, so that a long game is not replayed for each of its moves.
        let mut states: Vec<State<()>> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let (id, state) = match node.parent {
                None if index == 0 => (record.start(), record.initial_state().clone()),
                Some(parent) if parent < index => {
                    let mut state = states[parent].clone();
                    let step = self
                        .step(node, &state)
                        .map_err(|failure| failure.at_move(index, node.usi.as_deref().unwrap_or_default()))?;
                    let appended = record.append_after(ids[parent], &state, step);
                    let id = appended.map_err(|error| append_failure(error).at_move(index, ""))?;
                    if let Some(mv) = record.node(id).as_move() {
                        state.do_move(mv);
                    }
                    (id, state)
                }
                _ => {
                    let failure = Failure::new("NODE", &ORDER);
                    return Err(failure.at_move(index, ""));
                }
            };
            for line in &node.comments {
                record.push_comment(id, line);
            }
            if let Some(name) = &node.bookmark {
                record.set_bookmark(id, name);
            }
            record.set_time(id, node.time.map(Millis::new));
            ids.push(id);
            states.push(state);
        }
        Ok(record)
    }

    /// The step of a node after a position.
    fn step(&self, node: &Node, state: &State<()>) -> Result<Step, Failure> {
        match (&node.usi, &node.end) {
            (Some(usi), None) => Ok(Step::Move(read_usi(state, usi)?)),
            (None, Some(word)) => Ok(Step::End(Ending::from_kif(word))),
            _ => Err(Failure::new("NODE", &STEP)),
        }
    }
}

const ORDER: Phrase = Phrase::new(
    "a node must follow its parent; the start comes first",
    "ノードは親の後に置き、開始局面が最初です",
);
const STEP: Phrase = Phrase::new("a node has either a move or an end", "ノードは指し手か終局のどちらかです");
const FORMAT: Phrase =
    Phrase::new("no format of game records has this name", "その名前の棋譜の形式はありません");

fn append_failure(error: AppendError) -> Failure {
    let name = match error {
        AppendError::Illegal => "ILLEGAL_MOVE",
        AppendError::Full => "LIMIT",
        AppendError::Ended => "ORDER",
    };
    Failure::new(name, &error)
}

/// The word of an ending from which [`Ending::from_kif`] reads it back: KIF's own word of some draws is that of others.
fn end_word(ending: &Ending) -> &str {
    match ending {
        Ending::Draw => "引き分け",
        Ending::MaxMoves => "最大手数",
        known => known.kif(),
    }
}

/// A node of a record; `before` is the position before it.
fn node(record: &Record, id: NodeId, before: Option<&State<()>>) -> Node {
    let node = record.node(id);
    let (texts, end) = match (node.step(), before) {
        (&Step::Move(mv), Some(state)) => (Some(MoveText::new(state, mv, previous_square(record, id))), None),
        (Step::End(ending), _) => (None, Some(end_word(ending).to_owned())),
        _ => (None, None),
    };
    let score = node.scores().next().map(|score| {
        // The page shows Black's view.
        let mover = before.map_or(Color::Black, |state| state.side_to_move());
        let viewer = score.viewer(mover, ScoreView::Black);
        let (number, mate) = match score.value {
            ScoreValue::Number(number) if viewer == Color::White => (Some(number.saturating_neg()), None),
            ScoreValue::Number(number) => (Some(number), None),
            ScoreValue::Mate { wins, plies } => {
                let winner = if wins { viewer } else { color::opponent(viewer) };
                (None, Some(MateText { winner: winner.into(), plies }))
            }
        };
        let about = if score.about == About::Before { "before" } else { "after" };
        ScoreText { about, number, mate }
    });
    Node {
        parent: node.parent().map(NodeId::index),
        texts,
        usi: None,
        end,
        comments: node.comments().map(str::to_owned).collect(),
        bookmark: node.bookmark().map(str::to_owned),
        time: node.time().map(Millis::get),
        score,
    }
}

/// The destination of the move before a node, for 同.
fn previous_square(record: &Record, id: NodeId) -> Option<Square> {
    record.node(record.node(id).parent()?).as_move().and_then(Move16::to)
}

fn notice(notice: &Notice) -> NoticeText {
    NoticeText {
        line: notice.line,
        name: notice.kind.name(),
        text: notice.text.clone(),
        sentence: Sentence::of(notice),
    }
}

/// The text of a game, and the losses of the format.
pub fn write(request: &WriteGame) -> Result<Written, Failure> {
    let format = Format::ALL.iter().find(|format| format.name() == request.format);
    let format = format.ok_or_else(|| Failure::new("FORMAT", &FORMAT))?;
    let (text, losses) = format.write(&request.game.record()?);
    let mut counts = BTreeMap::new();
    for (loss, count) in losses.counts() {
        if count > 0 {
            counts.insert(loss, count);
        }
    }
    Ok(Written { text, losses: counts })
}
