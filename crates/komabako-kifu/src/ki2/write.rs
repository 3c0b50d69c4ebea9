//! Writes KI2 as tsshogi does: six moves per line, in columns of twelve half-width characters.

use alloc::string::{String, ToString};

use crate::kakinoki::{Output, write_header};
use crate::record::{Record, Step};

const MOVES_A_LINE: usize = 6;
const COLUMN: usize = 12;

pub(crate) fn write(record: &Record) -> String {
    let mut output = Output::default();
    write_header(&mut output, record);
    output.node_text(record.node(record.start()));
    let mut walk = record.walk();
    let mut moves = 0;
    let mut last_width = 0;
    let mut last_ply = 0;
    while let Some(id) = walk.next() {
        let node = record.node(id);
        if node.ply() <= last_ply {
            output.end_line();
            output.line("");
            output.line(format_args!("変化：{}手", node.ply()));
        }
        last_ply = node.ply();
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => {
                let japanese = walk.state().japanese(*mv, record.previous_square(id));
                let text = japanese.map(|text| text.ki2().to_string()).unwrap_or_default();
                if output.text.ends_with('\n') {
                    moves = 0;
                } else {
                    for _ in last_width..COLUMN {
                        output.push(' ');
                    }
                }
                output.push(&text);
                last_width = text.chars().count() * 2;
                moves += 1;
                if moves == MOVES_A_LINE {
                    output.end_line();
                }
            }
            Step::End(ending) => {
                output.end_line();
                let sentence = ending.sentence(walk.state().side_to_move());
                output.line(format_args!("まで{}手で{sentence}", node.ply() - 1));
            }
        }
        output.node_text(node);
    }
    // Without a line end after a last move, as tsshogi does.
    output.text
}
