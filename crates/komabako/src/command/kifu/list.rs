//! One game as a line of JSON.

use komabako::board::sfen::Sfen;
use komabako::dataset::select::games::GameFields;
use komabako::kifu::{Format, Game};

use crate::escape;
use crate::json::object;

/// The JSON line of a game.
pub fn line(input: &str, format: Format, game: &Game) -> String {
    let record = &game.record;
    let mut comments = record.node(record.start()).comments().count();
    for id in record.walk() {
        comments += record.node(id).comments().count();
    }
    let fields = GameFields::from_record(record);
    let listed = object! {
        input: input,
        game: game.number,
        format: format.name(),
        line: game.line,
        black: fields.black,
        white: fields.white,
        rating_min: fields.rating_min(),
        rating_max: fields.rating_max(),
        black_rating: fields.black_rating,
        white_rating: fields.white_rating,
        event: fields.event,
        site: fields.site,
        date: &fields.date,
        time_control: fields.time_control,
        handicap: fields.handicap,
        sfen: Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string(),
        plies: fields.plies,
        ending: &fields.ending,
        winner: fields.winner(),
        has_scores: fields.has_scores(),
        scored: fields.scored,
        variations: fields.variations,
        comments: comments,
        notices: game.notices.len(),
    };
    // Serialising text and numbers cannot fail.
    escape::json(serde_json::to_string(&listed).unwrap_or_default())
}
