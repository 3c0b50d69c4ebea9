//! [`Escaped`]: text from outside, such as names and quotations, in a form that a terminal only shows.
//!
//! The rule (`docs/guide.md`, the program): every text for people shows the characters of [`is_escaped`] as Rust writes them in literals,
//! `\n` and `\u{1b}`, on a terminal and in a pipe alike. They could move the cursor, forge a line, or reverse the order of
//! letters. Names and quotations are escaped where they enter a text: by `texts!`, by a table's cells, by
//! [`painted`](crate::style::painted), and in what a report or a warning says. [`Screen`](crate::screen::Screen), through which
//! all texts go out, lets no such character pass but line ends and tabs. Records and games are data, which only a terminal
//! receives escaped. JSON has escapes of its own.

use std::fmt::{self, Display, Write};
use std::ops::RangeInclusive;

/// The marks of [`Style`](crate::style::Style): characters that Unicode reserves for the internal use of programs.
pub const MARKS: RangeInclusive<char> = '\u{fdd0}'..='\u{fdef}';

/// Whether a character is shown by its escape: a control, a separator of lines, a control of the direction of text, a mark.
pub fn is_escaped(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
        || MARKS.contains(&letter)
}

/// A value whose text is escaped. An escaped text stays as it is.
pub struct Escaped<T>(pub T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaper(f), "{}", self.0)
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

/// JSON whose strings hold no such character raw; the line ends between members stay.
pub fn json(text: String) -> String {
    let is_raw = |letter| is_escaped(letter) && letter != '\n';
    if !text.contains(is_raw) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_raw(letter) {
            // All of them take one unit of UTF-16.
            escaped += &format!("\\u{:04x}", u32::from(letter));
        } else {
            escaped.push(letter);
        }
    }
    escaped
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

    #[test]
    fn json_keeps_its_values() {
        let value: Vec<String> =
            (0..=0xffff).filter_map(char::from_u32).map(|letter| format!("{letter}\"")).collect();
        let text = json(serde_json::to_string_pretty(&value).unwrap());
        assert!(!text.contains(|letter| is_escaped(letter) && letter != '\n'));
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), value);
    }
}
