//! Charts in SVG: stacked columns, stacked rows, curves with points, heat maps of the board.
//!
//! Colours come from the page's style sheet by class, `s1` and up for series, so that one chart serves both themes. Every chart
//! has a title and a description for readers who cannot see it.

use maud::{Markup, html};

use crate::table;

/// The width of a chart in its own units; a letter is 13 of them high.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
/// Space for labels: at the left, at the right, at the top, at the bottom.
const LEFT: f64 = 54.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;

/// The texts of a chart.
pub struct Caption {
    /// The title; read out by screen readers.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x: String,
    /// The vertical axis, with its unit.
    pub y: String,
}

/// A series: its class in the style sheet and its name in the legend.
pub struct Series {
    /// `s1` and so on.
    pub class: &'static str,
    /// The name in the legend.
    pub name: String,
}

/// A mark on an axis.
pub struct Tick {
    /// The place, in the axis's own unit.
    pub at: f64,
    /// The text at the mark.
    pub label: String,
}

fn svg(title: &str, [width, height]: [f64; 2], class: Option<&str>, content: &Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(title) class=[class] {
            title { (title) }
            (content)
        }
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

fn line(class: &str, [x1, y1, x2, y2]: [f64; 4]) -> Markup {
    html! { line class=(class) x1=(number(x1)) y1=(number(y1)) x2=(number(x2)) y2=(number(y2)) {} }
}

fn rect(class: &str, [x, y, width, height]: [f64; 4], opacity: Option<f64>) -> Markup {
    let opacity = opacity.map(|opacity| format!("{opacity:.2}"));
    html! {
        rect class=(class) x=(number(x)) y=(number(y)) width=(format!("{width:.2}")) height=(format!("{height:.2}"))
            fill-opacity=[opacity] {}
    }
}

fn label(class: &str, x: f64, y: f64, text: &str) -> Markup {
    html! { text class=(class) x=(number(x)) y=(number(y)) { (text) } }
}

/// The legend of a chart, as HTML beside it.
pub fn legend(series: &[Series]) -> Markup {
    html! {
        ul.legend {
            @for Series { class, name } in series {
                li { span class=(format!("key {class}")) aria-hidden="true" {} (name) }
            }
        }
    }
}

/// A plane with two axes.
struct Plane {
    /// The values at the left and the right end.
    x: (f64, f64),
    /// The value at the top; at the bottom it is 0.
    top: f64,
}

impl Plane {
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.x;
        LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)
    }

    /// The axes, with marks and titles.
    fn frame(&self, caption: &Caption, x_ticks: &[Tick], y_ticks: &[Tick]) -> Markup {
        let floor = HEIGHT - BOTTOM;
        let side = format!("translate(15 {}) rotate(-90)", number((TOP + floor) / 2.0));
        html! {
            g.axes {
                @for (y, tick) in y_ticks.iter().map(|tick| (self.y(tick.at), tick)) {
                    (line("grid", [LEFT, y, WIDTH - RIGHT, y]))
                    (label("end", LEFT - 6.0, y + 4.0, &tick.label))
                }
                @for (x, tick) in x_ticks.iter().map(|tick| (self.x(tick.at), tick)) {
                    (line("axis", [x, floor, x, floor + 4.0]))
                    (label("middle", x, floor + 18.0, &tick.label))
                }
                (line("axis", [LEFT, floor, WIDTH - RIGHT, floor]))
                (label("middle name", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6.0, &caption.x))
                text class="middle name" x="0" y="0" transform=(side) { (caption.y) }
            }
        }
    }
}

