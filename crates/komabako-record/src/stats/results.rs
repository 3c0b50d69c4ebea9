//! [`Results`]: how games ended.

use komabako_board::Color;

use super::saved::Numbers;
use crate::GameResult;

/// How the game of a record ended for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
    /// It is not known.
    Unknown,
}

impl Outcome {
    /// What a result is to the side to move.
    pub const fn of(result: Option<GameResult>, side: Color) -> Outcome {
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

/// How the games of records ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Black won.
    pub black: u64,
    /// White won.
    pub white: u64,
    /// Nobody won.
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
        self.mover += u64::from(Outcome::of(result, side) == Outcome::Win);
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

    /// How many results are known.
    pub const fn known(&self) -> u64 {
        self.black + self.white + self.draw
    }
}
