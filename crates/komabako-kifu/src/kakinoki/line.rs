//! Classifies the lines of KIF and KI2 files.

use alloc::borrow::ToOwned;
use alloc::string::String;

use komabako_board::Color;

use super::row;
use crate::ending::Ending;
use crate::format::Format;
use crate::lines::{is_invisible, trim_blanks_start};
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
    /// `先手の持駒：…`; the offset of the pieces. The side is unknown if no name of a side precedes 持駒.
    Hand(Option<Color>, usize),
    /// `手合割：…`; the offset of the name.
    Handicap(usize),
    /// `先手番`, `手番：先手`; the offset of the side, which is unknown if it is neither.
    Turn(Option<Color>, usize),
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
    /// A number and a move or ending in another spelling: `１．７六歩`, with tabs, with a colon.
    Loose(LooseNumber),
    /// A mark of a side; the offset of the mark.
    Marked(usize),
    /// A move without number and mark; its offset.
    Move(usize),
    /// `KEY：VALUE`.
    Header(&'a str, &'a str),
    Unknown,
}

/// A number and the offsets of itself and of the move or ending after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LooseNumber {
    pub number: u32,
    pub at: usize,
    pub move_at: usize,
}

const BLANKS: [char; 2] = [' ', '　'];
pub(super) const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

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
        '0'..='9' if is_numbered(trimmed) => LineKind::Numbered(indent),
        '▲' | '△' | '▼' | '▽' | '☗' | '☖'
            if trimmed[first.len_utf8()..].starts_with(|c: char| is_digit(c) || c == '同') =>
        {
            LineKind::Marked(indent)
        }
        _ => other(line),
    }
}

/// The kind of a line that is not one of the most frequent ones.
fn other(line: &str) -> LineKind<'_> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let Some(first) = text.chars().next() else { return LineKind::Blank };
    match first {
        '|' | '｜' | '│' | '┃' => return LineKind::Board,
        // A quoted row.
        '>' | '＞' if text.trim_start_matches(['>', '＞', ' ', '　']).starts_with(is_bar) => {
            return LineKind::Board;
        }
        '+' if text.starts_with("+-") => return LineKind::Frame,
        '９' if text.starts_with("９ ８") => return LineKind::Frame,
        '先' | '下' | '後' | '上' | '手' | 'ま' | '変' | '盤' | '持' | '▲' | '△' | '▼' | '▽' | '☗' | '☖' => {
            if let Some(kind) = named(text, indent) {
                return kind;
            }
        }
        _ => {}
    }
    if let Some(number) = loose_number(text) {
        let LooseNumber { number, at, move_at } = number;
        return LineKind::Loose(LooseNumber { number, at: at + indent, move_at: move_at + indent });
    }
    if starts_with_move(text) {
        return if MARKS.contains(&first) { LineKind::Marked(indent) } else { LineKind::Move(indent) };
    }
    match header(line) {
        LineKind::Unknown if MARKS.contains(&first) => LineKind::Marked(indent),
        kind => kind,
    }
}

/// Whether a character bounds a row of the board.
pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '｜' | '│' | '┃')
}

/// The names of the sides, and their marks.
const SIDES: [(&str, Color); 10] = [
    ("先手", Color::Black),
    ("下手", Color::Black),
    ("▲", Color::Black),
    ("▼", Color::Black),
    ("☗", Color::Black),
    ("後手", Color::White),
    ("上手", Color::White),
    ("△", Color::White),
    ("▽", Color::White),
    ("☖", Color::White),
];

/// The spellings of 持駒.
const HAND_WORDS: [&str; 10] =
    ["持駒", "持ち駒", "持ちごま", "持ちゴマ", "持ちコマ", "持ごま", "持ゴマ", "もち駒", "もちごま", "手駒"];

/// Text without what may stand between a keyword and its value.
fn after_key(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '：' | ':' | '＝' | '=' | 'は'))
}

