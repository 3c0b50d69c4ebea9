//! Moves in USI text: `7g7f`, `8h2b+`, `G*5e`; and the names of special moves in records.

use core::fmt;
use core::str::FromStr;

use komabako_board::{Color, usi};

use crate::Move16;
use crate::move16::MoveFault;

/// The moves that are no move of a piece, and their names in records.
const SPECIAL: [(Move16, &str); 4] =
    [(Move16::NONE, "none"), (Move16::NULL, "null"), (Move16::RESIGN, "resign"), (Move16::WIN, "win")];

impl Move16 {
    /// Reads the move of a record: USI text, `none`, `null`, `resign` or `win`. `FromStr` reads only the first.
    ///
    /// # Errors
    /// [`MoveFault::Text`] for any other text.
    pub fn from_label(text: &str) -> Result<Self, MoveFault> {
        let special = || SPECIAL.iter().find(|(_, name)| *name == text).map(|&(mv, _)| mv);
        text.parse().ok().or_else(special).ok_or(MoveFault::Text)
    }
}

impl fmt::Display for Move16 {
    /// USI text; `none`, `null`, `resign` or `win` for special moves, which [`from_label`](Move16::from_label) reads; `0000` for bits
    /// that name no move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moved) = self.to_move(Color::Black) {
            return usi::write(moved).fmt(f);
        }
        f.pad(SPECIAL.iter().find(|(mv, _)| mv == self).map_or("0000", |(_, name)| name))
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

    /// Reads USI text; the result is [well-formed](Move16::is_well_formed). [`from_label`](Move16::from_label) reads special moves too.
    fn from_str(text: &str) -> Result<Self, usi::UsiError> {
        // Only dropped pieces have a colour, and the 16 bits do not hold it.
        let moved = usi::parse(text, Color::Black)?;
        Ok(Move16::from_move(moved).expect("USI text drops no king and names two squares that differ"))
    }
}
