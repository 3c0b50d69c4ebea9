//! One game as a line of JSON.

use komabako::board::Color;
use komabako::board::sfen::Sfen;
use komabako::kifu::{Format, Game, Outcome, Step};
use serde::Serialize;

use crate::escape;

#[derive(Serialize)]
struct Listed<'a> {
    input: &'a str,
    format: &'static str,
    /// The line at which the game begins, from 1.
    line: u32,
    black: Option<&'a str>,
    white: Option<&'a str>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    sfen: String,
    moves: usize,
    /// CSA's name of the ending, or other text.
    ending: Option<String>,
    /// `black`, `white`, `draw`, or null.
    result: Option<&'static str>,
    variations: usize,
    comments: usize,
    notices: usize,
}

/// The JSON line of a game.
pub fn line(input: &str, format: Format, game: &Game) -> String {
    let record = &game.record;
    let (mut lines, mut comments) = (0, record.node(record.start()).comments().count());
    for id in record.walk() {
        let node = record.node(id);
        lines += usize::from(node.first_child().is_none());
        comments += node.comments().count();
    }
    let main: Vec<_> = record.main_line().map(|id| record.node(id).step()).collect();
    let moves = main.iter().filter(|step| matches!(step, Step::Move(_))).count();
    let first = record.initial().side_to_move();
    let side = if moves.is_multiple_of(2) { first } else { komabako::board::color::opponent(first) };
    let ending = record.ending().map(|ending| match ending.csa(side) {
        Some(name) => name.into_owned(),
        None => ending.kif().to_owned(),
    });
    let listed = Listed {
        input,
        format: format.name(),
        line: game.line,
        black: record.player(Color::Black),
        white: record.player(Color::White),
        event: record.header_value("棋戦"),
        date: record.header_value("開始日時"),
        sfen: Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string(),
        moves,
        ending,
        result: record.result().map(|outcome| match outcome {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        }),
        variations: lines.saturating_sub(1),
        comments,
        notices: game.notices.len(),
    };
    // Serialising text and numbers cannot fail.
    escape::json(serde_json::to_string(&listed).unwrap_or_default())
}
