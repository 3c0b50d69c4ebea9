//! Writes KIF as tsshogi does, in the order of Kifu for Windows.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::kakinoki::{Output, write_header};
use crate::record::{Record, Step};

/// Half-width columns from the move to its time.
const MOVE_WIDTH: usize = 12;

pub(crate) fn write(record: &Record) -> String {
    let mut output = Output::default();
    write_header(&mut output, record);
    output.line("手数----指手---------消費時間--");
    output.node_text(record.node(record.start()));

    // The total time of each ply's player on the path to the current node, in milliseconds.
    let mut totals: Vec<u64> = vec![0];
    let mut walk = record.walk();
    let mut last_ply = 0;
    while let Some(id) = walk.next() {
        let node = record.node(id);
        let ply = node.ply() as usize;
        if ply <= last_ply {
            output.line("");
            output.line(format_args!("変化：{ply}手"));
        }
        last_ply = ply;
        let word = match node.step() {
            Step::Move(mv) => walk.state().kif(*mv, record.previous_square(id)).map(|kif| kif.to_string()),
            Step::End(ending) => Some(ending.kif().to_string()),
            Step::Start => None,
        }
        .unwrap_or_default();
        output.push(format_args!("{ply:4} {word}"));
        totals.truncate(ply);
        let before = if ply >= 2 { totals[ply - 2] } else { 0 };
        let total = before + u64::from(node.time().map_or(0, |time| time.get()));
        totals.push(total);
        if let Some(time) = node.time() {
            let seconds = time.seconds();
            let total = total / 1000;
            for _ in width(&word)..MOVE_WIDTH {
                output.push(' ');
            }
            output.push(format_args!(
                " ({:2}:{:02}/{:02}:{:02}:{:02})",
                seconds / 60,
                seconds % 60,
                total / 3600,
                total / 60 % 60,
                total % 60
            ));
        }
        output.line(if node.next_sibling().is_some() { "+" } else { "" });
        output.node_text(node);
    }
    output.text
}

/// The width of a move or an ending's name in columns, as tsshogi counts: in endings' names every character takes two.
fn width(word: &str) -> usize {
    if word.ends_with(')') {
        return word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    }
    word.encode_utf16().count() * 2
}