/// The kind of a line that starts with a keyword.
fn named(line: &str, indent: usize) -> Option<LineKind<'_>> {
    let offset = |rest: &str| indent + line.len() - rest.len();
    // The value after a key, which a colon or a blank must separate from it.
    let value = |key: &str| {
        let rest = line.strip_prefix(key)?;
        let value = after_key(rest);
        (value.len() < rest.len()).then_some(value)
    };
    let side = SIDES.iter().find_map(|(name, color)| Some((*color, line.strip_prefix(name)?)));
    let rest =
        side.map_or(line, |(_, rest)| rest.trim_start_matches(|c: char| c.is_whitespace() || c == 'の'));
    if let Some(pieces) = HAND_WORDS.iter().find_map(|word| rest.strip_prefix(word)) {
        return Some(LineKind::Hand(side.map(|(color, _)| color), offset(after_key(pieces))));
    }
    if let Some((color, _)) = side {
        if rest.starts_with('番') || rest.starts_with("手番") {
            return Some(LineKind::Turn(Some(color), indent));
        }
        // `先手：持駒：金`
        let pieces = HAND_WORDS.iter().find_map(|word| after_key(rest).strip_prefix(word))?;
        return Some(LineKind::Hand(Some(color), offset(after_key(pieces))));
    }
    if let Some(named) = ["手番", "手番側"].iter().find_map(|key| value(key)) {
        let named_side = SIDES.iter().find(|(name, _)| named.starts_with(name));
        return Some(LineKind::Turn(named_side.map(|(_, color)| *color), offset(named)));
    }
    if let Some(name) = ["手合割", "手合い割", "手合割り", "手合い", "手合"].iter().find_map(|key| value(key))
    {
        return Some(LineKind::Handicap(offset(name)));
    }
    if let Some(rest) = line.strip_prefix("手数＝").or_else(|| line.strip_prefix("手数=")) {
        return Some(LineKind::Ply(rest));
    }
    if line.starts_with("手数--") || line.starts_with("手数") && line.contains("指") {
        return Some(LineKind::Columns);
    }
    if line.starts_with("まで") {
        return Some(LineKind::End);
    }
    if line.starts_with("盤面回転") {
        return Some(LineKind::Ignored);
    }
    value("変化").map(|number| LineKind::Variation(offset(number)))
}

fn is_numbered(text: &str) -> bool {
    let (_, rest) = parse_number(text);
    rest.starts_with(BLANKS)
}

/// The number of a move or ending in a spelling that KIF does not have: after a bracket or 第, with a point, a colon, a
/// bracket, 手目 or a tab behind it, or with nothing between it and the square.
pub(crate) fn loose_number(text: &str) -> Option<LooseNumber> {
    let start = text.trim_start_matches(['(', '（', '[', '［', '第']);
    let at = text.len() - start.len();
    let rest = start.trim_start_matches(is_digit);
    let digits = &start[..start.len() - rest.len()];
    if digits.is_empty() {
        return None;
    }
    let number_of = |digits: &str| parse_number(digits).0;
    let is_separator = |c: char| c.is_whitespace() || ".．,，:：;；)）]］、-－ー/／|｜手目".contains(c);
    let after = rest.trim_start_matches(is_separator);
    let move_at = text.len() - after.len();
    let is_separate = after.len() < rest.len() || after.starts_with('同') || after.starts_with(MARKS);
    if is_separate && starts_with_move(after) || is_known_word(after) {
        return Some(LooseNumber { number: number_of(digits)?, at, move_at });
    }
    // The last digits belong to the square.
    for (square_at, _) in digits.char_indices().rev().take(2) {
        if square_at > 0 && starts_with_move(&start[square_at..]) {
            let number = number_of(&digits[..square_at])?;
            return Some(LooseNumber { number, at, move_at: at + square_at });
        }
    }
    None
}

/// Whether text is the word of an ending, or パス, and perhaps a time.
fn is_known_word(text: &str) -> bool {
    known_end(text).is_some() || is_pass(end_word(text))
}

/// A known word of an ending.
pub(crate) struct KnownEnd {
    pub ending: Ending,
    /// The side that the mark before the word names.
    pub side: Option<Color>,
    /// The length of what denotes the ending.
    pub length: usize,
}

impl KnownEnd {
    /// The ending where `side` is to move: the side that the mark names decides.
    pub fn for_side(&self, side: Color) -> Ending {
        match self.side {
            Some(named) if named != side => self.ending.said_of(named, side),
            _ => self.ending.clone(),
        }
    }
}

/// The known ending that text starts with: `▲投了`, `[投了]`, `投了。`.
pub(crate) fn known_end(text: &str) -> Option<KnownEnd> {
    let is_before = |c: char| MARKS.contains(&c) || c.is_whitespace() || "[［【「".contains(c);
    let start = text.trim_start_matches(is_before);
    let is_after = |c: char| c.is_whitespace() || "]］】」。.．(（+|｜,，、!！".contains(c);
    let word = start.split(is_after).next()?;
    let ending = Ending::known_kif(word)?;
    let rest = start[word.len()..].trim_start_matches(|c| "]］】」。".contains(c));
    let before = &text[..text.len() - start.len()];
    let side = before.find(MARKS).and_then(|mark| marked_side(&before[mark..]));
    Some(KnownEnd { ending, side, length: text.len() - rest.len() })
}

