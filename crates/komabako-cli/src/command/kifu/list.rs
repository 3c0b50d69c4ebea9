//! One game as a line of JSON.

use komabako::board::Color;
use komabako::board::sfen::Sfen;
use komabako::kifu::{Format, Game, Outcome};
use serde::Serialize;

use crate::escape;

#[derive(Serialize)]
struct Listed<'a> {
    input: &'a str,
    /// The number of the game in the input, from 1.
    game: u32,
    format: &'static str,
    /// The line at which the game begins, from 1.
    line: u32,
    black: Option<&'a str>,
    white: Option<&'a str>,
    black_rating: Option<f64>,
    white_rating: Option<f64>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    time_control: Option<&'a str>,
    sfen: String,
    moves: usize,
    /// CSA's name of the ending, or other text.
    ending: Option<String>,
    /// `black`, `white`, `draw`, or null.
    result: Option<&'static str>,
    variations: usize,
    /// The moves of the main line that have a score.
    scores: usize,
    comments: usize,
    notices: usize,
}

/// The JSON line of a game.
pub fn line(input: &str, format: Format, game: &Game) -> String {
    let record = &game.record;
    let mut comments = record.node(record.start()).comments().count();
    for id in record.walk() {
        comments += record.node(id).comments().count();
    }
    let main = || record.main_line().map(|id| record.node(id));
    let moves = main().filter(|node| node.as_move().is_some()).count();
    let scores = main().filter(|node| node.scores().next().is_some()).count();
    let first = record.initial().side_to_move();
    let side = if moves.is_multiple_of(2) { first } else { komabako::board::color::opponent(first) };
    let ending = record.ending().map(|ending| match ending.csa(side) {
        Some(name) => name.into_owned(),
        None => ending.kif().to_owned(),
    });
    let listed = Listed {
        input,
        game: game.number,
        format: format.name(),
        line: game.line,
        black: record.player(Color::Black),
        white: record.player(Color::White),
        black_rating: record.rating(Color::Black),
        white_rating: record.rating(Color::White),
        event: record.event(),
        date: record.date(),
        time_control: record.time_control(),
        sfen: Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string(),
        moves,
        ending,
        result: record.result().map(|outcome| match outcome {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        }),
        variations: record.variation_count(),
        scores,
        comments,
        notices: game.notices.len(),
    };
    // Serialising text and numbers cannot fail.
    escape::json(serde_json::to_string(&listed).unwrap_or_default())
}
