//! Setups as SFEN text: `board side hands ply`.
//!
//! [`parse`] reads every form in use, [`Sfen`] and [`Setup`] write the canonical one with [`Display`](core::fmt::Display):
//! hands in the order R B G S N L P, Black's before White's, a count only where it is 2 or more.
//!
//! # Accepted forms
//! * Fields are separated, and may be surrounded, by any ASCII white space, the `\r` of a foreign line end included.
//! * `sfen ` or `position sfen ` may precede the board; `startpos` and `position startpos` are the start position
//!   at ply 1.
//! * The hands may be written in any order, a kind repeated (`PP` and `P2P` add up) and a single piece counted (`1P`).
//!   Empty hands are `-` or an absent field. Neighbouring digits on the board add up.
//! * The ply may be missing.
//! * `moves …` after the position is refused by [`parse`]; [`parse_game`] returns the moves.
//!
//! Everything else is an [`SfenError`] with a column. The result is a [`Setup`], so second kings and more pieces than a
//! set has are errors of the text; [`Position::new`](crate::Position::new) checks that the position can be played.

mod error;
mod read;
mod text;

use core::fmt;
use core::str::FromStr;

pub use error::{SfenError, SfenFault};
pub use text::SfenText;

use crate::Setup;
use crate::usi::Moves;

/// A setup and its ply: the content of one SFEN.
///
/// `Display` writes the canonical form, without the last field if `ply` is `None`.
///
/// ```
/// use komabako_board::sfen::{self, Sfen};
/// let sfen = sfen::parse("sfen 4k4/9/9/9/9/9/9/9/4K4 w p2P7pRr")?;
/// assert_eq!(sfen.ply, None);
/// let text = Sfen { ply: Some(12), ..sfen }.to_string();
/// assert_eq!(text, "4k4/9/9/9/9/9/9/9/4K4 w R2Pr8p 12");
/// # Ok::<(), sfen::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sfen {
    /// The board, the hands and the side to move.
    pub setup: Setup,
    /// The number of the move to come, 1 at the start of a game, as written; `None` if the text has none.
    pub ply: Option<u32>,
}

impl Sfen {
    /// The canonical text, in a buffer on the stack. Does not allocate, so prefer it to `Display` when writing many.
    pub fn to_text(&self) -> SfenText {
        SfenText::new(self)
    }
}

/// Reads one SFEN in any form listed in the [module's documentation](self). Does not allocate.
///
/// ```
/// use komabako_board::{Setup, sfen};
/// assert_eq!(sfen::parse("startpos")?.setup, Setup::START);
/// let error = sfen::parse("9/9/9/9/9/9/9/9/3+G5 b - 1").unwrap_err();
/// assert_eq!(error.to_string(), "column 19: a piece of kind G does not promote");
/// # Ok::<(), sfen::SfenError>(())
/// ```
///
/// # Errors
/// The first fault of the text. `moves …` after the position is one ([`SfenFault::Moves`]), so that no caller mistakes
/// the position before the moves for the position after them.
pub fn parse<T: AsRef<[u8]> + ?Sized>(text: &T) -> Result<Sfen, SfenError> {
    read::sfen(text.as_ref())
}

/// Reads one SFEN and the moves that may follow it: the argument of a USI `position` command.
///
/// The moves are read lazily, as the iterator is advanced, each with the side that makes it; their legality is not
/// checked. Without `moves` the iterator is empty.
///
/// ```
/// use komabako_board::{Move, Piece, Square, sfen};
/// let (start, moves) = sfen::parse_game("position startpos moves 7g7f 3c3d")?;
/// assert_eq!(start.ply, Some(1));
/// let to: Vec<Square> = moves.map(|mv| mv.map(Move::to)).collect::<Result<_, _>>()?;
/// assert_eq!(to, [Square::SQ_7F, Square::SQ_3D]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first fault of the text up to the word `moves`. Faults of the moves come from the iterator.
pub fn parse_game<T: AsRef<[u8]> + ?Sized>(text: &T) -> Result<(Sfen, Moves<'_>), SfenError> {
    read::game(text.as_ref())
}

impl fmt::Display for Sfen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_text().as_str())
    }
}

impl FromStr for Sfen {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Sfen, SfenError> {
        parse(text)
    }
}

impl fmt::Display for Setup {
    /// The canonical SFEN without a ply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sfen { setup: *self, ply: None }.fmt(f)
    }
}

impl FromStr for Setup {
    type Err = SfenError;

    /// Reads an SFEN and drops its ply.
    fn from_str(text: &str) -> Result<Setup, SfenError> {
        parse(text).map(|sfen| sfen.setup)
    }
}
