//! [`UncertainMove`]: a move that is legal in the format's encoding and may be misread all the same. The position of the next
//! record decides.

use core::fmt;

use komabako_board::{BaseKind, Piece, Setup, Square, color};

use super::Finding;
use crate::legality::Readings;
use crate::move16::{Encodings, MoveAction, MoveEncoding, MoveField};
use crate::record::MoveBits;

/// A move that is legal as the format reads it, while the next position comes after what it says in another encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misread {
    bits: u16,
    read: MoveField,
    played: MoveField,
    encodings: Encodings,
}

impl Misread {
    /// The bits as they are stored.
    pub const fn bits(&self) -> u16 {
        self.bits
    }

    /// The move in the format's encoding.
    pub const fn read(&self) -> MoveField {
        self.read
    }

    /// The move that leads to the next position.
    pub const fn played(&self) -> MoveField {
        self.played
    }

    /// The encodings in which the bits are that move.
    pub const fn encodings(&self) -> Encodings {
        self.encodings
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misread { bits, read, played, encodings } = self;
        write!(
            f,
            "move: {bits:#06x} is {read} in the format's encoding, but the next position comes after {played}"
        )?;
        write!(f, " (encoding {encodings})")
    }
}

/// A move whose piece or square another encoding reads otherwise, so that both could be played.
#[derive(Clone, Copy, Debug)]
pub struct UncertainMove {
    /// The position before it.
    pub setup: Setup,
    /// The move.
    pub best_move: MoveBits,
}

impl UncertainMove {
    /// The record's move, if another encoding might read it otherwise. A few nanoseconds.
    #[inline]
    pub fn find(setup: &Setup, best_move: Option<MoveBits>) -> Option<UncertainMove> {
        let best_move = best_move.filter(|best_move| Readings::depend_on_encoding(best_move.bits))?;
        others(setup, best_move).next().map(|_| UncertainMove { setup: *setup, best_move })
    }

    /// What is wrong, by the position of the next record.
    pub fn resolve(&self, next: &Setup) -> Option<Finding> {
        let UncertainMove { setup, best_move } = self;
        // Here most end, quickly: what stands on the square is another piece, or none.
        if !others(setup, *best_move).any(|(piece, to)| may_have_come(setup, piece, to, next)) {
            return None;
        }
        // Legality is asked last: it takes a hundred times as long as the look at one square.
        let readings = Readings::of(setup, best_move.bits);
        let read = readings.legal_in(best_move.encoding)?;
        let played = readings.before(setup, next).filter(|&played| played != read)?;
        let encodings = readings.encodings_of(played);
        Some(Finding::Misread(Misread { bits: best_move.bits, read, played, encodings }))
    }
}

/// The pieces that other encodings have arrive, and where: the readings besides the format's for which the side to move has
/// the piece.
fn others(setup: &Setup, best_move: MoveBits) -> impl Iterator<Item = (Piece, Square)> {
    let read = best_move.decode();
    let others = MoveEncoding::ALL.into_iter().filter(move |&encoding| encoding != best_move.encoding);
    let readings = others.map(move |encoding| MoveBits { encoding, ..best_move }.decode());
    readings.filter(move |&other| other != read).filter_map(|other| arrival(setup, other.ok()?))
}

/// The piece that a move brings to its square, and the square; `None` if the side to move does not have it.
fn arrival(setup: &Setup, mv: MoveField) -> Option<(Piece, Square)> {
    let side = setup.side_to_move();
    match mv.action() {
        MoveAction::Normal { from, to, promote } => {
            let (kind, _) = setup.piece_at(from)?.to_parts();
            let kind = if promote { BaseKind::of(kind).promoted()? } else { kind };
            setup.color(side).contains(from).then(|| (Piece::new(kind, side), to))
        }
        MoveAction::Drop { kind, to } => {
            (setup.hand(side).count(kind) > 0).then(|| (Piece::new(kind.unpromoted(), side), to))
        }
        _ => None,
    }
}

/// Whether a position may come after a piece has arrived on a square: it stands there, or a reply that was left out has
/// taken it.
fn may_have_come(before: &Setup, piece: Piece, to: Square, next: &Setup) -> bool {
    let one_left_out = next.side_to_move() == before.side_to_move();
    let taken = || one_left_out && next.color(color::opponent(before.side_to_move())).contains(to);
    next.piece_at(to) == Some(piece) || taken()
}