/// Whether a word is パス, which some programs write although shogi has no such move.
pub(crate) fn is_pass(word: &str) -> bool {
    let word = word.trim_start_matches(MARKS).trim_start();
    let word = word.strip_suffix('手').unwrap_or(word);
    matches!(word, "パス" | "ﾊﾟｽ" | "ぱす" | "手抜き" | "ＰＡＳＳ" | "Ｐａｓｓ" | "ｐａｓｓ")
        || word.eq_ignore_ascii_case("pass")
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// Whether a character begins a number: a digit, or a number in a circle.
pub(super) fn is_number(c: char) -> bool {
    is_digit(c) || ('①'..='⓿').contains(&c)
}

/// Whether a character is a letter or a number as Japanese texts have them. Unicode's tables of all letters would be a large part of
/// the page's module.
pub(crate) fn is_word(c: char) -> bool {
    let is_letter =
        matches!(c, '々'..='〇' | 'ぁ'..='ゖ' | 'ゝ'..='ゟ' | 'ァ'..='ヺ' | 'ー'..='ヿ' | '㐀'..='鿿');
    let is_wide = matches!(c, 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | 'ｦ'..='ﾟ');
    c.is_ascii_alphanumeric() || is_number(c) || is_letter || is_wide
}

/// Whether a character numbers a file or a rank.
fn is_coordinate(c: char) -> bool {
    is_digit(c) || "一二三四五六七八九".contains(c)
}

/// Whether text starts with the name of a piece.
fn starts_with_piece(text: &str) -> bool {
    text.starts_with(|c: char| "歩香桂銀金角飛玉王と杏圭全馬龍竜成".contains(c))
}

/// Whether text starts with a move: a square, or 同, and a piece.
pub(crate) fn starts_with_move(text: &str) -> bool {
    let text = text.trim_start_matches(MARKS).trim_start();
    let mut chars = text.chars();
    let piece = match chars.next() {
        Some('同') => chars.as_str(),
        Some(file) if is_coordinate(file) => {
            let rest = chars.as_str().trim_start();
            let Some(rest) = rest.strip_prefix(is_coordinate) else { return false };
            rest
        }
        _ => return false,
    };
    starts_with_piece(piece.trim_start())
}

/// The offset of the first move that text holds: a square and a piece in either order, anywhere, or a word that is a move
/// of CSA or USI.
pub(crate) fn find_move(text: &str) -> Option<usize> {
    let mut before = ' ';
    text.char_indices().find_map(|(at, c)| {
        let rest = &text[at..];
        // 同 alone is an ordinary word.
        let is_move = c != '同' && starts_with_move(rest)
            || starts_with_square_of_piece(rest)
            || !is_word(before) && starts_with_latin_move(rest);
        before = c;
        is_move.then_some(at)
    })
}

/// Whether text behind a whole move, which it does not separate from the next one, may be a part of it after all: `らず` of `成らず`,
/// `成` behind a blank or in brackets, the source `(77)` behind a word. `before`: the line up to the text.
pub(crate) fn may_belong_to_move(before: &str, text: &str) -> bool {
    let is_open = |c: char| c.is_whitespace() || "([（［「・、,".contains(c);
    let is_end = |c: char| c.is_whitespace() || ")]）］」".contains(c);
    let is_adjacent = !before.ends_with(char::is_whitespace);
    let word = text.trim_start_matches(is_open).split(is_end).next().unwrap_or_default();
    let is_part = |c: char| "成不生ならず打右左直上寄引行入".contains(c);
    let is_source = word.chars().count() == 2
        && word.chars().all(|c| is_digit(c) && !matches!(c, '0' | '０'))
        && (is_adjacent || !before.contains(['(', '（']));
    is_source || is_adjacent && word.starts_with(is_part) || !word.is_empty() && word.chars().all(is_part)
}

/// Whether text starts with `歩７六`: a piece and a square, and no further digit or word.
fn starts_with_square_of_piece(text: &str) -> bool {
    let mut chars = text.chars();
    starts_with_piece(text)
        && chars.next().is_some()
        && chars.next().is_some_and(is_coordinate)
        && chars.next().is_some_and(is_coordinate)
        && !chars.next().is_some_and(is_word)
}

/// Whether text starts with a word like `7776FU`, `76FU` or `7g7f`, in either case.
fn starts_with_latin_move(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_ascii_uppercase();
    const PIECES: [&str; 14] =
        ["FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];
    let squares = word.as_bytes();
    match squares {
        [b'1'..=b'9', b'A'..=b'I', b'1'..=b'9', b'A'..=b'I'] => true,
        [squares @ .., _, _] if matches!(squares.len(), 2 | 4) => {
            squares.iter().all(u8::is_ascii_digit) && PIECES.iter().any(|piece| word.ends_with(piece))
        }
        _ => false,
    }
}

/// Whether a line that is no row of the board looks like one: nine cells, with nothing but marks, bars and numbers.
pub(super) fn looks_like_row(line: &str) -> bool {
    let mut cells = 0;
    let is_of_row = line.chars().all(|c| {
        let is_cell = row::is_cell(c);
        cells += u32::from(is_cell);
        is_cell || !is_word(c) || is_coordinate(c) || "vVｖl".contains(c)
    });
    is_of_row && cells == 9
}

/// Whether an entry of the header may be a numbered move.
pub(crate) fn may_be_move(key: &str, value: &str) -> bool {
    let is_numbered = key.contains(|c: char| is_number(c) || is_coordinate(c));
    is_numbered && (starts_with_move(value) || find_move(value) == Some(0))
}

/// An entry of the header; but a key that names the hands or the side to move is not one.
fn header(line: &str) -> LineKind<'_> {
    let Some(at) = line.find(['：', ':']) else { return LineKind::Unknown };
    let (key, rest) = line.split_at(at);
    let key = key.trim();
    let value = rest.strip_prefix(['：', ':']).unwrap_or_default();
    let side_in = |text: &str| SIDES.iter().find(|(name, _)| text.contains(name)).map(|(_, color)| *color);
    let value_at = line.len() - value.trim_start().len();
    if key.contains(['駒', 'ま', 'マ']) && HAND_WORDS.iter().any(|word| key.contains(word)) {
        LineKind::Hand(side_in(key), value_at)
    } else if key.contains("手番") {
        LineKind::Turn(side_in(value), value_at)
    } else if key.is_empty() {
        LineKind::Unknown
    } else {
        LineKind::Header(key, value.trim())
    }
}

/// A header entry as a line represents it, or `None` if the line would not be read as a header, or would be taken for the
/// first line of another format: the header comes first, and a file is recognised by its first distinctive line.
pub(crate) fn project_entry(format: Format, key: &str, value: &str) -> Option<(String, String)> {
    let value = one_line(value).trim().to_owned();
    let line = alloc::format!("{key}：{value}");
    if !format.may_begin_with(&line) {
        return None;
    }
    match classify(&line) {
        LineKind::Header(k, v) => {
            // Invisible characters at the start of a line are removed, and a move is no entry.
            let is_kept = k == key && v == value && !key.starts_with(is_invisible);
            let is_entry = find_move(key).is_none()
                && !may_be_move(key, &value)
                && !looks_like_row(&line)
                && glued_at(&line).is_none();
            (is_kept && is_entry).then(|| (key.to_owned(), value.clone()))
        }
        _ => None,
    }
}

/// Whether a word may name an ending in place of a move: it is a single word, and neither a move nor パス.
pub(crate) fn is_end_word(word: &str) -> bool {
    let is_word = |c: char| !c.is_whitespace() && !c.is_control();
    word.chars().all(is_word)
        && end_word(word) == word
        && glued_at(word).is_none()
        && !is_move_start(word)
        && !is_pass(word)
        && find_move(word).is_none()
}

/// The word at the start of text that may name an ending; a time follows it.
pub(crate) fn end_word(text: &str) -> &str {
    let word = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | '+')).next().unwrap_or_default();
    match word.split_once('（') {
        Some((known, _)) if Ending::known_kif(known).is_some() => known,
        _ => word,
    }
}

