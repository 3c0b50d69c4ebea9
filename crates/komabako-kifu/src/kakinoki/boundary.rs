//! Where one game of a text ends and the next begins.

use komabako_board::Color;

use super::is_distinctive_key;
use super::line::{LineKind, classify, glued_at, known_end, parse_number};
use super::read::{Reader, Style};
use crate::lines::{Line, Lines};

/// The greatest number of lines of a header that are searched.
const MAX_HEADER: usize = 64;

/// The signs of the end of the game in the lines so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Boundary {
    /// Whether a line with a move or an ending was read.
    pub has_moves: bool,
    /// Whether a blank line or an ending follows the last move, or a blank line the handicap.
    pub has_gap: bool,
    /// Whether an ending follows the last move.
    pub has_ended: bool,
    /// Whether a blank line follows that ending.
    has_gap_after_end: bool,
    /// Whether the heading of the columns was read.
    pub has_columns: bool,
    /// Whether the rest of the game is skipped after a fault.
    is_skipping: bool,
}

impl Boundary {
    /// Notes a line with a move.
    #[inline]
    pub fn pass_move(&mut self) {
        self.has_moves = true;
        self.has_gap = false;
        self.has_ended = false;
        self.has_gap_after_end = false;
    }

    /// Notes a blank line.
    pub fn pass_blank(&mut self) {
        self.has_gap = true;
        self.has_gap_after_end = self.has_ended;
    }

    /// Notes the end of the game or of a variation.
    pub fn pass_end(&mut self) {
        self.has_moves = true;
        self.has_gap = true;
        self.has_ended = true;
    }
}

impl<'a> Reader<'a> {
    /// Whether a line begins the next game: after a gap or the heading of the columns, with what only a game begins with.
    #[inline]
    pub(super) fn begins_game(&self, kind: LineKind<'a>, line: Line<'a>, lines: &Lines<'a>) -> bool {
        match kind {
            LineKind::Blank => false,
            LineKind::Comment(_) => self.boundary.has_gap_after_end && self.is_above_game(lines),
            _ => (self.boundary.has_gap || self.boundary.has_columns) && self.begins_next(kind, line, lines),
        }
    }

    /// Whether a comment, and those below it, stand directly above a line that begins the next game.
    #[cold]
    fn is_above_game(&self, lines: &Lines<'a>) -> bool {
        let mut after = lines.clone();
        for _ in 0..MAX_HEADER {
            let Some(line) = after.next() else { return false };
            let kind = classify(line.text);
            if !matches!(kind, LineKind::Comment(_)) {
                return self.begins_next(kind, line, &after);
            }
        }
        false
    }

    fn begins_next(&self, kind: LineKind<'a>, line: Line<'a>, lines: &Lines<'a>) -> bool {
        let next = match kind {
            LineKind::Header(..) => next_but_header(lines),
            _ => None,
        };
        // The position stands above the columns. Entries of any kind belong to the position after them.
        if self.boundary.has_columns && is_position(next.map_or(kind, |(_, kind)| kind)) {
            return true;
        }
        if !self.boundary.has_gap {
            return false;
        }
        if !self.boundary.has_moves {
            return self.repeats(kind, next.map(|(_, kind)| kind));
        }
        match kind {
            kind if begins_position(kind) => true,
            LineKind::Header(key, _) => self.is_start(key, next),
            LineKind::Numbered(at) => is_first(line.text, at) && self.expects_other_than_1(),
            LineKind::Loose(number) => number.number == 1 && self.expects_other_than_1(),
            LineKind::Marked(_) => self.style == Style::Ki2 && self.boundary.has_ended,
            _ => false,
        }
    }

    /// Whether an entry of the header begins a game: a position or move 1 comes next, not another move or the end of the text.
    fn is_start(&self, key: &str, next: Option<(Line<'a>, LineKind<'a>)>) -> bool {
        let Some((line, kind)) = next else { return false };
        match kind {
            kind if begins_position(kind) => true,
            LineKind::Numbered(at) => is_first(line.text, at),
            LineKind::Loose(number) => number.number == 1,
            LineKind::Marked(_) => self.boundary.has_ended || is_distinctive_key(key),
            _ => false,
        }
    }

