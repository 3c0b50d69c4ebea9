//! [`Results`]: the results of games.

use komabako_board::Color;

use super::saved::Numbers;
use crate::GameResult;

/// The result of a record's game for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move won.
    Win,
    /// A draw.
    Draw,
    /// The side to move lost.
    Loss,
    /// The result is unknown.
    Unknown,
}

impl Outcome {
    /// The outcome of a result for the side to move.
    pub const fn for_side(result: Option<GameResult>, side: Color) -> Outcome {
        match result {
            None => Outcome::Unknown,
            Some(result) => match result.to_relative(side) {
                1.. => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            },
        }
    }
}

/// The results of the games of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Black won.
    pub black: u64,
    /// White won.
    pub white: u64,
    /// A draw.
    pub draw: u64,
    /// The record does not say.
    pub missing: u64,
    /// The side to move won.
    pub mover: u64,
}

impl Results {
    pub(super) fn add(&mut self, result: Option<GameResult>, side: Color) {
        *match result {
            Some(GameResult::BlackWin) => &mut self.black,
            Some(GameResult::WhiteWin) => &mut self.white,
            Some(GameResult::Draw) => &mut self.draw,
            None => &mut self.missing,
        } += 1;
        self.mover += u64::from(Outcome::for_side(result, side) == Outcome::Win);
    }

    pub(super) fn merge(&mut self, other: &Results) {
        self.black += other.black;
        self.white += other.white;
        self.draw += other.draw;
        self.missing += other.missing;
        self.mover += other.mover;
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        for count in [&mut self.black, &mut self.white, &mut self.draw, &mut self.missing, &mut self.mover] {
            numbers.count(count);
        }
    }

    /// The number of known results.
    pub const fn known(&self) -> u64 {
        self.black + self.white + self.draw
    }
}
