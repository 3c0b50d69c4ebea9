//! Writes the common parts of KIF and KI2 as tsshogi does.

use alloc::string::String;
use core::fmt::Write;

use komabako_board::{BaseKind, Color, Hand, Setup, diagram};

use crate::handicap::Handicap;
use crate::record::{Node, Record};

/// The text being written.
#[derive(Default)]
pub(crate) struct Output {
    pub text: String,
}

impl Output {
    pub fn push(&mut self, value: impl core::fmt::Display) {
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{value}");
    }

    pub fn line(&mut self, value: impl core::fmt::Display) {
        self.push(value);
        self.text.push('\n');
    }

    /// Ends the current line if it has text.
    pub fn end_line(&mut self) {
        if !self.text.ends_with('\n') && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Writes the comments and the bookmark of a node.
    pub fn node_text(&mut self, node: Node<'_>) {
        for comment in node.comments() {
            self.end_line();
            self.line(format_args!("*{comment}"));
        }
        if let Some(bookmark) = node.bookmark() {
            self.end_line();
            self.line(format_args!("&{bookmark}"));
        }
    }
}

/// Writes the header and the position.
pub(crate) fn write_header(output: &mut Output, record: &Record) {
    for (key, value) in record.header() {
        output.line(format_args!("{key}：{value}"));
    }
    let setup = record.initial();
    match Handicap::of_setup(&setup) {
        Some(handicap) => output.line(format_args!("手合割：{}", handicap.name)),
        None => write_board(output, &setup),
    }
    if record.first_ply() != 1 {
        output.line(format_args!("手数＝{}  まで", record.first_ply() - 1));
    }
}

/// Writes the diagram, with the pieces of the hands in tsshogi's order.
fn write_board(output: &mut Output, setup: &Setup) {
    write_hand(output, "後手", setup.hand(Color::White));
    let drawn = alloc::format!("{}", diagram::kanji(setup));
    // The hands are the first and the second-to-last line.
    for row in drawn.lines().skip(1).take(12) {
        output.line(row);
    }
    write_hand(output, "先手", setup.hand(Color::Black));
    output.line(match setup.side_to_move() {
        Color::Black => "先手番",
        Color::White => "後手番",
    });
}

fn write_hand(output: &mut Output, player: &str, hand: Hand) {
    const KANJI: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
    output.push(format_args!("{player}の持駒："));
    for (kind, count) in hand.counts() {
        output.push(name(kind));
        let count = usize::from(count);
        if count >= 10 {
            output.push("十");
        }
        if count > 1 && count % 10 > 0 {
            output.push(KANJI[count % 10 - 1]);
        }
        output.push("　");
    }
    output.line(if hand.is_empty() { "なし" } else { "" });
}

const fn name(kind: BaseKind) -> &'static str {
    match kind {
        BaseKind::Pawn => "歩",
        BaseKind::Lance => "香",
        BaseKind::Knight => "桂",
        BaseKind::Silver => "銀",
        BaseKind::Gold => "金",
        BaseKind::Bishop => "角",
        BaseKind::Rook => "飛",
        BaseKind::King => "玉",
    }
}
