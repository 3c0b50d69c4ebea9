//! [`Text`]: a position, moves or game records; the only place that decides between them (`spec/kifu.md` §11).

use komabako_board::Color;
use komabako_board::usi::{self, UsiFault};
use komabako_rules::{Move16, kind_of_csa};

use crate::Format;
use crate::kakinoki::{find_move, starts_with_move};

/// A text as a position, moves or game records, which its first words decide.
///
/// ```
/// use komabako_kifu::{Format, Text};
/// // The first rank of this SFEN looks like the move 2g2g, its hands like 2b2g.
/// let sfen = "2g2gs1l/9/3k5/9/9/9/9/4K4/9 b 2b2g 3";
/// assert_eq!(Text::of(sfen), Text::Position { sfen, moves: "" });
/// assert_eq!(Text::of("startpos 7g7f"), Text::Position { sfen: "startpos", moves: "7g7f" });
/// assert_eq!(Text::of("▲７六歩 3c3d +8822UM"), Text::Moves("▲７六歩 3c3d +8822UM"));
/// assert_eq!(Text::of("PI\n+\n+7776FU\n"), Text::Games(Format::Csa));
/// assert_eq!(Text::of("komabako"), Text::Unknown);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text<'a> {
    /// A position on one line.
    Position {
        /// The position, in a form of [`sfen::parse`](komabako_board::sfen::parse), which may find faults in it.
        sfen: &'a str,
        /// The moves after it, for [`moves`]; empty without moves.
        moves: &'a str,
    },
    /// Moves on one line, for [`moves`], from a position that the text does not give.
    Moves(&'a str),
    /// Game records. A line with a position is [`Text::Position`], although [`Format::Usi`] reads it too.
    Games(Format),
    /// None of these.
    Unknown,
}

/// The notation of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `7g7f`
    Usi,
    /// `+7776FU`
    Csa,
    /// `▲７六歩` or, as in KIF, `７六歩(77)`
    Japanese,
}

impl<'a> Text<'a> {
    /// Decides on the kind of a text.
    pub fn of(text: &'a str) -> Self {
        if text.trim().contains(['\n', '\r']) {
            return Format::detect(text).map_or(Text::Unknown, Text::Games);
        }
        if begins_with_position(text) {
            let (sfen, rest) = text.split_at(end_of_position(text));
            return match first_word(rest) {
                "" => Text::Position { sfen: text.trim_ascii_end(), moves: "" },
                word if word == MOVES || is_move(word) => Text::Position { sfen, moves: rest.trim_ascii() },
                // A fault, which the reader of the position finds.
                _ => Text::Position { sfen: text, moves: "" },
            };
        }
        let first = first_word(text);
        if first == MOVES || is_move(first) {
            return Text::Moves(text.trim_ascii());
        }
        match Format::detect(text) {
            Some(format) => Text::Games(format),
            // No move and no game has slashes here, so this is an SFEN with a fault.
            None if first.contains('/') && !first.contains(':') => Text::Position { sfen: text, moves: "" },
            None => Text::Unknown,
        }
    }
}

impl Text<'_> {
    /// Whether it has moves but is not a game record: the text means the position after them.
    pub fn has_moves(&self) -> bool {
        match self {
            Text::Position { moves, .. } => !moves.is_empty(),
            Text::Moves(_) => true,
            Text::Games(_) | Text::Unknown => false,
        }
    }
}

impl Notation {
    /// The notation of a word that is a move.
    pub fn of(word: &str) -> Self {
        if word.starts_with(['+', '-', '−']) {
            Notation::Csa
        } else if word.is_ascii() {
            Notation::Usi
        } else {
            Notation::Japanese
        }
    }
}

/// The word that may precede moves.
const MOVES: &str = "moves";

/// The moves of a text, a word each. Words end at ASCII white space: the Japanese `同　歩` is one.
pub fn moves(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace().filter(|&word| word != MOVES)
}

/// Whether a line begins with a position.
pub(crate) fn begins_with_position(line: &str) -> bool {
    // Lines of KIF and KI2 need no look at their words.
    if !line.trim_ascii_start().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '+') {
        return false;
    }
    match first_word(line) {
        // `sfen` before a tab is the first column of a table.
        "sfen" => !line.trim_start().starts_with("sfen\t"),
        "position" | "startpos" => true,
        word => is_board(word),
    }
}

