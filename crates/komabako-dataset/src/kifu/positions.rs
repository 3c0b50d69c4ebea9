//! The records of one game.

use komabako_board::Color;
use komabako_board::color::opponent;
use komabako_kifu::{About, Candidate, Ending, Node, NodeId, Outcome, Record as Game, Step};
use komabako_rules::{Move16, State};

use super::{MissingScore, PositionOptions, ScoreSource, Unfinished};
use crate::record::{EndReason, Extras, Labels};
use crate::{GameResult, Record};

/// A record and the number of its move.
pub(super) struct GamePosition {
    pub record: Record,
    pub number: u32,
    /// The moves that a search considered there, and their visits; empty unless whole games are kept.
    pub candidates: Box<[(Move16, u16)]>,
}

/// Counts of a game's conversion.
#[derive(Default)]
pub(super) struct Found {
    pub scores: u64,
    pub without_score: u64,
    pub clamped: u64,
    pub is_unfinished: bool,
    pub unfinished_variations: u64,
}

/// The records of one game, each after the number of its move, as a [`Job`](super::Job) makes them.
///
/// ```
/// use komabako_dataset::kifu::{MissingScore, PositionOptions, records_of_game};
/// let games = komabako_kifu::read("startpos moves 7g7f 3c3d resign".as_bytes(), Some("usi"))?;
/// let options = PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() };
/// assert_eq!(records_of_game(&games[0].record, &options).len(), 2);
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
pub fn records_of_game(game: &Game, options: &PositionOptions) -> Vec<(u32, Record)> {
    let mut found = Vec::new();
    records(game, options, false, &mut found);
    found.into_iter().map(|position| (position.number, position.record)).collect()
}

/// The scores before the moves of a game's main line that [`records_of_game`] has in its records, without making those.
///
/// ```
/// use komabako_dataset::kifu::{PositionOptions, scores_of_game};
/// let games = komabako_kifu::read("PI\n+\n+7776FU\n'** 30\n-3334FU\n%TORYO\n".as_bytes(), Some("csa"))?;
/// assert_eq!(scores_of_game(&games[0].record, &PositionOptions::default()), [Some(30), None]);
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
pub fn scores_of_game(game: &Game, options: &PositionOptions) -> Vec<Option<i16>> {
    let mut scores = Vec::new();
    let mut side = game.initial_state().side_to_move();
    let mut before = game.node(game.start());
    for id in game.main_line() {
        let node = game.node(id);
        if node.as_move().is_none() {
            break;
        }
        scores.push(score(node, Some(before), side, options).map(|(score, _)| score));
        side = opponent(side);
        before = node;
    }
    scores
}

/// Extracts the records of a game, in the order of its moves; `whole` games keep positions without a score, as ones
/// that are not for training.
pub(super) fn records(
    game: &Game,
    options: &PositionOptions,
    whole: bool,
    out: &mut Vec<GamePosition>,
) -> Found {
    let mut found = Found::default();
    out.clear();
    let main = result_of(game.result(), options);
    if main.is_none() && !options.variations {
        found.is_unfinished = true;
        return found;
    }
    // Of the line that is walked: a variation has its own.
    let mut result = main;
    let reason = end_reason(game.ending());
    let mut walk = game.walk();
    while let Some(id) = walk.next() {
        let node = game.node(id);
        let Some(mv) = node.as_move() else {
            if !options.variations && node.first_child().is_none() {
                break;
            }
            continue;
        };
        let parent = node.parent().map(|id| game.node(id));
        if parent.is_some_and(|parent| parent.first_child() != Some(id)) {
            result = line_result(game, id, options);
            found.unfinished_variations += u64::from(result.is_none());
        }
        if result.is_none() {
            continue;
        }
        let side = walk.state().side_to_move();
        let score = score(node, parent, side, options);
        found.clamped += u64::from(score.is_some_and(|(_, clamped)| clamped));
        found.scores += u64::from(score.is_some());
        let mut is_unfit = false;
        let value = match (score, options.missing, options.score) {
            (Some((score, _)), ..) => Some(score),
            (None, MissingScore::Value(value), _) => Some(value),
            (None, MissingScore::Skip, ScoreSource::None) => None,
            // A format of whole games cannot have gaps.
            (None, MissingScore::Skip, _) if whole => {
                found.without_score += 1;
                is_unfit = true;
                Some(0)
            }
            (None, MissingScore::Skip, _) => {
                found.without_score += 1;
                if is_last(node, options) {
                    break;
                }
                continue;
            }
        };
        let number = node.ply();
        let ply = game.first_ply().saturating_add(number - 1);
        let best_move = Some(mv.into());
        let candidates = if whole && !is_unfit { candidates(node, walk.state()) } else { Box::default() };
        let extras = match reason {
            Some(reason) if whole => {
                Extras { end_reason: Some(reason), end_flags: reason.flags(), is_unfit, ..Extras::default() }
            }
            _ => Extras { is_unfit, ..Extras::default() },
        };
        let labels = Labels { score: value, best_move, result, ply: Some(ply), extras };
        let record = Record { setup: walk.state().setup(), labels };
        out.push(GamePosition { record, number, candidates });
        if is_last(node, options) {
            break;
        }
    }
    found.is_unfinished = main.is_none() && out.is_empty();
    found
}

