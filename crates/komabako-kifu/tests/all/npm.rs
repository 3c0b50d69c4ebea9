//! tsshogi and json-kifu-format read our output. Runs only where Node and these packages exist: see
//! `tests/npm/package.json`.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::truths;
use komabako_kifu::{Format, Games, ReadOptions, Record};
use serde_json::{Value, json};

/// The handicaps whose names tsshogi does not know.
const UNKNOWN: [&str; 5] = ["三枚落ち", "五枚落ち", "左五枚落ち", "右七枚落ち", "左七枚落ち"];

#[test]
fn other_programs_read_our_files() {
    let Some(modules) = env::var_os("KOMABAKO_NODE_MODULES") else {
        println!("skipped: KOMABAKO_NODE_MODULES names no directory with tsshogi and json-kifu-format");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/npm/read.cjs");
    let mut node = Command::new("node")
        .arg(script)
        .arg(modules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut written = Vec::new();
    let mut input = String::new();
    for truth in truths() {
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Csa3, Format::Jkf] {
            // tsshogi replays games with unknown handicaps from the even position.
            if UNKNOWN.contains(&truth.handicap.as_str()) && !matches!(format, Format::Csa | Format::Csa3) {
                continue;
            }
            let (text, _) = format.write(&truth.record);
            input += &format!("{}\n", json!({ "format": format.name(), "text": text }));
            written.push((truth.id.clone(), format, text));
        }
    }
    let mut stdin = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), written.len());
    for ((id, format, text), line) in written.iter().zip(output.lines()) {
        let read: Value = serde_json::from_str(line).unwrap();
        let record = Games::new(text, *format, ReadOptions::default()).next().unwrap().unwrap().record;
        assert_eq!(read["tsshogi"], nodes(&record), "{id} {format}");
        // json-kifu-format reads neither 入玉勝ち nor CSA 3.0.
        if !text.contains("入玉勝ち") && *format != Format::Csa3 {
            assert_eq!(read["jkf"], main_line(&record), "{id} {format}\n{text}");
        }
    }
}

/// Every node in the order of a file.
fn nodes(record: &Record) -> Value {
    let mut walk = record.walk();
    let nodes = std::iter::from_fn(|| walk.next()).map(|id| {
        let node = record.node(id);
        json!([node.ply(), node.as_move().map_or(String::new(), |mv| mv.to_string())])
    });
    nodes.collect()
}

fn main_line(record: &Record) -> Value {
    let moves = record.main_line().filter_map(|id| record.node(id).as_move());
    moves.map(|mv| Value::from(mv.to_string())).collect()
}