/// Where a position ends that begins a line. The fields are told apart by their places: a rank or a hand may look like a move.
pub(crate) fn end_of_position(line: &str) -> usize {
    let mut end = 0;
    let mut skip_if = |is_field: &dyn Fn(&str) -> bool| {
        let rest = line[end..].trim_ascii_start();
        let word = first_word(rest);
        let skips = !word.is_empty() && is_field(word);
        if skips {
            end = line.len() - rest.len() + word.len();
        }
        skips
    };
    skip_if(&|word| word == "position");
    if !skip_if(&|word| word == "startpos") {
        skip_if(&|word| word == "sfen");
        // Board and side.
        let _ = skip_if(&|word| word != MOVES) && skip_if(&|word| word != MOVES);
        skip_if(&is_hands);
        skip_if(&|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    }
    end
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or_default()
}

/// Whether a word is meant as the board of an SFEN. The path of a link has slashes too.
fn is_board(word: &str) -> bool {
    word.matches('/').count() >= 8 && !word.contains(':')
}

/// Whether a word is meant as the hands of an SFEN. Digits alone are the number of the move.
fn is_hands(word: &str) -> bool {
    let is_piece = |letter: u8| b"PLNSGBRK".contains(&letter.to_ascii_uppercase());
    word == "-"
        || word.bytes().any(is_piece) && word.bytes().all(|byte| byte.is_ascii_digit() || is_piece(byte))
}

/// Whether a word is meant as a move.
fn is_move(word: &str) -> bool {
    match Notation::of(word) {
        // `7g7g` is read as a move, so that it is refused as one rather than as an SFEN.
        Notation::Usi => match usi::parse(word, Color::Black) {
            Ok(_) => true,
            Err(error) => error.fault == UsiFault::SameSquare && !word.contains('/'),
        },
        Notation::Csa => word.chars().nth(1).is_some_and(|next| next.is_ascii_digit()),
        Notation::Japanese => {
            let unmarked = word.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
            let mut letters = unmarked.chars();
            let is_digit = |letter: char| matches!(letter, '1'..='9' | '１'..='９');
            match letters.next() {
                Some('同') => true,
                Some(first) if is_digit(first) => letters
                    .next()
                    .is_some_and(|second| is_digit(second) || "一二三四五六七八九".contains(second)),
                _ => false,
            }
        }
    }
}

/// Whether text holds a square and a piece, as in a move of CSA, USI (in letters of either case) or KIF: it must not be taken
/// for a comment.
pub(crate) fn holds_move(text: &str) -> bool {
    let is_square = |a: u8, b: u8| matches!(a, b'1'..=b'9') && matches!(b, b'1'..=b'9');
    let csa = text.as_bytes().windows(4).any(|four| {
        let name = core::str::from_utf8(&four[2..]).unwrap_or_default().to_ascii_uppercase();
        is_square(four[0], four[1]) && kind_of_csa(&name).is_some()
    });
    let usi = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '*' && c != '+').any(|word| {
        let word = word.to_ascii_lowercase();
        matches!(word.as_bytes(), [_, b'*', b'1'..=b'9', b'a'..=b'i', ..]) || word.parse::<Move16>().is_ok()
    });
    csa || usi || find_move(text).is_some() || text.split_whitespace().any(starts_with_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_told_apart_by_their_places() {
        let board = "4k4/9/9/9/9/9/9/9/4K4";
        for fields in ["b - 1", "w 2b2g 12", "b 2b2g", "b 5", "b"] {
            for before in ["", "sfen ", "position sfen ", "  position  sfen "] {
                let sfen = format!("{before}{board} {fields}");
                assert_eq!(Text::of(&sfen), Text::Position { sfen: &sfen, moves: "" });
                for moves in
                    ["moves 5i5h", "moves 5i5h 5a5b", "moves", "5i5h", "+5958OU", "▲５八玉", "同　玉(59)"]
                {
                    let text = format!("{sfen} {moves}\n");
                    assert_eq!(Text::of(&text), Text::Position { sfen: &sfen, moves }, "{text}");
                }
            }
        }
    }

    #[test]
    fn faulty_positions_are_positions() {
        let board = "2g2gs1l/l1s6/3k5/9/9/9/9/4K4/8";
        for text in ["position", "sfen", "startpos x", "2g2g/9 b - 1", board, &format!("{board}/9/9 w - 1")] {
            assert!(matches!(Text::of(text), Text::Position { moves: "", .. }), "{text}");
        }
        assert_eq!(
            Text::of(&format!("{board} b - 1 moves")),
            Text::Position { sfen: &format!("{board} b - 1"), moves: "moves" }
        );
    }

    #[test]
    fn moves_alone_and_games_are_told_apart() {
        for moves in
            ["7g7f", "7g7g 3c3d", "moves 7g7f", "-3334FU", "−3334FU", "７六歩(77)", "△同　歩", "76歩"]
        {
            assert_eq!(Text::of(moves), Text::Moves(moves));
        }
        assert_eq!(Text::of("手合割：平手"), Text::Games(Format::Kif));
        assert_eq!(Text::of("startpos moves 7g7f\nstartpos"), Text::Games(Format::Usi));
        assert_eq!(Text::of("sfen\tmove\tscore"), Text::Unknown);
        assert_eq!(Text::of("N+a/b"), Text::Games(Format::Csa));
        assert_eq!(Text::of("https://example.org/a/b/c/d/e/f/g"), Text::Unknown);
    }
}
