//! The tables of figures that the text and the page share. A cell names the member of `--json` that it shows, as a JSON pointer.

use komabako::dataset::stats::figures::Figures;
use serde_json::Value;

use crate::message::{Lang, grouped};

/// A cell of a table.
pub enum Cell {
    /// A heading of a row.
    Head(String),
    /// A heading of a row that is a range of numbers, not to be broken.
    Range(String),
    /// The count at a pointer, in groups of three digits.
    Count(String),
    /// The number at a pointer with this many decimals, or a dash for none.
    Decimal(String, usize),
    /// The share at a pointer in percent, or a dash for none.
    Share(String),
    /// The count at a pointer in percent of all records. No member holds it; it follows from the two.
    Part(String),
}

/// The member with which [`Cell::Part`] compares.
pub const RECORDS: &str = "/records";

impl Cell {
    /// What it shows of a report.
    pub fn text(&self, report: &Value) -> String {
        let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_f64);
        let text = match self {
            Cell::Head(text) => Some(text.clone()),
            Cell::Range(text) => Some(text.replace('-', "−").replace(' ', "\u{a0}")),
            Cell::Count(pointer) => report.pointer(pointer).and_then(Value::as_u64).map(grouped),
            Cell::Decimal(pointer, decimals) => number(pointer).map(|value| signed(value, *decimals)),
            Cell::Share(pointer) => number(pointer).map(percent),
            Cell::Part(pointer) => {
                let all = number(RECORDS).filter(|&records| records > 0.0);
                number(pointer).zip(all).map(|(count, all)| percent(count / all))
            }
        };
        text.unwrap_or_else(|| "–".to_owned())
    }
}

/// A number with a true minus sign.
pub fn signed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Headings and rows.
pub struct Cells {
    pub headings: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

/// The mean number of pieces of each kind in a position, by their place.
pub fn pieces(figures: &Figures, lang: Lang) -> Cells {
    const MEMBERS: [&str; 7] = [
        "black/unpromoted",
        "black/promoted",
        "black/hand",
        "white/unpromoted",
        "white/promoted",
        "white/hand",
        "removed",
    ];
    let row = |index: usize, kind: char| {
        let means = MEMBERS.map(|member| Cell::Decimal(format!("/pieces/{index}/{member}"), 3));
        [Cell::Head(lang.kind(kind))].into_iter().chain(means).collect()
    };
    Cells {
        headings: vec![
            String::new(),
            lang.black_in(lang.board()),
            lang.promoted(),
            lang.hand(),
            lang.white_in(lang.board()),
            lang.promoted(),
            lang.hand(),
            lang.piece_box(),
        ],
        rows: figures.pieces.iter().enumerate().map(|(index, kind)| row(index, kind.kind)).collect(),
    }
}

/// The moves of each kind of piece.
pub fn moves_by_kind(figures: &Figures, lang: Lang) -> Cells {
    let row = |index: usize, kind: char| {
        let counts = ["unpromoted", "promoted", "drops"]
            .map(|member| Cell::Count(format!("/moves/by_kind/{index}/{member}")));
        [Cell::Head(lang.kind(kind))].into_iter().chain(counts).collect()
    };
    let kinds = figures.moves.by_kind.iter().enumerate();
    Cells {
        headings: vec![String::new(), lang.board(), lang.promoted(), lang.drops()],
        rows: kinds.map(|(index, mover)| row(index, mover.kind)).collect(),
    }
}
