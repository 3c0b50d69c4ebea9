//! Writes normalised JKF with the members in tsshogi's order.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use komabako_board::{BaseKind, Color, File, Rank, Setup, Square, square};
use komabako_rules::{Move16, State, csa_name};

use super::json::push_string;
use crate::handicap::Handicap;
use crate::record::{Node, NodeId, Record, Step};

pub(crate) fn write(record: &Record) -> String {
    let mut out = String::from("{\"header\":{");
    for (index, (key, value)) in record.header().iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        push_string(&mut out, key);
        out.push(':');
        push_string(&mut out, value);
    }
    out.push_str("},\"initial\":");
    write_initial(&mut out, &record.initial());
    out.push_str(",\"moves\":[{");
    write_comments(&mut out, record.node(record.start()), "");
    out.push('}');
    write_moves(&mut out, record);
    out.push_str("]}");
    out
}

/// Writes the entries of all lines. Forks are nested in the entry of the move that they replace, which the walk visits
/// first. So the walk formats each node's entry, and the lines are assembled afterwards, with a stack instead of
/// recursion.
fn write_moves(out: &mut String, record: &Record) {
    let mut entries: Vec<String> = Vec::new();
    entries.resize(record.node_count(), String::new());
    let mut totals: Vec<u64> = alloc::vec![0];
    let mut walk = record.walk();
    while let Some(id) = walk.next() {
        let node = record.node(id);
        let ply = node.ply() as usize;
        totals.truncate(ply);
        let before = if ply >= 2 { totals[ply - 2] } else { 0 };
        totals.push(before + u64::from(node.time().map_or(0, |time| time.seconds())));
        entries[id.index()] = entry(record, id, walk.state(), totals[ply]);
    }
    let mut tasks: Vec<Task> =
        record.node(record.start()).first_child().map(Task::Next).into_iter().collect();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => out.push_str(text),
            Task::Next(id) => {
                out.push(',');
                tasks.push(Task::Entry { id, holds_forks: true });
            }
            Task::Entry { id, holds_forks } => {
                out.push('{');
                out.push_str(&entries[id.index()]);
                tasks.extend(record.node(id).first_child().map(Task::Next));
                tasks.push(Task::Text("}"));
                if holds_forks && let Some(first) = record.node(id).next_sibling() {
                    let forks = core::iter::successors(Some(first), |&id| record.node(id).next_sibling());
                    let from = tasks.len();
                    for (index, id) in forks.enumerate() {
                        tasks.push(Task::Text(if index == 0 { ",\"forks\":[[" } else { ",[" }));
                        tasks.push(Task::Entry { id, holds_forks: false });
                        tasks.push(Task::Text("]"));
                    }
                    tasks.push(Task::Text("]"));
                    tasks[from..].reverse();
                }
            }
        }
    }
}

/// An item on the stack of output still to be written; the next one is last.
enum Task {
    Text(&'static str),
    /// A comma and the entry of a node of the main line or of a fork.
    Next(NodeId),
    Entry {
        id: NodeId,
        holds_forks: bool,
    },
}

/// The members of a node's entry except its forks, without braces.
fn entry(record: &Record, id: NodeId, state: &State<()>, total: u64) -> String {
    let node = record.node(id);
    let mut out = String::new();
    if let Some(time) = node.time() {
        let seconds = time.seconds();
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "\"time\":{{\"now\":{{\"m\":{},\"s\":{}}},\"total\":{{\"h\":{},\"m\":{},\"s\":{}}}}},",
            seconds / 60,
            seconds % 60,
            total / 3600,
            total / 60 % 60,
            total % 60
        );
    }
    match node.step() {
        Step::Move(mv) => {
            out.push_str("\"move\":{");
            write_move(&mut out, *mv, state, record.previous_square(id));
            out.push('}');
        }
        Step::End(ending) => {
            out.push_str("\"special\":");
            push_string(&mut out, &ending.csa(state.side_to_move()).unwrap_or_default());
        }
        Step::Start => {}
    }
    write_comments(&mut out, node, ",");
    out
}

/// Writes the members of a move.
fn write_move(out: &mut String, mv: Move16, state: &State<()>, previous: Option<Square>) {
    let (Some(to), Some(japanese)) = (mv.to(), state.japanese(mv, previous)) else { return };
    let number = |color| u8::from(color == Color::White);
    let place = |square| (File::of(square).number(), Rank::of(square).number());
    let before = mv.from().and_then(|from| state.piece_at(from)).map(|piece| piece.to_parts().0);
    let dropped = mv.dropped().map(BaseKind::unpromoted);
    let name = before.or(dropped).map_or("", csa_name);
    let (x, y) = place(to);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "\"color\":{},\"piece\":\"{name}\",\"to\":{{\"x\":{x},\"y\":{y}}}",
        number(state.side_to_move())
    );
    if let Some(from) = mv.from() {
        let (x, y) = place(from);
        let _ = write!(out, ",\"from\":{{\"x\":{x},\"y\":{y}}}");
        if previous == Some(to) {
            out.push_str(",\"same\":true");
        }
        let might_promote = state.is_pseudo_legal(Move16::board(from, to, true));
        if might_promote {
            let _ = write!(out, ",\"promote\":{}", mv.is_promotion());
        }
        if let Some(captured) = state.piece_at(to) {
            let _ = write!(out, ",\"capture\":\"{}\"", csa_name(captured.to_parts().0));
        }
    }
    let relative: String = japanese.relative().collect();
    if !relative.is_empty() {
        let _ = write!(out, ",\"relative\":\"{relative}\"");
    }
}

fn write_comments(out: &mut String, node: Node<'_>, before: &str) {
    for (index, comment) in node.comments().enumerate() {
        if index == 0 {
            out.push_str(before);
        }
        out.push_str(if index == 0 { "\"comments\":[" } else { "," });
        push_string(out, comment);
    }
    if node.comments().next().is_some() {
        out.push(']');
    }
}

fn write_initial(out: &mut String, setup: &Setup) {
    if let Some(handicap) = Handicap::of_setup(setup) {
        // Writing to a String cannot fail.
        let _ = write!(out, "{{\"preset\":\"{}\"}}", handicap.preset);
        return;
    }
    let number = |color| u8::from(color == Color::White);
    let side = number(setup.side_to_move());
    let _ = write!(out, "{{\"preset\":\"OTHER\",\"data\":{{\"color\":{side},\"board\":[");
    for file in File::all() {
        out.push_str(if file.number() > 1 { ",[" } else { "[" });
        for rank in Rank::all() {
            out.push_str(if rank.number() > 1 { ",{" } else { "{" });
            if let Some((kind, color)) = setup.piece_at(square::at(file, rank)).map(|piece| piece.to_parts())
            {
                let _ = write!(out, "\"color\":{},\"kind\":\"{}\"", number(color), csa_name(kind));
            }
            out.push('}');
        }
        out.push(']');
    }
    out.push_str("],\"hands\":[");
    for color in [Color::Black, Color::White] {
        out.push_str(if color == Color::White { ",{" } else { "{" });
        for (index, kind) in BaseKind::IN_HAND.into_iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let count = setup.hand(color).count(kind);
            let _ = write!(out, "{comma}\"{}\":{count}", csa_name(kind.unpromoted()));
        }
        out.push('}');
    }
    out.push_str("]}}");
}
