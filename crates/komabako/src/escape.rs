//! Where text from outside, such as names and quotations, is [`Escaped`] so that a terminal only shows it.
//!
//! The rule (`docs/guide.md`, the program): every text for people shows the characters of [`is_escaped`] as Rust writes
//! them in literals, `\n` and `\u{1b}`, on a terminal and in a pipe alike. They could move the cursor, forge a line, or
//! reverse the order of letters. Names and quotations are escaped where they enter a text: by `texts!`, by a table's cells, by
//! [`painted`](crate::style::painted), and in what a report or a warning says. [`Screen`](crate::screen::Screen), through which
//! all texts go out, lets no such character pass but line ends and tabs. Records and games are data, which only a terminal
//! receives escaped. JSON has escapes of its own.

pub use komabako::dataset::escape::{Escaped, is_escaped};

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
    fn json_keeps_its_values() {
        let value: Vec<String> =
            (0..=0xffff).filter_map(char::from_u32).map(|letter| format!("{letter}\"")).collect();
        let text = json(serde_json::to_string_pretty(&value).unwrap());
        assert!(!text.contains(|letter| is_escaped(letter) && letter != '\n'));
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), value);
    }
}
