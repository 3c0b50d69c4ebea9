//! Classifies the lines of KIF and KI2 files.

use alloc::borrow::ToOwned;
use alloc::string::String;

use komabako_board::Color;

use crate::format::Format;
use crate::lines::trim_blanks_start;
use crate::record::one_line;

/// The kind of a line, determined by its start. Offsets are bytes of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind<'a> {
    Blank,
    /// `#…`, `盤面回転`.
    Ignored,
    /// `*…`, without its mark.
    Comment(&'a str),
    /// `&…`, without its mark.
    Bookmark(&'a str),
    /// `|…`: a row of the board.
    Board,
    /// The frame of the board, and the line of its file numbers.
    Frame,
    /// `先手の持駒：…`; the offset of the pieces.
    Hand(Color, usize),
    /// `手合割：…`; the offset of the name.
    Handicap(usize),
    /// `先手番`.
    Turn(Color),
    /// `手数＝171  ▲６二角成  まで`; the text after `手数＝`.
    Ply(&'a str),
    /// `手数----指手---------消費時間--`.
    Columns,
    /// `まで…`.
    End,
    /// `変化：5手`; the offset of the number.
    Variation(usize),
    /// A number and a blank; the offset of the number.
    Numbered(usize),
    /// A mark of a side; the offset of the mark.
    Marked(usize),
    /// `KEY：VALUE`.
    Header(&'a str, &'a str),
    Unknown,
}

const BLANKS: [char; 2] = [' ', '　'];

pub(crate) fn classify(line: &str) -> LineKind<'_> {
    let Some(first) = line.chars().next() else { return LineKind::Blank };
    match first {
        '*' => return LineKind::Comment(&line[1..]),
        '&' => return LineKind::Bookmark(&line[1..]),
        '#' => return LineKind::Ignored,
        '|' => return LineKind::Board,
        '+' if line.starts_with("+-") => return LineKind::Frame,
        _ => {}
    }
    let trimmed = trim_blanks_start(line);
    let indent = line.len() - trimmed.len();
    let Some(first) = trimmed.chars().next() else { return LineKind::Blank };
    match first {
        '▲' | '△' | '▼' | '▽' | '☗' | '☖' => return LineKind::Marked(indent),
        '0'..='9' | '０'..='９' if is_numbered(trimmed) => return LineKind::Numbered(indent),
        '９' if indent > 0 && trimmed.starts_with("９ ８") => return LineKind::Frame,
        '先' | '下' | '後' | '上' | '手' | 'ま' | '変' | '盤' => {
            if let Some(kind) = named(trimmed, indent) {
                return kind;
            }
        }
        _ => {}
    }
    header(line)
}

/// The kind of a line that starts with a keyword.
fn named(line: &str, indent: usize) -> Option<LineKind<'_>> {
    let value = |key: &str| {
        let rest = line.strip_prefix(key)?;
        let value = rest.strip_prefix(['：', ':'])?;
        Some(line.len() - value.len() + indent)
    };
    for (side, color) in
        [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)]
    {
        let Some(rest) = line.strip_prefix(side) else { continue };
        if let Some(hand) = rest.strip_prefix("の持駒") {
            let value = hand.strip_prefix(['：', ':'])?;
            return Some(LineKind::Hand(color, indent + line.len() - value.len()));
        }
        return rest.starts_with('番').then_some(LineKind::Turn(color));
    }
    if let Some(at) = value("手合割") {
        return Some(LineKind::Handicap(at));
    }
    if let Some(rest) = line.strip_prefix("手数＝").or_else(|| line.strip_prefix("手数=")) {
        return Some(LineKind::Ply(rest));
    }
    if line.starts_with("手数--") {
        return Some(LineKind::Columns);
    }
    if line.starts_with("まで") {
        return Some(LineKind::End);
    }
    if line.starts_with("盤面回転") {
        return Some(LineKind::Ignored);
    }
    let at = value("変化")?;
    let blanks = line[at - indent..].len() - line[at - indent..].trim_start_matches(BLANKS).len();
    Some(LineKind::Variation(at + blanks))
}

fn is_numbered(text: &str) -> bool {
    let (_, rest) = parse_number(text);
    rest.starts_with(BLANKS) && text.starts_with(|c: char| c.is_ascii_digit())
}

fn header(line: &str) -> LineKind<'_> {
    let Some(at) = line.find(['：', ':']) else { return LineKind::Unknown };
    let (key, rest) = line.split_at(at);
    let value = rest.strip_prefix(['：', ':']).unwrap_or_default();
    if key.is_empty() || key != key.trim_matches(BLANKS) {
        return LineKind::Unknown;
    }
    LineKind::Header(key, value)
}

