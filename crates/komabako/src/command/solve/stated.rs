//! The length that an author states, in a header, a comment or a column: `手数：29手`, `29手詰`, `mate in 29`.

use komabako::kifu::{NodeId, Record};

/// The length stated in a record: by the key 手数 of its header, or else in another value of the header or a comment at the start.
pub fn of_record(record: &Record) -> Option<u16> {
    let by_key = record.header_value("手数").and_then(|value| leading(&narrow(value)));
    let values = record.header().iter().map(|(_, value)| value.as_str());
    let comments = record.node(record.start()).comments();
    by_key.or_else(|| values.chain(comments).find_map(of_text))
}

/// The length stated in the comments at the first move of a variation, where `29 手` or `29 plies` suffices.
pub fn of_variation(record: &Record, first: NodeId) -> Option<u16> {
    let whole = |text: &str| {
        let text = narrow(text);
        let number = text.strip_suffix('手').or_else(|| text.strip_suffix("plies"))?;
        number.trim().parse().ok()
    };
    record.node(first).comments().find_map(|text| of_text(text).or_else(|| whole(text)))
}

/// The length stated in a text.
pub fn of_text(text: &str) -> Option<u16> {
    let text = narrow(text);
    let after = |word: &str| {
        let (_, rest) = text.split_once(word)?;
        leading(rest.trim_start_matches([' ', '=', ':']))
    };
    // A length that is only an upper bound states none.
    let before = text.match_indices("手詰").find_map(|(at, word)| {
        if text[at + word.len()..].starts_with("以内") {
            return None;
        }
        let number = text[..at].trim_end();
        let start = number.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        number[start..].parse().ok()
    });
    before.or_else(|| after("手数")).or_else(|| after("mate in "))
}

/// The number at the start of a text.
fn leading(text: &str) -> Option<u16> {
    let text = text.trim_start();
    text[..text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()].parse().ok()
}

/// A text with narrow digits and signs, in lower case.
fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '０'..='９' => char::from(b'0' + (u32::from(c) - u32::from('０')) as u8),
        '＝' => '=',
        '：' => ':',
        '　' => ' ',
        c => c.to_ascii_lowercase(),
    };
    text.trim().chars().map(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stated_lengths_are_read() {
        for text in [
            "29手詰",
            "「銀河」 ２９手詰め",
            "手数=29",
            "手数：２９手",
            "Mate in 29 (tsume)",
            "詰将棋 (29 手詰)",
        ] {
            assert_eq!(of_text(text), Some(29), "{text}");
        }
        for text in
            ["", "詰将棋", "29手詰以内", "mate in at most 29", "手数----指手", "29", "手詰", "99999手詰"]
        {
            assert_eq!(of_text(text), None, "{text}");
        }
    }
}
