//! The position described by the lines before the first move: a handicap's name or a board diagram (BOD), and hands.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, File, Rank, Setup, Square, color, square};

use super::line::{MARKS, is_bar, marked_side};
use super::row::{self, piece};
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::handicap;
use crate::lines::Line;
use crate::record::UnplayableSetup;

/// The content of the position lines so far.
pub(super) struct PositionLines<'a> {
    handicap: Option<(Line<'a>, usize)>,
    /// The drawn board, without hands.
    board: Setup,
    /// The rows that were drawn, and the line of the last one.
    rows: [bool; 9],
    last_row: Option<Line<'a>>,
    hands: Vec<HandEntry<'a>>,
    /// The lines that gave the hand of Black and of White, without their keys.
    given_hands: [Option<&'a str>; 2],
    /// The side that holds all pieces not mentioned elsewhere (残り), as in tsume problems.
    rest_owner: Option<Color>,
    side: Option<Color>,
    ply: Option<u32>,
    /// The move before the position: `▲６二角成`.
    last_move: &'a str,
}

/// Pieces of one kind in a hand, and the place in the file.
struct HandEntry<'a> {
    color: Color,
    kind: BaseKind,
    count: u32,
    line: Line<'a>,
    at: usize,
}

impl<'a> PositionLines<'a> {
    pub fn new() -> Self {
        Self {
            handicap: None,
            board: Setup::EMPTY,
            rows: [false; 9],
            last_row: None,
            hands: Vec::new(),
            given_hands: [None; 2],
            rest_owner: None,
            side: None,
            ply: None,
            last_move: "",
        }
    }

    pub fn set_handicap(&mut self, line: Line<'a>, at: usize) -> Result<(), KifuError> {
        let name = line.text[at..].trim();
        let earlier = self.handicap.map(|(line, at)| line.text[at..].trim());
        // A handicap without a name says nothing.
        let earlier = earlier.filter(|earlier| !earlier.is_empty());
        if earlier.is_none() {
            self.handicap = Some((line, at));
        }
        if name.is_empty() { Ok(()) } else { check_repeated(line, at, earlier, name) }
    }

    pub fn set_side(&mut self, line: Line<'a>, at: usize, side: Color) -> Result<(), KifuError> {
        let earlier = self.side.replace(side);
        check_repeated(line, at, earlier, side)
    }

    /// Sets the number of moves before the position.
    pub fn set_moves_before(&mut self, moves: u32) {
        self.ply = Some(moves.saturating_add(1));
    }

    /// Sets the move before the position, with the mark of its side.
    pub fn set_last_move(&mut self, text: &'a str) {
        self.last_move = text;
    }

    /// The destination of the move before the position.
    pub fn last_target(&self) -> Option<Square> {
        let mut chars = self.last_move.trim_start_matches(MARKS).trim_start().chars();
        let file = File::new(digit(chars.next()?) as u8)?;
        Some(square::at(file, Rank::new(digit(chars.next()?) as u8)?))
    }

    /// Whether all rows were drawn.
    pub fn is_drawn(&self) -> bool {
        !self.rows.contains(&false)
    }

    /// Whether a line gave any part of the position.
    pub fn is_begun(&self) -> bool {
        self.handicap.is_some() || self.last_row.is_some() || self.given_hands != [None; 2]
    }

    /// Whether a line gave the hand of a side.
    pub fn has_hand(&self, color: Color) -> bool {
        self.given_hands[color.array_index()].is_some()
    }

    /// Whether a line named the handicap.
    pub fn has_handicap(&self) -> bool {
        self.handicap.is_some()
    }

    /// Whether a line named a handicap whose position is known, and which needs no diagram.
    pub fn has_known_handicap(&self) -> bool {
        self.handicap.is_some_and(|(line, at)| handicap::position(line.text[at..].trim()).is_some())
    }

    /// Reads a row: `|`, nine cells of a mark and a piece, `|` and the rank.
    pub fn read_row(&mut self, line: Line<'a>) -> Result<(), KifuError> {
        let fault = |at| Err(KifuError::at(line, at, Fault::BoardRow));
        let bar = line.text.find(is_bar).unwrap_or(0);
        let start = bar + line.text[bar..].chars().next().map_or(0, char::len_utf8);
        let (cells, end) = match row::read_cells(&line.text[start..]) {
            Ok((cells, length)) => (cells, start + length),
            Err(offset) => return fault(start + offset),
        };
        let mut rest = line.text[end..].chars();
        let named = rest.find(|&c| !is_bar(c) && !c.is_whitespace()).and_then(kanji_number);
        let next = self.rows.iter().rposition(|&drawn| drawn).map_or(0, |last| last + 1);
        let row = named.map_or(next, |number| number as usize - 1);
        match self.rows.get_mut(row) {
            Some(drawn) if !*drawn => *drawn = true,
            _ => return fault(0),
        }
        self.last_row = Some(line);
        let Some(rank) = Rank::new(row as u8 + 1) else { return fault(0) };
        for (file, cell) in File::all().rev().zip(cells) {
            if let Some((at, piece)) = cell {
                let placed = self.board.place(square::at(file, rank), piece);
                placed.map_err(|error| {
                    KifuError::at(line, start + at, Fault::Setup(UnplayableSetup::Set(error)))
                })?;
            }
        }
        Ok(())
    }

