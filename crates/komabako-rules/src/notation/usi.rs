//! Moves in USI text: `7g7f`, `8h2b+`, `G*5e`.

use core::fmt;
use core::str::FromStr;

use komabako_board::{Color, usi};

use crate::Move16;

impl fmt::Display for Move16 {
    /// USI text; `0000` for bits that name no move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_move(Color::Black) {
            Some(moved) => usi::write(moved).fmt(f),
            None => f.pad("0000"),
        }
    }
}

komabako_messages::untranslated!(Move16);

impl fmt::Debug for Move16 {
    /// USI text, or the bits if they name no move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_well_formed() { fmt::Display::fmt(self, f) } else { write!(f, "{:#06x}", self.bits()) }
    }
}

impl FromStr for Move16 {
    type Err = usi::UsiError;

    /// Reads USI text; the result is [well-formed](Move16::is_well_formed).
    fn from_str(text: &str) -> Result<Self, usi::UsiError> {
        // Only dropped pieces have a colour, and the 16 bits do not hold it.
        let moved = usi::parse(text, Color::Black)?;
        Ok(Move16::from_move(moved).expect("USI text drops no king and names two squares that differ"))
    }
}