/// Stacked columns: `stacks` from left to right, each with its parts from the bottom. `ticks` count stacks: 0 is before the
/// first, 1 after it.
pub fn columns(caption: &Caption, series: &[Series], stacks: &[Vec<u64>], ticks: &[Tick]) -> Markup {
    let most = stacks.iter().map(|parts| parts.iter().sum()).max().unwrap_or(0);
    let y_ticks = round_ticks(most);
    let top = y_ticks.last().map_or(1.0, |tick| tick.at);
    let plane = Plane { x: (0.0, stacks.len().max(1) as f64), top };
    let mut columns = Vec::new();
    for (index, parts) in stacks.iter().enumerate() {
        let left = plane.x(index as f64);
        let right = plane.x(index as f64 + 1.0);
        let mut below = 0;
        for (part, series) in parts.iter().zip(series).filter(|(part, _)| **part > 0) {
            let low = plane.y(below as f64);
            let high = plane.y((below + part) as f64);
            columns.push(rect(series.class, [left + 0.5, high, right - left - 1.0, low - high], None));
            below += part;
        }
    }
    let content = html! {
        (plane.frame(caption, ticks, &y_ticks))
        @for column in columns { (column) }
    };
    svg(&caption.title, [WIDTH, HEIGHT], None, &content)
}

/// A stacked row: its name and the size of each part.
pub struct Row {
    /// The name at the left.
    pub name: String,
    /// The parts from the left.
    pub parts: Vec<f64>,
}

/// The width of a letter of a name, at the size of narrow screens.
const LETTER: f64 = 9.0;

/// Stacked rows on one scale, from 0 to the longest row, with `ticks` in the unit of the parts.
pub fn rows(caption: &Caption, series: &[Series], rows: &[Row], ticks: &[Tick]) -> Markup {
    const STEP: f64 = 26.0;
    let longest = rows.iter().map(|row| row.parts.iter().sum()).fold(f64::MIN_POSITIVE, f64::max);
    let most = ticks.last().map_or(longest, |tick| tick.at.max(longest));
    let floor = TOP + STEP * rows.len() as f64;
    let left = rows.iter().map(|row| LETTER * table::width(&row.name) as f64 + 10.0).fold(0.0, f64::max);
    let x = |value: f64| left + value / most * (WIDTH - left - RIGHT);
    let bars = |row: &Row, y: f64| {
        let mut from = 0.0;
        let mut bars = Vec::new();
        for (&part, series) in row.parts.iter().zip(series).filter(|(part, _)| **part > 0.0) {
            bars.push(rect(series.class, [x(from), y, x(from + part) - x(from), STEP - 8.0], None));
            from += part;
        }
        bars
    };
    let content = html! {
        @for (at, tick) in ticks.iter().map(|tick| (x(tick.at), tick)) {
            (line("grid", [at, TOP, at, floor]))
            (label("middle", at, floor + 18.0, &tick.label))
        }
        @for (index, row) in rows.iter().enumerate() {
            @let y = TOP + STEP * index as f64 + 4.0;
            (label("end", left - 8.0, y + 14.0, &row.name))
            @for bar in bars(row, y) { (bar) }
        }
        (line("axis", [left, TOP, left, floor]))
        (label("middle name", (LEFT + WIDTH - RIGHT) / 2.0, floor + BOTTOM - 6.0, &caption.x))
    };
    svg(&caption.title, [WIDTH, floor + BOTTOM], None, &content)
}

/// A curve: its class and its points.
pub struct Curve {
    /// The class in the style sheet.
    pub class: &'static str,
    /// The points, ascending.
    pub points: Vec<(f64, f64)>,
}

/// Curves and the points that they fit, with relative sizes from 0 to 1. All values of y are from 0 to 1.
pub fn curves(
    caption: &Caption,
    curves: &[Curve],
    (class, points): (&str, &[(f64, f64, f64)]),
    x: (f64, f64),
    x_ticks: &[Tick],
) -> Markup {
    let plane = Plane { x, top: 1.0 };
    let y_ticks = [0, 25, 50, 75, 100]
        .map(|percent| Tick { at: f64::from(percent) / 100.0, label: percent.to_string() });
    let line = |curve: &Curve| {
        let points = curve.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", plane.x(x), plane.y(y)));
        points.collect::<Vec<_>>().join(" ")
    };
    let content = html! {
        (plane.frame(caption, x_ticks, &y_ticks))
        @for curve in curves {
            polyline class=(format!("curve {}", curve.class)) points=(line(curve)) {}
        }
        @for &(x, y, size) in points {
            circle class=(class) cx=(number(plane.x(x))) cy=(number(plane.y(y))) r=(number(1.5 + 3.0 * size.sqrt())) {}
        }
    };
    svg(&caption.title, [WIDTH, HEIGHT], None, &content)
}

