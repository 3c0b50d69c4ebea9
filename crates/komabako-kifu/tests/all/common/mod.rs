//! The games of `tests/data`, as described in `truth.jsonl`.

use std::fs;
use std::path::PathBuf;

use komabako_board::sfen;
use komabako_kifu::{Ending, Format, Game, Games, Millis, NodeId, ReadOptions, Record, Step, encoding};
use serde_json::Value;

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The text of a file with LF as line end.
pub fn text(name: &str) -> String {
    let bytes = bytes(name);
    encoding::decode(&bytes).unwrap().text.replace("\r\n", "\n")
}

pub fn exists(name: &str) -> bool {
    path(name).exists()
}

/// The format of a file, detected by its content, and its games.
pub fn games(name: &str) -> (Format, Vec<Game>) {
    let text = text(name);
    let format = Format::detect(&text).unwrap_or_else(|| panic!("{name}: unknown format"));
    let games = Games::new(&text, format, ReadOptions::default()).collect::<Result<_, _>>();
    (format, games.unwrap_or_else(|error| panic!("{name}: {error}")))
}

pub struct Truth {
    pub id: String,
    pub handicap: String,
    pub record: Record,
}

pub fn truths() -> Vec<Truth> {
    text("truth.jsonl").lines().map(|line| truth(&serde_json::from_str(line).unwrap())).collect()
}

fn truth(game: &Value) -> Truth {
    let string = |name: &str| game[name].as_str().unwrap_or_default().to_owned();
    let mut record = Record::new(sfen::parse(game["sfen"].as_str().unwrap()).unwrap().setup).unwrap();
    for (key, name) in [("先手", "black"), ("後手", "white")] {
        if let Some(player) = game[name].as_str().filter(|player| !player.is_empty()) {
            record.push_header(key, player);
        }
    }
    let start = record.start();
    for comment in game["start_comment"].as_array().unwrap() {
        record.push_comment(start, comment.as_str().unwrap());
    }
    let has_times = game["line"].as_array().unwrap().iter().any(|step| step[1].is_u64());
    append(&mut record, start, game, if has_times { 3 } else { 0 });
    Truth { id: string("id"), handicap: string("handicap"), record }
}

/// Appends a line, then the lines that branch off it; the forks of one ply keep their order.
fn append(record: &mut Record, parent: NodeId, line: &Value, end_time: u32) {
    let mut path = vec![parent];
    for step in line["line"].as_array().unwrap() {
        let mv = step[0].as_str().unwrap().parse().unwrap();
        let id = record.append(*path.last().unwrap(), Step::Move(mv)).unwrap();
        record.set_time(id, Millis::from_seconds(step[1].as_u64().unwrap_or(0) as u32));
        for comment in step[2].as_array().unwrap() {
            record.push_comment(id, comment.as_str().unwrap());
        }
        path.push(id);
    }
    if let Some(end) = line["end"].as_str() {
        let last = *path.last().unwrap();
        // The side to move follows from the ply.
        let moves = record.node(last).ply();
        let first = record.initial().side_to_move();
        let side = if moves.is_multiple_of(2) { first } else { komabako_board::color::opponent(first) };
        let id = record.append(last, Step::End(Ending::from_csa(end, side))).unwrap();
        record.set_time(id, Millis::from_seconds(end_time));
    }
    for fork in line["forks"].as_array().unwrap() {
        let ply = fork["ply"].as_u64().unwrap() as u32;
        let before = path.iter().copied().find(|&id| record.node(id).ply() == ply - 1).unwrap();
        append(record, before, fork, end_time);
    }
}
