//! Writes CSA as tsshogi does.

use alloc::string::String;

use komabako_board::{Color, File, Hand, Rank, Setup, square};
use komabako_rules::csa_name;

use super::header::write_entry;
use crate::handicap::Handicap;
use crate::kakinoki::Output;
use crate::record::{Node, Record, Step};

/// A version of CSA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    V2_2,
    V3_0,
}

pub(crate) fn write(record: &Record, version: Version) -> String {
    let mut output = Output::default();
    output.push(match version {
        Version::V2_2 => "V2.2\n",
        Version::V3_0 => "'CSA encoding=UTF-8\nV3.0\n",
    });
    let names = [Color::Black, Color::White].map(|color| record.player(color).unwrap_or_default());
    for (key, value) in record.header() {
        match key.as_str() {
            "先手" => output.line(format_args!("N+{value}")),
            "後手" => output.line(format_args!("N-{value}")),
            _ => output.line(write_entry(key, value, names)),
        }
    }
    write_position(&mut output, &record.initial());
    write_comments(&mut output, record.node(record.start()));
    let mut walk = record.walk();
    while let Some(id) = walk.next() {
        let node = record.node(id);
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => {
                if let Some(text) = walk.state().csa(*mv) {
                    output.line(text);
                }
            }
            Step::End(ending) => {
                let name = ending.csa(walk.state().side_to_move()).unwrap_or_default();
                output.line(format_args!("%{name}"));
            }
        }
        if let Some(time) = node.time() {
            output.line(format_args!("T{time}"));
        }
        write_comments(&mut output, node);
    }
    output.text
}

fn write_comments(output: &mut Output, node: Node<'_>) {
    for comment in node.comments() {
        output.line(format_args!("'*{comment}"));
    }
}

fn write_position(output: &mut Output, setup: &Setup) {
    let named = Handicap::of_setup(setup).and_then(Handicap::csa_squares);
    match named {
        Some(squares) => {
            output.push("PI");
            for &square in squares {
                let kind = Setup::START.piece_at(square).map(|piece| piece.to_parts().0);
                output.push(format_args!("{}{}", File::of(square).number(), Rank::of(square).number()));
                output.push(kind.map_or("", csa_name));
            }
            output.line("");
        }
        None => {
            for rank in Rank::all() {
                output.push(format_args!("P{}", rank.number()));
                for file in File::all().rev() {
                    match setup.piece_at(square::at(file, rank)).map(|piece| piece.to_parts()) {
                        None => output.push(" * "),
                        Some((kind, color)) => {
                            let sign = if color == Color::Black { '+' } else { '-' };
                            output.push(format_args!("{sign}{}", csa_name(kind)));
                        }
                    }
                }
                output.line("");
            }
            write_hand(output, '+', setup.hand(Color::Black));
            write_hand(output, '-', setup.hand(Color::White));
        }
    }
    output.line(if setup.side_to_move() == Color::Black { '+' } else { '-' });
}

fn write_hand(output: &mut Output, sign: char, hand: Hand) {
    output.push(format_args!("P{sign}"));
    for (kind, count) in hand.counts() {
        for _ in 0..count {
            output.push(format_args!("00{}", csa_name(kind.unpromoted())));
        }
    }
    output.line("");
}
