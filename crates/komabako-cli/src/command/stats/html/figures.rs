//! Tables of figures. A cell names the member of `--json` that it shows, as a JSON pointer, which the page keeps in `data-json`.

use serde_json::Value;

use super::element::Element;
use crate::message::grouped;

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
const RECORDS: &str = "/records";

impl Cell {
    fn element(&self, report: &Value) -> Element {
        let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_f64);
        let text = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let figure = |pointer: &str, shown: Option<String>| {
            Element::of_class("td", "n").attr("data-json", pointer).text(text(shown))
        };
        match self {
            Cell::Head(text) => Element::new("th").attr("scope", "row").text(text),
            Cell::Range(text) => {
                Element::new("th").attr("scope", "row").text(text.replace('-', "−").replace(' ', "\u{a0}"))
            }
            Cell::Count(pointer) => {
                figure(pointer, report.pointer(pointer).and_then(Value::as_u64).map(grouped))
            }
            Cell::Decimal(pointer, decimals) => {
                figure(pointer, number(pointer).map(|value| signed(value, *decimals)))
            }
            Cell::Share(pointer) => figure(pointer, number(pointer).map(percent)),
            Cell::Part(pointer) => {
                let all = number(RECORDS).filter(|&records| records > 0.0);
                let share = number(pointer).zip(all).map(|(count, all)| percent(count / all));
                let part = Element::of_class("td", "n").attr("data-part", pointer).attr("data-of", RECORDS);
                part.text(text(share))
            }
        }
    }
}

/// A table under headings, with a caption.
pub fn table(
    report: &Value,
    caption: &str,
    headings: &[String],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Element {
    let heading = |text: &String| Element::new("th").attr("scope", "col").text(text);
    let head = Element::new("tr").children(headings.iter().map(heading));
    let row = |cells: Vec<Cell>| Element::new("tr").children(cells.iter().map(|cell| cell.element(report)));
    Element::new("table")
        .child(Element::new("caption").text(caption))
        .child(Element::new("thead").child(head))
        .child(Element::new("tbody").children(rows.into_iter().map(row)))
}

/// A number with a true minus sign.
pub fn signed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
