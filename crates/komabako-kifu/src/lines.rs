//! Text line by line, with numbers and offsets for errors.

/// One line without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// The byte of the whole text at which the line starts.
    pub start: usize,
    pub text: &'a str,
}

/// The lines of a text; they end in LF, CRLF or CR.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: u32,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let end = match rest.get(length..) {
            Some([b'\r', b'\n', ..]) => length + 2,
            Some([_, ..]) => length + 1,
            _ => length,
        };
        self.at += end;
        self.number += 1;
        Some(Line { number: self.number, start, text: &self.text[start..start + length] })
    }
}

/// The line that holds a byte of a text.
#[cold]
pub(crate) fn line_at(text: &str, byte: usize) -> Line<'_> {
    let mut last = Line { number: 1, start: 0, text: "" };
    let mut lines = Lines::new(text);
    for line in lines.by_ref() {
        last = line;
        if byte <= line.start + line.text.len() {
            return line;
        }
    }
    // Behind the last line end: a line of its own, without text.
    if text.ends_with(['\n', '\r']) {
        return Line { number: last.number + 1, start: text.len(), text: "" };
    }
    last
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn lines_end_in_lf_crlf_or_cr() {
        let lines: Vec<_> =
            Lines::new("a\r\n\nb\rc").map(|line| (line.number, line.start, line.text)).collect();
        assert_eq!(lines, [(1, 0, "a"), (2, 3, ""), (3, 4, "b"), (4, 6, "c")]);
        assert_eq!(line_at("a\r\nbc", 4).number, 2);
        assert_eq!(line_at("a\n", 2).number, 2);
        assert_eq!(line_at("", 0).number, 1);
    }
}
