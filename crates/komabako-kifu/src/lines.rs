//! Splits text into lines, with numbers and offsets for errors.

/// A line without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The line number, from 1.
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

    /// The number of lines so far.
    pub fn passed(&self) -> u32 {
        self.number
    }

    /// The text from the next line on.
    #[inline]
    pub fn remaining(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes back to a line, which is the next one then.
    pub fn go_back_to(&mut self, line: Line<'_>) {
        self.at = line.start;
        self.number = line.number - 1;
    }

    /// A line that ends before this byte of it: what follows is the next line.
    #[cold]
    pub fn split(&mut self, line: Line<'a>, at: usize) -> Line<'a> {
        let (text, _) = line.text.split_at(at);
        self.go_back_to(Line { start: line.start + at, ..line });
        Line { text, ..line }
    }

    /// The bytes of the text from the next line on.
    #[inline]
    pub fn remaining_bytes(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Skips a line of `length` bytes and its line end.
    #[inline]
    pub fn skip_line(&mut self, length: usize) {
        self.at += match self.text.as_bytes().get(self.at + length..) {
            Some([b'\r', b'\n', ..]) => length + 2,
            Some([_, ..]) => length + 1,
            _ => length,
        };
        self.number += 1;
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
        let length = line_length(rest);
        self.skip_line(length);
        let text = &self.text[start..start + length];
        let line = Line { number: self.number, start, text };
        // The first byte of all invisible characters.
        Some(if matches!(rest[0], 0xe2 | 0xef) { line.without_marks() } else { line })
    }
}

impl Line<'_> {
    /// The line from its first visible character on.
    #[inline(never)]
    fn without_marks(self) -> Self {
        let text = self.text.trim_start_matches(is_invisible);
        Self { start: self.start + self.text.len() - text.len(), text, ..self }
    }
}

/// Whether a character is a byte order mark, a blank without width or a mark of direction. At the start of a line it
/// is no content: each of several files that were put together may begin with one.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The number of bytes before the first line end.
///
/// Works on eight bytes at a time: a byte of `word ^ end` is 0 where `word` has the line end. Subtracting 1 from each
/// byte sets the top bit of zero bytes. A borrow can also set it in bytes above a zero, but only the lowest one is used.
/// Lines of game records are short, so a call of memchr costs more than it saves.
#[inline]
pub(crate) fn line_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let mut at = 0;
    while let Some(&chunk) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(chunk);
        let ends = zeros(word ^ (ONES * u64::from(b'\n'))) | zeros(word ^ (ONES * u64::from(b'\r')));
        if ends != 0 {
            return at + ends.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let tail = bytes[at..].iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
    tail.map_or(bytes.len(), |index| at + index)
}

/// The length and the value of the number at the start of eight bytes; `None` if the first byte is no digit, or all are.
///
/// There is no branch per digit: times differ in length, and each misprediction costs as much as reading a line. The
/// digits are shifted up, which fills in leading zeros, and are combined in pairs, fours and eights.
#[inline]
pub(crate) fn leading_number(bytes: &[u8; 8]) -> Option<(usize, u32)> {
    const BYTE: u64 = u64::from_le_bytes([1; 8]);
    let digits = u64::from_le_bytes(*bytes) ^ (BYTE * u64::from(b'0'));
    // The top bit of each byte above 9; a carry corrupts only bytes after the first such byte.
    let others = (digits.wrapping_add(BYTE * (0x7f - 9)) | digits) & (BYTE << 7);
    let count = others.trailing_zeros() / 8;
    if !(1..8).contains(&count) {
        return None;
    }
    let ones = digits << (64 - 8 * count);
    let pairs = (ones * 10 + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let eights = fours * 10_000 + (fours >> 32);
    Some((count as usize, eights as u32))
}

/// Text without white space at its end. Most text ends in a visible ASCII character, which is a quick test.
#[inline]
pub(crate) fn trim_end(text: &str) -> &str {
    if text.as_bytes().last().is_some_and(u8::is_ascii_graphic) { text } else { text.trim_end() }
}

/// Text without blanks, U+0020 and U+3000, at its start. `trim_start_matches` with a set of characters decodes each
/// character, which took a tenth of the time of reading KIF.
#[inline]
pub(crate) fn trim_blanks_start(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(' ').or_else(|| rest.strip_prefix('　')) {
        rest = after;
    }
    rest
}

/// Text without blanks, U+0020 and U+3000, at both ends.
#[inline]
pub(crate) fn trim_blanks(text: &str) -> &str {
    let mut rest = trim_blanks_start(text);
    while let Some(before) = rest.strip_suffix(' ').or_else(|| rest.strip_suffix('　')) {
        rest = before;
    }
    rest
}

/// The line that contains a byte of a text.
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
    // A byte after the last line end belongs to another, empty line.
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
    fn line_ends_are_found_at_every_position() {
        for length in 0..40 {
            for filler in [0x00, 0x09, 0x0b, 0x0c, 0x0e, 0x7f, 0x80, 0x8a, 0x8d, 0xff] {
                let plain = alloc::vec![filler; length];
                assert_eq!(line_length(&plain), length);
                for at in 0..length {
                    for end in [b'\n', b'\r'] {
                        let mut bytes = plain.clone();
                        bytes[at] = end;
                        assert_eq!(line_length(&bytes), at, "{length} {filler:#x} {end:#x}");
                        bytes[at..].fill(end ^ 1);
                        bytes[at] = end;
                        assert_eq!(line_length(&bytes), at, "{length} {filler:#x} {end:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn leading_numbers_of_one_to_seven_digits_are_read() {
        for number in (0..10_000).chain((10_000..10_000_000).step_by(997)) {
            let text = alloc::format!("{number}");
            for other in [b'\n', b'\r', b'/', b':', 0x00, 0x80, 0xb9, 0xff] {
                let mut bytes = [other; 8];
                bytes[..text.len()].copy_from_slice(text.as_bytes());
                assert_eq!(leading_number(&bytes), Some((text.len(), number)), "{other:#x}");
            }
        }
        assert_eq!(leading_number(b"0000012\n"), Some((7, 12)));
        assert_eq!(leading_number(b"12a45678"), Some((2, 12)));
        assert_eq!(leading_number(b"a2345678"), None);
        assert_eq!(leading_number(b"12345678"), None);
    }

    #[test]
    fn trimming_agrees_with_the_standard_library() {
        for text in ["", " ", "　", "a", " a ", "　 a　b 　", "a\t", "\ta", "a\u{2003}", "あ　", "あ\u{3001}"]
        {
            assert_eq!(trim_end(text), text.trim_end());
            assert_eq!(trim_blanks(text), text.trim_matches([' ', '　']));
            assert_eq!(trim_blanks_start(text), text.trim_start_matches([' ', '　']));
        }
    }

    #[test]
    fn lines_end_in_lf_crlf_or_cr() {
        let lines: Vec<_> =
            Lines::new("a\r\n\nb\rc").map(|line| (line.number, line.start, line.text)).collect();
        assert_eq!(lines, [(1, 0, "a"), (2, 3, ""), (3, 4, "b"), (4, 6, "c")]);
        let lines: Vec<_> = Lines::new("\u{feff}a\n\u{feff}\u{200b}b\u{feff}\n\u{feff}")
            .map(|line| (line.start, line.text))
            .collect();
        assert_eq!(lines, [(3, "a"), (11, "b\u{feff}"), (19, "")]);
        assert_eq!(line_at("a\r\nbc", 4).number, 2);
        assert_eq!(line_at("a\n", 2).number, 2);
        assert_eq!(line_at("", 0).number, 1);
    }
}