/// The side of a mark that a blank separates from its move, and the offset of the move: `☗ ３六歩`.
pub(crate) fn separate_mark(text: &str) -> Option<(Color, usize)> {
    let rest = text.strip_prefix(MARKS)?;
    let after = rest.trim_start();
    let color = marked_side(text)?;
    (after.len() < rest.len() && starts_with_move(after)).then_some((color, text.len() - after.len()))
}

/// The side that the name or the mark at the start of text names.
pub(super) fn marked_side(text: &str) -> Option<Color> {
    SIDES.iter().find(|(name, _)| text.starts_with(name)).map(|(_, color)| *color)
}

/// Whether text starts like a move.
pub(crate) fn is_move_start(text: &str) -> bool {
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    text.is_empty()
        || text.starts_with(|c: char| c == '同' || c.is_ascii_digit() || ('０'..='９').contains(&c))
}

/// Where a line ends that holds more than one: the first line of another file that was glued to the end of a game,
/// `まで2手で後手の勝ち手合割：平手`, or the moves behind the number of a variation.
#[inline(never)]
pub(crate) fn glued_at(line: &str) -> Option<usize> {
    const STARTS: [&str; 10] = [
        "手合割：",
        "手合割:",
        "手数--",
        "#",
        "開始日時：",
        "棋戦：",
        "先手：",
        "後手：",
        "後手の持駒：",
        "上手の持駒：",
    ];
    if let Some(number) = line.trim_start().strip_prefix("変化") {
        let (Some(_), rest) = parse_number(after_key(number)) else { return None };
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '手' | '目'));
        return (!rest.is_empty()).then_some(line.len() - rest.len());
    }
    // The bytes of `:`, `：`, `#` and `-`: few lines have one.
    let may_be_glued = |byte: u8| matches!(byte, b':' | 0x9a | b'#' | b'-');
    if !line.bytes().any(may_be_glued) || line.starts_with(['*', '&', '#']) {
        return None;
    }
    let found = STARTS.iter().filter_map(|start| line.find(start)).min()?;
    // With the byte order mark of the file.
    let before = line[..found].trim_end_matches(is_invisible);
    ends_game(before).then_some(before.len())
}

