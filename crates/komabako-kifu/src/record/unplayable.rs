//! [`UnplayableSetup`]: why no game can be played from a position.

use core::fmt;

use komabako_board::{Color, Position, PositionFault, Setup, SetupError, Square, color};
use komabako_messages::{Lang, Message, say, say_match};
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

impl Message for UnplayableSetup {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(f, lang, "no game can be played from this position: ", "この局面からは指せません: ")?;
        say_match!(f, lang, self;
            UnplayableSetup::Set(error) => { error.write(lang, f) };
            UnplayableSetup::Absent(square) => "there is no such piece on {square}",
                "{square} にその駒はありません", square;
            UnplayableSetup::Position(fault) => { fault.write(lang, f) };
            UnplayableSetup::InCheck(color) => "{color} is in check, and it is the other side's turn",
                "手番でない{color}に王手がかかっている", color;
        )
    }
}

komabako_messages::english!(UnplayableSetup);

impl core::error::Error for UnplayableSetup {}
