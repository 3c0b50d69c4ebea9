//! [`Survey`]: oddities in the records of a file.

use komabako::dataset::{Field, FileFormat, Record};

/// YaneuraOu's `VALUE_NONE`, which no evaluated position has.
const VALUE_NONE: i16 = 32002;

/// Every record up to this number is surveyed, then one in [`STRIDE`].
const SURVEYED_WHOLE: u64 = 10_000;

/// A prime, so that the survey does not fall into step with a pattern that repeats in the file.
const STRIDE: u64 = 101;

/// Counts over the surveyed records of a file.
#[derive(Default)]
pub struct Survey {
    good: u64,
    bad: u64,
    score: Column,
    ply: Column,
    result: Column,
    best_move: Column,
    ill_formed_moves: u64,
    impossible_scores: u64,
    padding: u64,
}

/// One label over all records.
#[derive(Default)]
struct Column {
    count: u64,
    /// The first value.
    first: Option<i64>,
    /// Whether there is another one.
    varies: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Oddity {
    SameScore(i64),
    SamePly(i64),
    /// The format has a ply, but no record has one.
    NoPly,
    /// All games ended alike.
    SameResult,
    NoMoves,
    /// The number of ill-formed moves: the file may use another encoding of moves.
    IllFormedMoves(u64),
    /// The number of scores that are −32768 or 32002, which mean no score.
    ImpossibleScores(u64),
    /// The number of records whose padding byte is not 0.
    Padding(u64),
}

impl Survey {
    /// Whether the record of this number is surveyed.
    pub fn samples(number: u64) -> bool {
        number < SURVEYED_WHOLE || number.is_multiple_of(STRIDE)
    }

    pub fn add(&mut self, record: &Record) {
        let labels = &record.labels;
        self.good += 1;
        self.score.add(labels.score.map(i64::from));
        self.ply.add(labels.ply.map(i64::from));
        self.result.add(labels.result.map(|result| i64::from(result.to_absolute())));
        self.best_move.add(labels.best_move.map(|best_move| i64::from(best_move.bits)));
        self.ill_formed_moves +=
            u64::from(labels.best_move.is_some_and(|best_move| best_move.decode().is_err()));
        self.impossible_scores += u64::from(matches!(labels.score, Some(i16::MIN | VALUE_NONE)));
        self.padding += u64::from(labels.extras.psv_padding != 0 || labels.extras.hcpe_padding != 0);
    }

    pub fn add_bad(&mut self) {
        self.bad += 1;
    }

    /// The number of surveyed records.
    pub fn surveyed(&self) -> u64 {
        self.good + self.bad
    }

    /// The number of bad ones among them.
    pub fn bad(&self) -> u64 {
        self.bad
    }

    /// The oddities of a file of this format. A single record says nothing about a column.
    pub fn oddities(&self, format: FileFormat) -> Vec<Oddity> {
        let same = |column: &Column| if self.good > 1 { column.same() } else { None };
        let some = |count: u64| (count > 0).then_some(count);
        let oddities = [
            same(&self.score).map(Oddity::SameScore),
            same(&self.ply).map(Oddity::SamePly),
            (self.good > 0 && self.ply.count == 0 && format.holds(Field::Ply)).then_some(Oddity::NoPly),
            same(&self.result).map(|_| Oddity::SameResult),
            same(&self.best_move).filter(|&bits| bits == 0).map(|_| Oddity::NoMoves),
            some(self.ill_formed_moves).map(Oddity::IllFormedMoves),
            some(self.impossible_scores).map(Oddity::ImpossibleScores),
            some(self.padding).map(Oddity::Padding),
        ];
        oddities.into_iter().flatten().collect()
    }
}

impl Column {
    fn add(&mut self, value: Option<i64>) {
        let Some(value) = value else { return };
        self.count += 1;
        self.varies |= *self.first.get_or_insert(value) != value;
    }

    /// The value that all records have.
    fn same(&self) -> Option<i64> {
        if self.varies { None } else { self.first }
    }
}