    /// Whether a line says again what a game without moves has said once. `next`: what comes after the header.
    fn repeats(&self, kind: LineKind<'a>, next: Option<LineKind<'a>>) -> bool {
        // After a fault the position will not be completed.
        let is_given = self.boundary.is_skipping && self.position.is_begun();
        let is_drawn = self.position.is_drawn() || is_given;
        let is_named = self.position.has_known_handicap();
        match kind {
            LineKind::Handicap(_) => is_drawn || self.position.has_handicap(),
            LineKind::Header(key, value) => {
                // Not all of a long header for each of its lines.
                let known = &self.header[..self.header.len().min(MAX_HEADER)];
                let has_key = known.iter().any(|(known, _)| *known == key);
                let is_before_position =
                    matches!(next, Some(LineKind::Handicap(_) | LineKind::Board | LineKind::Hand(..)));
                // The same names may be on both sides of a diagram.
                let is_other = is_before_position || !known.contains(&(key, value));
                is_distinctive_key(key) && has_key && is_other
                    || next.is_some_and(|kind| self.repeats(kind, None))
            }
            LineKind::Hand(color, _) => {
                is_named || is_drawn && self.position.has_hand(color.unwrap_or(Color::Black))
            }
            // The frame below a board may come after a blank line.
            LineKind::Board => is_named || is_drawn,
            LineKind::Columns => self.boundary.has_columns,
            _ => false,
        }
    }

    /// Whether move 1 is not the next one of this game.
    fn expects_other_than_1(&self) -> bool {
        self.boundary.is_skipping || self.builder.as_ref().is_some_and(|builder| builder.next_ply() != 1)
    }

    /// Skips the rest of a game after a fault in a line of this kind.
    #[cold]
    pub(super) fn skip_game(&mut self, kind: LineKind<'a>, lines: &mut Lines<'a>) {
        // A variation may begin with move 1.
        let mut is_variation = matches!(kind, LineKind::Variation(_));
        self.boundary.is_skipping = true;
        while let Some(line) = lines.next() {
            let line = glued_at(line.text).map_or(line, |at| lines.split(line, at));
            let kind = classify(line.text);
            if !is_variation && self.begins_game(kind, line, lines) {
                lines.go_back_to(line);
                return;
            }
            match kind {
                LineKind::Blank => self.boundary.pass_blank(),
                LineKind::End => self.boundary.pass_end(),
                LineKind::Numbered(_) if ends(line.text) => self.boundary.pass_end(),
                LineKind::Numbered(_) | LineKind::Loose(_) | LineKind::Marked(_) => {
                    self.boundary.pass_move();
                    is_variation = false;
                }
                LineKind::Variation(_) => is_variation = true,
                _ => {}
            }
        }
    }
}

/// Whether the number at a byte of a line is 1.
fn is_first(text: &str, at: usize) -> bool {
    text.as_bytes()[at] == b'1' && parse_number(&text[at..]).0 == Some(1)
}

/// Whether a numbered line names an ending.
fn ends(text: &str) -> bool {
    known_end(parse_number(text.trim_start()).1).is_some()
}

/// The next line that belongs to no header, and its kind.
fn next_but_header<'a>(lines: &Lines<'a>) -> Option<(Line<'a>, LineKind<'a>)> {
    let kinds = lines.clone().take(MAX_HEADER).map(|line| (line, classify(line.text)));
    let mut others = kinds.filter(|(_, kind)| {
        !matches!(kind, LineKind::Blank | LineKind::Ignored | LineKind::Comment(_) | LineKind::Header(..))
    });
    others.next()
}

/// Whether a line belongs to the position from which a game is played.
pub(super) fn is_position(kind: LineKind<'_>) -> bool {
    matches!(kind, LineKind::Handicap(_) | LineKind::Board | LineKind::Hand(..) | LineKind::Turn(..))
}

/// Whether a line belongs to the position from which a game is played, or to the heading of its moves.
fn begins_position(kind: LineKind<'_>) -> bool {
    is_position(kind) || matches!(kind, LineKind::Frame | LineKind::Columns)
}
