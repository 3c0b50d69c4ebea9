//! Tables of figures. Each cell with a figure names the member of `--json` that it shows, as a JSON pointer in `data-json`.

use super::element::Element;
use crate::message::grouped;

/// A cell of a table.
pub enum Cell {
    /// A heading of a row.
    Head(String),
    /// A heading of a row that is a range of numbers, not to be broken.
    Range(String),
    /// A count, in groups of three digits.
    Count(String, u64),
    /// A number with this many decimals, or a dash for `None`.
    Decimal(String, Option<f64>, usize),
    /// A share in percent, or a dash for `None`.
    Share(String, Option<f64>),
    /// A count in percent of a total. No member holds it; it follows from two, the count and the total.
    Part([String; 2], u64, u64),
}

impl Cell {
    fn element(&self) -> Element {
        let figure =
            |pointer: &str, text: String| Element::of_class("td", "n").attr("data-json", pointer).text(text);
        let dash = || "–".to_owned();
        match self {
            Cell::Head(text) => Element::new("th").attr("scope", "row").text(text),
            Cell::Range(text) => {
                Element::new("th").attr("scope", "row").text(text.replace('-', "−").replace(' ', "\u{a0}"))
            }
            Cell::Count(pointer, count) => figure(pointer, grouped(*count)),
            Cell::Decimal(pointer, value, decimals) => {
                figure(pointer, value.map_or_else(dash, |value| signed(value, *decimals)))
            }
            Cell::Share(pointer, share) => figure(pointer, share.map_or_else(dash, percent)),
            Cell::Part([part, whole], count, total) => {
                let text = if *total == 0 { dash() } else { percent(*count as f64 / *total as f64) };
                Element::of_class("td", "n").attr("data-part", part).attr("data-of", whole).text(text)
            }
        }
    }
}

/// A table under headings, with a caption.
pub fn table(caption: &str, headings: &[String], rows: impl IntoIterator<Item = Vec<Cell>>) -> Element {
    let heading = |text: &String| Element::new("th").attr("scope", "col").text(text);
    let head = Element::new("tr").children(headings.iter().map(heading));
    let row = |cells: Vec<Cell>| Element::new("tr").children(cells.iter().map(Cell::element));
    Element::new("table")
        .child(Element::new("caption").text(caption))
        .child(Element::new("thead").child(head))
        .child(Element::new("tbody").children(rows.into_iter().map(row)))
}

/// A number with a true minus sign.
pub fn signed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
