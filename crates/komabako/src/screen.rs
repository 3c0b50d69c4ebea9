//! [`Screen`]: the writer through which every text for people goes out.

use std::io::{self, IsTerminal, Write};

use crate::escape::{Escaped, is_escaped};
use crate::style;

/// A writer of text that escapes what a terminal would obey, except line ends and tabs, and turns marks of
/// [`Style`](style::Style) into colours.
pub struct Screen<W> {
    out: W,
    /// Whether marks are ours; in data they are escaped.
    has_styles: bool,
    /// The start of a character that was written in parts.
    partial: Vec<u8>,
    translated: String,
}

/// Standard output for records and games: they pass as they are, but a terminal shows them escaped.
pub fn data_out() -> Box<dyn Write + Send> {
    let stdout = io::stdout();
    if stdout.is_terminal() {
        Box::new(Screen { has_styles: false, ..Screen::new(stdout) })
    } else {
        Box::new(stdout)
    }
}

impl<W: Write> Screen<W> {
    /// A writer of texts.
    pub fn new(out: W) -> Self {
        Screen { out, has_styles: true, partial: Vec::new(), translated: String::new() }
    }

    fn translate(&mut self, text: &str) {
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match style::sequence(letter) {
                Some(sequence) if self.has_styles => self.translated += &sequence.to_string(),
                _ if matches!(letter, '\n' | '\t') || !is_escaped(letter) => self.translated.push(letter),
                _ if letter == '\r' && letters.peek() == Some(&'\n') => self.translated.push(letter),
                _ => self.translated += &Escaped(letter).to_string(),
            }
        }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut whole = std::mem::take(&mut self.partial);
        whole.extend_from_slice(bytes);
        self.translated.clear();
        let mut chunks = whole.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.translate(chunk.valid());
            let is_cut = str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            // The next bytes may complete a character that is cut off.
            if is_cut && chunks.peek().is_none() {
                self.partial = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.translated.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.out.write_all(self.translated.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::style::{ERROR, painted};

    fn shown(bytes: &[u8], has_styles: bool, size: usize) -> String {
        let mut screen = Screen { has_styles, ..Screen::new(Vec::new()) };
        bytes.chunks(size).for_each(|part| screen.write_all(part).unwrap());
        String::from_utf8(screen.out).unwrap()
    }

    #[test]
    fn only_our_styles_become_sequences() {
        let text = format!("{}\tb\r\n\rc", painted("\u{1b}[31mRED\n", ERROR));
        let expected = "\u{1b}[1m\u{1b}[31m\\u{1b}[31mRED\\n\u{1b}[0m\tb\r\n\\rc";
        assert_eq!(shown(text.as_bytes(), true, 1000), expected);
        assert_eq!(shown("\u{fdd4}棋\u{fdd0}".as_bytes(), false, 1), r"\u{fdd4}棋\u{fdd0}");
        for size in [1, 1000] {
            assert_eq!(shown(b"\xe6\xa3a\xff\x9b\xe6\xa3", false, size), "\u{fffd}a\u{fffd}\u{fffd}");
        }
    }

    /// Text of characters that matter here, besides any others.
    fn texts() -> impl Strategy<Value = String> {
        let hostile = prop::sample::select(
            "\u{1b}[31m\u{7}\u{9b}\u{202e}\u{2066}\u{2028}\r\n\t\\{}\u{fdd1}棋".chars().collect::<Vec<_>>(),
        );
        prop::collection::vec(prop_oneof![hostile, any::<char>()], 0..40)
            .prop_map(|letters| letters.into_iter().collect())
    }

    proptest! {
        #[test]
        fn no_text_reaches_a_terminal_raw(text in texts(), size in 1_usize..9) {
            let escaped = Escaped(&text).to_string();
            prop_assert!(!escaped.contains(is_escaped), "{escaped:?}");
            prop_assert_eq!(Escaped(&escaped).to_string(), escaped.clone());
            prop_assert_eq!(escaped == text, !text.contains(is_escaped));

            let data = shown(text.as_bytes(), false, size).replace("\r\n", "\n");
            prop_assert!(!data.contains(|letter| is_escaped(letter) && !"\n\t".contains(letter)), "{data:?}");
            // In a text, only marks become sequences.
            let styled = shown(painted(&text, ERROR).to_string().as_bytes(), true, 1000);
            prop_assert_eq!(styled, format!("\u{1b}[1m\u{1b}[31m{escaped}\u{1b}[0m"));
        }

        #[test]
        fn no_bytes_reach_a_terminal_raw(bytes: Vec<u8>, size in 1_usize..9) {
            let data = shown(&bytes, false, size).replace("\r\n", "\n");
            prop_assert!(!data.contains(|letter| is_escaped(letter) && !"\n\t".contains(letter)), "{data:?}");
        }
    }
}
