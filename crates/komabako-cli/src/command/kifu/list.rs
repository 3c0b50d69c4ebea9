//! One game as a line of JSON.

use komabako::board::Color;
use komabako::board::sfen::Sfen;
use komabako::kifu::{Format, Game, Outcome};

use crate::escape;
use crate::json::object;

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
    let listed = object! {
        input: input,
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
        moves: moves,
        ending: ending,
        result: record.result().map(|outcome| match outcome {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        }),
        variations: record.variation_count(),
        scores: scores,
        comments: comments,
        notices: game.notices.len(),
    };
    // Serialising text and numbers cannot fail.
    escape::json(serde_json::to_string(&listed).unwrap_or_default())
}