/// Whether a line ends a game, by a sentence or by the word of an ending.
fn ends_game(line: &str) -> bool {
    if let Some((_, sentence)) = parse_end(line) {
        let is_understood = |side| Ending::from_sentence(sentence, side).1;
        // `先手の勝ち（先手：A）`
        let is_open = line.ends_with(['(', '（']);
        return !is_open && (is_understood(Color::Black) || is_understood(Color::White));
    }
    // Without the time.
    let line = line.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')).map_or(line, |(rest, _)| rest);
    let word = line.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    !line.contains(['：', ':']) && known_end(word).is_some_and(|end| end.length == word.len())
}

/// The number of moves in an end sentence, if it states one, and the rest of the sentence.
pub(crate) fn parse_end(line: &str) -> Option<(Option<u32>, &str)> {
    let is_blank = |c: char| c.is_whitespace() || c == '、';
    let rest = line.trim_start().strip_prefix("まで")?;
    let rest = rest.trim_start_matches(is_blank);
    let (count, after) = parse_number(rest);
    let counted = count.and_then(|count| {
        let after = after.trim_start().strip_prefix('手')?;
        let by = ["で", "にて", "をもって"].iter().find_map(|by| after.strip_prefix(by));
        Some((count, by.unwrap_or(after)))
    });
    let (count, rest) = match counted {
        Some((count, rest)) => (Some(count), rest),
        None => (None, rest),
    };
    Some((count, rest.trim_matches(|c| is_blank(c) || c == '。')))
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
            ("下手の持駒：飛", LineKind::Hand(Some(Color::Black), 18)),
            ("▲持ち駒　飛", LineKind::Hand(Some(Color::Black), 15)),
            ("持駒：飛", LineKind::Hand(None, 9)),
            ("手番：後手番", LineKind::Turn(Some(Color::White), 9)),
            ("手番：不明", LineKind::Turn(None, 9)),
            ("1\t７六歩(77)", LineKind::Loose(LooseNumber { number: 1, at: 0, move_at: 2 })),
            ("１２ ▲７六歩", LineKind::Loose(LooseNumber { number: 12, at: 0, move_at: 7 })),
            ("(3)：同　銀", LineKind::Loose(LooseNumber { number: 3, at: 1, move_at: 6 })),
            ("1７六歩", LineKind::Loose(LooseNumber { number: 1, at: 0, move_at: 1 })),
            ("1276歩", LineKind::Loose(LooseNumber { number: 12, at: 0, move_at: 2 })),
            ("第3手 投了", LineKind::Loose(LooseNumber { number: 3, at: 3, move_at: 8 })),
            ("７六歩(77)：x", LineKind::Move(0)),
            ("手合割:平手", LineKind::Handicap(10)),
            ("上手番", LineKind::Turn(Some(Color::White), 0)),
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
