//! Files as other programs write them: each file of `tests/data/dialects` with what it must be read as.

use std::fs;

use komabako_board::{Color, color, sfen};
use komabako_kifu::{About, Format, Game, KifuError, Outcome, Record, ScoreView};
use serde_json::{Value, json};

use crate::common::path;

/// Each row names a file and a JSON object; see the README of the data.
#[test]
fn files_of_other_programs_are_read_as_expected() {
    let mut failures = Vec::new();
    for folder in fs::read_dir(path("dialects")).unwrap().map(|entry| entry.unwrap().path()) {
        let table = fs::read_to_string(folder.join("expected.tsv")).unwrap();
        for row in table.lines().skip(1) {
            let fields: Vec<_> = row.split('\t').collect();
            let file = folder.join(fields[0]);
            let extension = file.extension().and_then(|extension| extension.to_str());
            let games = read(&fs::read(&file).unwrap(), extension);
            let expected: Value = serde_json::from_str(fields[3]).unwrap();
            if !matches(&games, &expected) {
                failures.push(format!("{} {}: {expected}\n{games:?}", fields[0], fields[1]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Every game, or the error of the whole file.
fn read(bytes: &[u8], extension: Option<&str>) -> Vec<Result<Game, KifuError>> {
    let decoded = match komabako_kifu::encoding::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return vec![Err(error)],
    };
    let text = decoded.text.as_ref();
    let named = extension.and_then(Format::from_extension);
    let Some(format) = Format::detect(text) else { return vec![Err(komabako_kifu::unknown(text))] };
    assert!(named.is_none_or(|named| named == format || format == Format::Csa3), "{format}");
    komabako_kifu::Games::new(text, format, Default::default()).collect()
}

fn matches(games: &[Result<Game, KifuError>], expected: &Value) -> bool {
    if let Some(alternatives) = expected["anyof"].as_array() {
        return alternatives.iter().any(|alternative| matches(games, alternative));
    }
    let read: Vec<&Game> = games.iter().flatten().collect();
    let first = read.first().map(|game| facts(&game.record));
    expected.as_object().unwrap().iter().all(|(key, value)| match key.as_str() {
        "rc" => (value == 0) == games.iter().all(Result::is_ok),
        "games" => *value == read.len(),
        "msgnot" => {
            let not = value.as_str().unwrap();
            games.iter().flat_map(|game| game.as_ref().err()).all(|error| !error.to_string().contains(not))
        }
        "kif_has" => {
            let has = value.as_str().unwrap();
            read.iter().all(|game| Format::Kif.write(&game.record).0.contains(has))
        }
        "tsv_score" => read.first().and_then(|game| first_score(&game.record)).as_deref() == value.as_str(),
        key => first.as_ref().is_some_and(|facts| facts[key] == *value),
    })
}

/// The facts of a game that `komabako kifu --list` prints.
fn facts(record: &Record) -> Value {
    let moves = record.main_line().filter(|&id| record.node(id).as_move().is_some()).count();
    let first = record.initial().side_to_move();
    let side = if moves.is_multiple_of(2) { first } else { color::opponent(first) };
    let ending = record.ending();
    json!({
        "moves": moves,
        "ending": ending.map(|ending| {
            ending.csa(side).map_or_else(|| ending.kif().to_owned(), |name| name.into_owned())
        }),
        "result": record.result().map(|outcome| match outcome {
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        }),
        "sfen": sfen::Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string(),
        "black": record.player(Color::Black),
        "white": record.player(Color::White),
    })
}

/// The first analysis of a position, from the view of the side to move there.
fn first_score(record: &Record) -> Option<String> {
    let mut side = record.initial().side_to_move();
    for id in record.main_line() {
        let mover = side;
        side = color::opponent(side);
        let score = record.node(id).scores().find(|score| score.about == About::After);
        if let Some(score) = score {
            return Some(score.for_side(side, mover, ScoreView::Black).0.to_string());
        }
    }
    None
}