/// A heat map of the board, files from 9 at the left, `ranks` from the top; counts relative to the largest, and in percent.
pub fn board(title: &str, class: &str, squares: &[[u64; 9]; 9], ranks: [char; 9]) -> Markup {
    const CELL: f64 = 36.0;
    const EDGE: f64 = 20.0;
    let counts = squares.as_flattened();
    let most = counts.iter().max().copied().unwrap_or(0);
    let total = counts.iter().sum::<u64>();
    let content = html! {
        @for (column, file) in (1..=9).rev().enumerate() {
            (label("middle", (column as f64 + 0.5) * CELL + 1.0, 14.0, &file.to_string()))
        }
        @for (row, (counts, rank)) in squares.iter().zip(ranks).enumerate() {
            @let y = EDGE + row as f64 * CELL;
            (label("start", 9.0 * CELL + 7.0, y + CELL / 2.0 + 4.0, &rank.to_string()))
            @for (column, &count) in counts.iter().enumerate() {
                @let area = [1.0 + column as f64 * CELL, y, CELL, CELL];
                (rect("cell", area, None))
                @if count > 0 { (heat(class, area, count, most, total)) }
            }
        }
    };
    svg(title, [9.0 * CELL + EDGE + 2.0; 2], Some("board"), &content)
}

/// The colour of a square, by the square root so that rare squares are visible, and its share unless that rounds to 0.
fn heat(class: &str, area: [f64; 4], count: u64, most: u64, total: u64) -> Markup {
    let [x, y, width, height] = area;
    let depth = (count as f64 / most as f64).sqrt();
    let share = 100.0 * count as f64 / total as f64;
    let text = match share {
        ..0.05 => String::new(),
        ..9.95 => format!("{share:.1}"),
        _ => format!("{share:.0}"),
    };
    let shade = if depth > 0.6 { "middle small dark" } else { "middle small" };
    html! {
        (rect(class, area, Some(depth)))
        (label(shade, x + width / 2.0, y + height / 2.0 + 4.0, &text))
    }
}

/// Marks at round numbers from 0 to at least `most`, three to six of them.
fn round_ticks(most: u64) -> Vec<Tick> {
    let most = most.max(1);
    let power = 10_u64.pow(most.ilog10());
    let steps = [1, 2, 5, 10, 20].map(|factor| (factor * power / 10).max(1));
    let step = steps.into_iter().find(|step| most.div_ceil(*step) <= 5).unwrap_or(power);
    (0..=most.div_ceil(step))
        .map(|index| Tick { at: (index * step) as f64, label: short(index * step) })
        .collect()
}

/// A count in short form: 1.5k, 20M.
fn short(count: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")];
    match units.into_iter().find(|&(unit, _)| count >= unit && count.is_multiple_of(unit / 10)) {
        Some((unit, name)) => format!("{}{name}", number(count as f64 / unit as f64)),
        None => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_maximum() {
        for most in [0, 1, 7, 99, 100, 101, 2345, 19_999, 50_056, 123_456_789, 99_999_999_999] {
            let ticks = round_ticks(most);
            assert!((2..=6).contains(&ticks.len()) && ticks[ticks.len() - 1].at >= most as f64, "{most}");
        }
        let labels =
            |most| round_ticks(most).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(2345), "0 500 1k 1.5k 2k 2.5k");
        assert_eq!(labels(3), "0 1 2 3");
    }
}
