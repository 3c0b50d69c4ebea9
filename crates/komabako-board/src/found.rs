//! The character of a text that a parser's error shows.

/// The character that starts at a byte, U+FFFD if it is not UTF-8, or `None` at the end of the text.
pub(crate) fn char_at(text: &[u8], at: usize) -> Option<char> {
    let chunk = text.get(at..)?.utf8_chunks().next()?;
    Some(chunk.valid().chars().next().unwrap_or(char::REPLACEMENT_CHARACTER))
}
