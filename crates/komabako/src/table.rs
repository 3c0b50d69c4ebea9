//! Aligned columns of text, in which kanji and kana take two cells.

use std::fmt::Display;
use std::io::{self, Write};

use crate::escape::Escaped;
use crate::message::grouped;
use crate::style::{COLUMN, HEADING, Style, WARNING, painted};

/// Rows of cells; every column is as wide as its widest cell.
#[derive(Default)]
pub struct Table {
    /// The texts of the cells are escaped.
    rows: Vec<Vec<(String, Style)>>,
}

impl Table {
    /// A table that begins with a row of underlined headings.
    pub fn with_headings(headings: impl IntoIterator<Item = String>) -> Self {
        let mut table = Table::default();
        table.push_row(headings.into_iter().map(|heading| (heading, COLUMN)));
        table
    }

    /// Adds a row of cells with a style each.
    pub fn push_row(&mut self, cells: impl IntoIterator<Item = (String, Style)>) {
        let cells = cells.into_iter().map(|(text, style)| (Escaped(text).to_string(), style));
        self.rows.push(cells.collect());
    }

    /// Adds a row of a label in a style and a plain text.
    pub fn row(&mut self, label: String, style: Style, text: String) {
        self.push_row([(label, style), (text, Style::new())]);
    }

    /// The same with a count, unless it is 0.
    pub fn count(&mut self, label: String, style: Style, count: u64) {
        if count > 0 {
            self.row(label, style, grouped(count));
        }
    }

    /// Adds a row with a text about a count, unless it is 0.
    pub fn note(&mut self, count: u64, label: String, text: String) {
        if count > 0 {
            self.row(label, WARNING, text);
        }
    }

    /// Adds rows of plain texts under one label, which stands before the first.
    pub fn rows(&mut self, mut label: String, style: Style, texts: impl IntoIterator<Item = String>) {
        for text in texts {
            self.row(std::mem::take(&mut label), style, text);
        }
    }

    /// Writes a heading and, indented below it, the rows.
    pub fn write_below(&self, heading: impl Display, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writeln!(out, "{}", painted(&heading.to_string(), HEADING))?;
        self.write(out, "  ")
    }

    /// Writes the rows, each after `indent`, columns two cells apart, without blanks at the ends of lines.
    pub fn write(&self, out: &mut (impl Write + ?Sized), indent: &str) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in &self.rows {
            for (widest, (cell, _)) in widths.iter_mut().zip(row) {
                *widest = width(cell).max(*widest);
            }
        }
        for row in &self.rows {
            let end = row.iter().rposition(|(cell, _)| !cell.is_empty()).map_or(0, |last| last + 1);
            out.write_all(indent.as_bytes())?;
            for (column, (cell, style)) in row[..end].iter().enumerate() {
                let gap = if column + 1 == end { 0 } else { widths[column] - width(cell) + 2 };
                write!(out, "{style}{cell}{style:#}{:gap$}", "")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The width of a text in cells of the terminal.
pub fn width(text: &str) -> usize {
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

/// Whether a character takes two cells: CJK signs, kana, kanji, full-width forms.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_cells_of_the_terminal() {
        let mut table = Table::default();
        let mut row = |cells: [&str; 3]| table.push_row(cells.map(|cell| (cell.to_owned(), Style::new())));
        row(["形式", "x", ""]);
        row(["a", "", "z"]);
        let mut written = Vec::new();
        table.write(&mut written, "  ").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "  形式  x\n  a        z\n");
    }
}
