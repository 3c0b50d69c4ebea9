//! [`UnplayableSetup`]: why no game can be played from a position.

use core::fmt;

use komabako_board::{Color, File, Position, PositionFault, Rank, Setup, SetupError, Square, color};
use komabako_rules::{OpponentInCheck, State};

/// Why no game can be played from a position; of several reasons the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnplayableSetup {
    /// A second king of a colour, or more pieces than the set has.
    Set(SetupError),
    /// The square does not have the piece to take off it.
    Absent(Square),
    /// Two pawns of a colour on one file, or a piece that could never move. Kings may be missing.
    Position(PositionFault),
    /// The king of this colour, which is not to move, is in check.
    InCheck(Color),
}

impl UnplayableSetup {
    /// The state of a position from which a game can be played; kings may be missing.
    pub(super) fn check(setup: Setup) -> Result<State<()>, UnplayableSetup> {
        let opponent = color::opponent(setup.side_to_move());
        let position = Position::new_partial(setup).map_err(|error| {
            let first = error.faults().first().copied();
            first.map_or(UnplayableSetup::InCheck(opponent), UnplayableSetup::Position)
        })?;
        State::new(&position).map_err(|OpponentInCheck| UnplayableSetup::InCheck(opponent))
    }
}

impl fmt::Display for UnplayableSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no game can be played from this position: ")?;
        match self {
            UnplayableSetup::Set(error) => error.fmt(f),
            UnplayableSetup::Absent(square) => {
                let file = File::of(*square).to_usi();
                let rank = Rank::of(*square).to_usi();
                write!(f, "there is no such piece on {file}{rank}")
            }
            UnplayableSetup::Position(fault) => fault.fmt(f),
            UnplayableSetup::InCheck(color) => {
                write!(f, "{color:?} is in check, and it is the other side's turn")
            }
        }
    }
}

impl core::error::Error for UnplayableSetup {}
