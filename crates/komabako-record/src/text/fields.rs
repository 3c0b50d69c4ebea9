//! [`Fields`]: the five named fields of tables and JSON lines, each of which may be unknown.

use komabako_board::sfen::{self, Sfen, SfenError};

use super::{integer, text};
use crate::GameResult;
use crate::fault::{CellFault, RecordFault};
use crate::move16::Move16;
use crate::record::{Labels, MoveBits, Record};

/// The name of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Sfen,
    Move,
    Score,
    Ply,
    Result,
}

impl Name {
    /// Every field, in the order of the columns.
    pub const ALL: [Name; 5] = [Name::Sfen, Name::Move, Name::Score, Name::Ply, Name::Result];

    pub const fn text(self) -> &'static str {
        match self {
            Name::Sfen => "sfen",
            Name::Move => "move",
            Name::Score => "score",
            Name::Ply => "ply",
            Name::Result => "result",
        }
    }

    /// The field with a name.
    pub fn find(name: &[u8]) -> Option<Name> {
        Name::ALL.into_iter().find(|field| field.text().as_bytes() == name)
    }

    /// Whether its value is a number.
    pub const fn is_number(self) -> bool {
        matches!(self, Name::Score | Name::Ply | Name::Result)
    }
}

/// The fields of a record, each unknown until it is set.
#[derive(Default)]
pub(super) struct Fields {
    position: Option<Sfen>,
    best_move: Option<Move16>,
    score: Option<i16>,
    ply: Option<u32>,
    result: Option<i8>,
}

impl Fields {
    /// Sets a field from its text, which starts at `column` of the line, counted from 1.
    pub fn set(&mut self, name: Name, value: &[u8], column: usize) -> Result<(), RecordFault> {
        let number = RecordFault::Cell(CellFault::Number, column);
        match name {
            Name::Sfen => {
                let at_line = |error: SfenError| SfenError { column: error.column + column - 1, ..error };
                self.position = Some(sfen::parse(value).map_err(|error| RecordFault::Sfen(at_line(error)))?);
            }
            Name::Move => {
                let parsed = Move16::from_label(text(value));
                self.best_move =
                    Some(parsed.map_err(|fault| RecordFault::Cell(CellFault::Move(fault), column))?);
            }
            Name::Score => self.score = Some(integer(without_fraction(value)).ok_or(number)?),
            Name::Ply => self.ply = Some(integer(without_fraction(value)).ok_or(number)?),
            Name::Result => self.result = Some(integer(without_fraction(value)).ok_or(number)?),
        }
        Ok(())
    }

    /// The record. If the mandatory position is missing, the fault is reported at `column`.
    pub fn record(self, column: usize) -> Result<Record, RecordFault> {
        let Fields { position, best_move, score, ply, result } = self;
        let missing = RecordFault::Cell(CellFault::SfenMissing, column);
        let Sfen { setup, ply: sfen_ply } = position.ok_or(missing)?;
        let relative = |code| {
            let result = GameResult::from_relative(code, setup.side_to_move());
            result.ok_or(RecordFault::Result(i16::from(code)))
        };
        // SFENs are written with ply 1 if the ply is unknown, so a ply of 1 carries no information.
        let ply = ply.or(sfen_ply.filter(|&ply| ply != 1)).filter(|&ply| ply != 0);
        let labels = Labels {
            score,
            best_move: best_move.map(MoveBits::from),
            result: result.map(relative).transpose()?,
            ply,
            ..Labels::default()
        };
        Ok(Record { setup, labels })
    }
}

/// A number without a fraction of zeros: programs without nullable integers write 57 as `57.0` if other values of the
/// column are unknown.
fn without_fraction(number: &[u8]) -> &[u8] {
    match number.iter().position(|&byte| byte == b'.') {
        Some(point) if number[point + 1..].iter().all(|&digit| digit == b'0') => &number[..point],
        _ => number,
    }
}
