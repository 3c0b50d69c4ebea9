//! [`UncertainMove`]: a move that is legal in the format's encoding but may still be misread. The position of the next
//! record decides.

use core::fmt;

use komabako_board::{BaseKind, Move, Piece, Setup, Square, color};
use komabako_messages::{Lang, Message, say};

use super::Finding;
use crate::legality::Readings;
use crate::move16::{Encodings, Move16, MoveEncoding};
use crate::record::MoveBits;

/// A move that is legal in the format's encoding, although the next position follows its reading in another encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misread {
    bits: u16,
    read: Move16,
    played: Move16,
    encodings: Encodings,
}

impl Misread {
    /// The bits as stored.
    pub const fn bits(&self) -> u16 {
        self.bits
    }

    /// The move in the format's encoding.
    pub const fn read(&self) -> Move16 {
        self.read
    }

    /// The move that leads to the next position.
    pub const fn played(&self) -> Move16 {
        self.played
    }

    /// The encodings in which the bits are that move.
    pub const fn encodings(&self) -> Encodings {
        self.encodings
    }
}

impl Message for Misread {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Misread { bits, read, played, encodings } = self;
        say!(
            f,
            lang,
            "move: {bits:#06x} is {read} in the format's encoding, but the next position comes after {played} \
             (encoding {encodings})",
            "指し手 {bits:#06x} はこの形式では {read} ですが、次の局面はエンコーディング {encodings} の {played} の後のものです",
            bits,
            read,
            played,
            encodings
        )
    }
}

komabako_messages::english!(Misread);

/// A move that another encoding reads as a different move, so that either may have been played.
#[derive(Clone, Copy, Debug)]
pub struct UncertainMove {
    /// The position before it.
    pub setup: Setup,
    /// The move.
    pub best_move: MoveBits,
}

impl UncertainMove {
    /// The record's move, if another encoding might read it differently. Takes a few nanoseconds.
    #[inline]
    pub fn find(setup: &Setup, best_move: Option<MoveBits>) -> Option<UncertainMove> {
        let best_move = best_move.filter(|best_move| Readings::depend_on_encoding(best_move.bits))?;
        others(setup, best_move).next().map(|_| UncertainMove { setup: *setup, best_move })
    }

    /// The finding, if the position of the next record shows that the move was misread.
    pub fn resolve(&self, next: &Setup) -> Option<Finding> {
        let UncertainMove { setup, best_move } = self;
        // Most calls return here, quickly: the square holds another piece or is empty.
        if !others(setup, *best_move).any(|(piece, to)| may_have_arrived(setup, piece, to, next)) {
            return None;
        }
        // Legality is tested last: it takes a hundred times as long as looking at one square.
        let readings = Readings::new(setup, best_move.bits);
        let read = readings.legal_in(best_move.encoding)?;
        let played = readings.before(setup, next).filter(|&played| played != read)?;
        let encodings = readings.encodings_of(played);
        Some(Finding::Misread(Misread { bits: best_move.bits, read, played, encodings }))
    }
}

/// The piece and its destination for each reading in another encoding for which the side to move has the piece.
fn others(setup: &Setup, best_move: MoveBits) -> impl Iterator<Item = (Piece, Square)> {
    let read = best_move.decode();
    let others = MoveEncoding::ALL.into_iter().filter(move |&encoding| encoding != best_move.encoding);
    let readings = others.map(move |encoding| MoveBits { encoding, ..best_move }.decode());
    readings.filter(move |&other| other != read).filter_map(|other| arrival(setup, other.ok()?))
}

/// The piece that a move brings to its destination, and the destination; `None` if the side to move does not have the
/// piece.
fn arrival(setup: &Setup, mv: Move16) -> Option<(Piece, Square)> {
    let side = setup.side_to_move();
    match mv.to_move(side)? {
        Move::Normal { from, to, promote } => {
            let (kind, _) = setup.piece_at(from)?.to_parts();
            let kind = if promote { BaseKind::of(kind).promoted()? } else { kind };
            setup.color(side).contains(from).then(|| (Piece::new(kind, side), to))
        }
        Move::Drop { piece, to } => {
            let kind = BaseKind::of(piece.to_parts().0);
            (setup.hand(side).count(kind) > 0).then_some((piece, to))
        }
    }
}

/// Whether the position `next` may follow a move that brings a piece to a square: the piece is there, or a reply that is
/// missing from the file captured it.
fn may_have_arrived(before: &Setup, piece: Piece, to: Square, next: &Setup) -> bool {
    let skips_a_reply = next.side_to_move() == before.side_to_move();
    let was_captured = || skips_a_reply && next.color(color::opponent(before.side_to_move())).contains(to);
    next.piece_at(to) == Some(piece) || was_captured()
}