/// The moves that a search visited before a move, and their visits; the field of hcpe3 ends at 65,535.
fn candidates(node: Node<'_>, before: &State<()>) -> Box<[(Move16, u16)]> {
    let visited = node.candidates(before).into_iter().filter(|found| found.visits > 0);
    let visits = |found: Candidate| u16::try_from(found.visits).unwrap_or(u16::MAX);
    visited.map(|found| (found.mv, visits(found))).collect()
}

/// Whether the walk has reached its last record: without variations, the end of the main line.
fn is_last(node: Node<'_>, options: &PositionOptions) -> bool {
    !options.variations && node.first_child().is_none()
}

/// The score of the position before a move, from its player's view, and whether it was clamped.
fn score(
    node: Node<'_>,
    parent: Option<Node<'_>>,
    side: Color,
    options: &PositionOptions,
) -> Option<(i16, bool)> {
    let of = |node: Node<'_>, about, mover| {
        let score = node.scores().find(|score| score.about == about)?;
        Some(score.for_side(side, mover, options.view))
    };
    let own = || of(node, About::Before, side);
    // An analysis is attached to the previous move, which the other side made.
    let analysis = || of(parent?, About::After, opponent(side));
    match options.score {
        ScoreSource::Mover => own().or_else(analysis),
        ScoreSource::After => analysis().or_else(own),
        ScoreSource::None => None,
    }
}

fn result_of(outcome: Option<Outcome>, options: &PositionOptions) -> Option<GameResult> {
    match (outcome, options.unfinished) {
        (Some(Outcome::Win(winner)), _) => Some(GameResult::win_of(winner)),
        (Some(Outcome::Draw), _) | (None, Unfinished::Draw) => Some(GameResult::Draw),
        (None, Unfinished::Skip) => None,
    }
}

/// The result of the first line through a node.
fn line_result(game: &Game, id: NodeId, options: &PositionOptions) -> Option<GameResult> {
    let line = std::iter::successors(Some(id), |&id| game.node(id).first_child());
    let last = game.node(line.last()?);
    let Step::End(ending) = last.step() else { return result_of(None, options) };
    let first = game.initial().side_to_move();
    // The end is a separate node.
    let moves = last.ply() - 1;
    let side = if moves.is_multiple_of(2) { first } else { opponent(first) };
    result_of(ending.outcome(side), options)
}

/// The reason why the game ended, in GenSfen's codes.
fn end_reason(ending: Option<&Ending>) -> Option<EndReason> {
    Some(match ending? {
        Ending::Resign | Ending::Mate => EndReason::Resignation,
        Ending::Repetition => EndReason::Repetition,
        Ending::MaxMoves => EndReason::MoveLimit,
        Ending::TimeUp => EndReason::TimeOut,
        Ending::Illegal => EndReason::IllegalMove,
        Ending::DeclarationWin => EndReason::Declaration27,
        _ => return None,
    })
}