/// A header entry as a line represents it, or `None` if the line would not be read as a header, or would be taken for the
/// first line of another format: the header comes first, and a file is recognised by its first distinctive line.
pub(crate) fn project_entry(format: Format, key: &str, value: &str) -> Option<(String, String)> {
    let value = one_line(value);
    let line = alloc::format!("{key}：{value}");
    if !format.may_begin_with(&line) {
        return None;
    }
    match classify(&line) {
        // A byte order mark at the start of a file would be removed.
        LineKind::Header(k, v) if k == key && v == value && !key.starts_with('\u{feff}') => {
            Some((key.to_owned(), value))
        }
        _ => None,
    }
}

/// Whether a word may name an ending in place of a move: it is a single word, and not the start of a move.
pub(crate) fn is_end_word(word: &str) -> bool {
    let is_word = |c: char| !c.is_whitespace() && c != '(' && c != '+' && !c.is_control();
    !word.is_empty() && word.chars().all(is_word) && !is_move_start(word)
}

/// Whether text starts like a move.
pub(crate) fn is_move_start(text: &str) -> bool {
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    text.is_empty()
        || text.starts_with(|c: char| c == '同' || c.is_ascii_digit() || ('０'..='９').contains(&c))
}

/// The number of moves in an end sentence, if it states one, and the rest of the sentence.
pub(crate) fn parse_end(line: &str) -> Option<(Option<u32>, &str)> {
    let rest = line.trim_start_matches(BLANKS).strip_prefix("まで")?;
    let rest = rest.trim_start_matches(['、', ' ', '　']);
    let (count, after) = parse_number(rest);
    let counted = count.and_then(|count| {
        let after = after.trim_start_matches(BLANKS).strip_prefix('手')?;
        Some((count, after.strip_prefix('で').unwrap_or(after)))
    });
    let (count, rest) = match counted {
        Some((count, rest)) => (Some(count), rest),
        None => (None, rest),
    };
    Some((count, rest.trim_matches(['、', ' ', '　', '。'])))
}

/// The number at the start of text, in digits of either width, and the rest of the text.
#[inline]
pub(crate) fn parse_number(text: &str) -> (Option<u32>, &str) {
    let mut value = 0_u32;
    for (length, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => value = value.saturating_mul(10).saturating_add(u32::from(byte - b'0')),
            0..0x80 => return ((length > 0).then_some(value), &text[length..]),
            // This may be a full-width digit.
            0x80.. => return parse_wide_number(text),
        }
    }
    ((!text.is_empty()).then_some(value), "")
}

/// [`parse_number`] for text whose digits may be full-width.
fn parse_wide_number(text: &str) -> (Option<u32>, &str) {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let digits = &text[..text.len() - rest.len()];
    if digits.is_empty() {
        return (None, text);
    }
    let value = digits.chars().fold(0_u32, |value, c| {
        let digit = c.to_digit(10).unwrap_or_else(|| c as u32 - '０' as u32);
        value.saturating_mul(10).saturating_add(digit)
    });
    (Some(value), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_characters_determine_the_line_kind() {
        for (line, kind) in [
            ("", LineKind::Blank),
            ("　 ", LineKind::Blank),
            ("** 12", LineKind::Comment("* 12")),
            ("&", LineKind::Bookmark("")),
            ("+---------------------------+", LineKind::Frame),
            ("  ９ ８ ７ ６ ５ ４ ３ ２ １", LineKind::Frame),
            ("下手の持駒：飛", LineKind::Hand(Color::Black, 18)),
            ("手合割:平手", LineKind::Handicap(10)),
            ("上手番", LineKind::Turn(Color::White)),
            ("先手：甲：乙", LineKind::Header("先手", "甲：乙")),
            ("手数＝12 まで", LineKind::Ply("12 まで")),
            ("手数----指手", LineKind::Columns),
            ("まで3手で中断", LineKind::End),
            (" 変化：12手", LineKind::Variation(10)),
            ("   1 投了", LineKind::Numbered(3)),
            ("　▲７六歩", LineKind::Marked(3)),
            ("なにか", LineKind::Unknown),
            ("：x", LineKind::Unknown),
        ] {
            assert_eq!(classify(line), kind, "{line}");
        }
        assert_eq!(parse_end("まで、12手で先手の勝ち"), Some((Some(12), "先手の勝ち")));
        assert_eq!(parse_end("まで先手の勝ち"), Some((None, "先手の勝ち")));
    }
}
