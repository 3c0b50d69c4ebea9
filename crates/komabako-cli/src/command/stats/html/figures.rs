//! Tables of figures. A cell names the member of `--json` that it shows, as a JSON pointer, which the page keeps in `data-json`.

use maud::{Markup, html};
use serde_json::Value;

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
    fn element(&self, report: &Value) -> Markup {
        let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_f64);
        let text = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let figure = |pointer: &str, shown: Option<String>| {
            html! { td.n data-json=(pointer) { (text(shown)) } }
        };
        match self {
            Cell::Head(text) => html! { th scope="row" { (text) } },
            Cell::Range(text) => {
                html! { th scope="row" { (text.replace('-', "−").replace(' ', "\u{a0}")) } }
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
                html! { td.n data-part=(pointer) data-of=(RECORDS) { (text(share)) } }
            }
        }
    }
}

/// A table under headings, with a caption.
pub fn table(
    report: &Value,
    class: Option<&str>,
    caption: &str,
    headings: &[String],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Markup {
    html! {
        table class=[class] {
            caption { (caption) }
            thead {
                tr {
                    @for heading in headings { th scope="col" { (heading) } }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        @for cell in row { (cell.element(report)) }
                    }
                }
            }
        }
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