    /// Reads the pieces of a hand: `飛二　歩十八`, `なし`, `残り`, with blanks or without.
    pub fn read_hand(&mut self, color: Color, line: Line<'a>, at: usize) -> Result<(), KifuError> {
        let text = &line.text[at..];
        let pieces = match text.trim() {
            "なし" | "無し" | "ナシ" | "無" => "",
            pieces => pieces,
        };
        let earlier = self.given_hands[color.array_index()].replace(pieces);
        check_repeated(line, at, earlier, pieces)?;
        match pieces {
            "" => return Ok(()),
            _ if earlier.is_some() => return Ok(()),
            "残り" | "残り全部" | "残り全て" if self.rest_owner.is_none() => {
                self.rest_owner = Some(color);
                return Ok(());
            }
            _ => {}
        }
        let mut chars = text.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            if c.is_whitespace() || matches!(c, '、' | ',' | '，' | '・' | '･') {
                continue;
            }
            let kind = piece(c).map(|kind| (kind, BaseKind::of(kind)));
            let kind = match kind {
                Some((kind, base)) if base != BaseKind::King && base.unpromoted() == kind => base,
                _ => return Err(KifuError::at(line, at + offset, Fault::Hand)),
            };
            // Some programs write 飛車 and 角行.
            let _ = chars.next_if(|&(_, second)| {
                matches!(
                    (c, second),
                    ('飛' | '香', '車') | ('角', '行') | ('金' | '銀', '将') | ('桂', '馬') | ('歩', '兵')
                )
            });
            let mut count = String::new();
            while let Some((_, c)) = chars.next_if(|&(_, c)| is_count(c)) {
                count.push(c);
            }
            if !count.is_empty() {
                let _ = chars.next_if(|&(_, c)| c == '枚');
            }
            let entry = HandEntry { color, kind, count: parse_count(&count), line, at: at + offset };
            self.hands.push(entry);
        }
        Ok(())
    }

    /// The position and the number of its first move.
    pub fn finish(&self, notices: &mut Vec<Notice>) -> Result<(Setup, u32), KifuError> {
        let named = self.handicap.map(|(line, at)| (line, at, line.text[at..].trim()));
        // A handicap without a name says nothing.
        let named = named.filter(|(_, _, name)| !name.is_empty());
        let handicap = named.and_then(|(_, _, name)| handicap::position(name));
        let mut setup = match (self.last_row, named, handicap) {
            (Some(last), _, _) => {
                if !self.is_drawn() {
                    return Err(KifuError::at(last, 0, Fault::BoardRow));
                }
                self.board
            }
            (None, _, Some(handicap)) => handicap,
            (None, Some((line, at, "その他")), None) => {
                return Err(KifuError::at(line, at, Fault::Handicap));
            }
            (None, Some((line, at, _)), None) => {
                return Err(KifuError::at(line, at, Fault::UnknownHandicap));
            }
            (None, None, None) => Setup::START,
        };
        for entry in &self.hands {
            let HandEntry { color, kind, count, line, at } = *entry;
            let total = u32::from(setup.hand(color).count(kind)) + count;
            let count = u8::try_from(total).unwrap_or(u8::MAX);
            setup.set_hand_count(color, kind, count).map_err(|_| KifuError::at(line, at, Fault::Hand))?;
        }
        if let Some(color) = self.rest_owner {
            for kind in BaseKind::IN_HAND {
                let count = setup.hand(color).count(kind) + setup.removed(kind);
                // `removed` counts the pieces that the set has left, so they fit.
                let fits = setup.set_hand_count(color, kind, count).is_ok();
                debug_assert!(fits);
            }
        }
        let side = self.side.or_else(|| marked_side(self.last_move).map(color::opponent));
        if let Some(side) = side {
            setup.set_side_to_move(side);
        }
        if let (Some(_), Some(handicap), Some((line, _, name))) = (self.last_row, handicap, named) {
            // If no line states the side to move, the handicap's name determines it.
            if side.is_none() {
                setup.set_side_to_move(handicap.side_to_move());
            }
            if setup != handicap {
                notices.push(Notice::new(line.number, NoticeKind::HandicapAndBoard, name));
            }
        }
        Ok((setup, self.ply.unwrap_or(1)))
    }

    /// The line to report for a position from which no game can be played.
    pub fn line_of_fault(&self) -> Option<Line<'a>> {
        self.last_row.or(self.hands.last().map(|entry| entry.line)).or(self.handicap.map(|(line, _)| line))
    }
}

/// A fault where a line says something else than one before it said of the same.
fn check_repeated<T: PartialEq>(
    line: Line<'_>,
    at: usize,
    earlier: Option<T>,
    value: T,
) -> Result<(), KifuError> {
    let is_same = earlier.is_none_or(|earlier| earlier == value);
    if is_same { Ok(()) } else { Err(KifuError::at(line, at, Fault::Contradiction)) }
}

/// The number of a kanji from 一 to 九.
fn kanji_number(c: char) -> Option<u32> {
    ['一', '二', '三', '四', '五', '六', '七', '八', '九']
        .iter()
        .position(|&kanji| kanji == c)
        .map(|index| index as u32 + 1)
}

fn is_count(c: char) -> bool {
    c == '十' || kanji_number(c).is_some() || c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// The number of a digit in any spelling; 255 for other characters.
fn digit(c: char) -> u32 {
    let number = kanji_number(c).or(c.to_digit(10));
    number.unwrap_or((c as u32).wrapping_sub('０' as u32)).min(255)
}

/// The number denoted by 二, 十八 or 18; 1 for empty text. Runs of digits saturate at 255.
fn parse_count(text: &str) -> u32 {
    let mut tens = 0_u32;
    let mut ones = None;
    for c in text.chars() {
        match c {
            '十' => tens = 10 * ones.take().unwrap_or(1),
            _ => ones = Some((ones.unwrap_or(0) * 10 + digit(c)).min(255)),
        }
    }
    if text.is_empty() { 1 } else { tens + ones.unwrap_or(0) }
}
