//! [`Escaped`]: text from outside, such as names and quotations, as a line shows it: without characters that could move a
//! terminal's cursor, begin a line or a column, or reverse the order of letters.

use std::fmt::{self, Display, Write};

use komabako_messages::{Lang, Message};

/// Whether a character is escaped: a control, a separator of lines, a control of the direction of text, or one of U+FDD0 to
/// U+FDEF, which Unicode reserves for the internal use of programs (ours marks styles with them).
pub fn is_escaped(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{fdd0}'..='\u{fdef}'
        )
}

/// A value whose text is escaped. An escaped text stays as it is.
///
/// ```
/// use komabako_dataset::escape::Escaped;
/// assert_eq!(Escaped("a\x1b[31m\n駒.psv").to_string(), r"a\u{1b}[31m\n駒.psv");
/// ```
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaper(f), "{}", self.0)
    }
}

impl<T: Display> Message for Escaped<T> {
    fn write(&self, _: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

struct Escaper<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaper<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.split_inclusive(is_escaped) {
            match piece.chars().next_back().filter(|&last| is_escaped(last)) {
                Some(last) => {
                    self.0.write_str(&piece[..piece.len() - last.len_utf8()])?;
                    write!(self.0, "{}", last.escape_default())?;
                }
                None => self.0.write_str(piece)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hostile_characters_are_escaped() {
        let hostile = "a\x1b]0;x\x07\r\n\t\u{7f}\u{9b}31m\u{202e}\u{2069}\u{2028}\u{fdd0}";
        let shown = Escaped(hostile).to_string();
        assert_eq!(shown, r"a\u{1b}]0;x\u{7}\r\n\t\u{7f}\u{9b}31m\u{202e}\u{2069}\u{2028}\u{fdd0}");
        assert_eq!(Escaped(&shown).to_string(), shown);
        let plain = "棋譜 ▲７六歩 café 👩‍👧 \\u{1b}";
        assert_eq!(Escaped(plain).to_string(), plain);
    }
}
