//! The specification, code by code (`spec/formats.md`).

use komabako_board::{BaseKind, Color, Piece, Setup, kind, square};

use super::codebook::Codebook;
use super::reader::{OffBoard, PLACES, Reader, add_to_hand, fail, too_many};
use super::spec::Spec;
use crate::word::{BITS, set_bit, set_number};
use crate::{Field, PackError, UnpackError, UnpackFault, Word};

/// Writes the codes one after the other.
pub fn pack(spec: &Spec, setup: &Setup) -> Result<Word, PackError> {
    let mut word = [0; 32];
    for (color, start) in [Color::Black, Color::White].into_iter().zip(spec.kings()) {
        let king = setup.king(color).ok_or(PackError::KingMissing(color))?;
        set_number(&mut word, start, 7, spec.renumber(king.array_index()) as u128);
    }
    if let Some(kind) = BaseKind::IN_HAND.into_iter().find(|&kind| !spec.has_box && setup.removed(kind) > 0) {
        return Err(PackError::PieceRemoved(kind));
    }

    let mut at = spec.board_start();
    let mut put = |code: &str| {
        for code_bit in code.chars() {
            if code_bit == '1' {
                set_bit(&mut word, at);
            }
            at += 1;
        }
    };
    for square in (0..square::COUNT).filter_map(|code| spec.square(code)) {
        put(setup.piece_at(square).map_or(spec.empty, |piece| board_code(spec, piece)));
    }
    let side = if setup.side_to_move() == Color::White { "1" } else { "0" };
    if spec.side_after_board {
        put(side);
    }
    for place in PLACES {
        for kind in spec.tail_order {
            let (column, count) = match place {
                Field::BlackHand => (0, setup.hand(Color::Black).count(kind)),
                Field::WhiteHand => (1, setup.hand(Color::White).count(kind)),
                _ => (2, setup.removed(kind)),
            };
            (0..count).for_each(|_| put(spec.tail[kind as usize][column]));
        }
    }
    debug_assert_eq!(at, BITS);
    if !spec.side_after_board && side == "1" {
        set_bit(&mut word, 0);
    }
    Ok(word)
}

/// The code of a piece on the board; none for a king, whose square has its own field.
fn board_code(spec: &Spec, piece: Piece) -> &'static str {
    let (piece_kind, color) = piece.to_parts();
    match BaseKind::of(piece_kind) {
        BaseKind::King => "",
        base => {
            spec.board[base as usize][2 * usize::from(kind::is_promoted(piece_kind)) + color.array_index()]
        }
    }
}

/// Reads the codes one after the other. The first fault in the order of the stream is reported; for one piece off the
/// board, first a missing or cut-off code, then its order, then its number.
pub fn unpack(codebook: &Codebook, word: &Word) -> Result<Setup, UnpackError> {
    let spec = codebook.spec;
    let mut reader = Reader::new(codebook, word);
    let mut setup = reader.board()?;
    let mut in_box = [0; 7];
    let mut last = (0, 0);
    while reader.at < BITS {
        let start = reader.at;
        let OffBoard { place, kind } =
            reader.tail_code().map_err(|fault| fail(fault, PLACES[last.0], start))?;
        let rank = (
            PLACES.into_iter().position(|known| known == place).unwrap_or(0),
            spec.tail_order.into_iter().position(|known| known == kind).unwrap_or(0),
        );
        if rank < last {
            return Err(fail(UnpackFault::TailOrder, place, start));
        }
        last = rank;
        let boxed = &mut in_box[kind as usize];
        let held = match place {
            Field::BlackHand => add_to_hand(&mut setup, Color::Black, kind),
            Field::WhiteHand => add_to_hand(&mut setup, Color::White, kind),
            _ => {
                *boxed += 1;
                Ok(())
            }
        };
        if held.is_err() || *boxed > setup.removed(kind) {
            return Err(fail(too_many(kind), place, start));
        }
    }
    Ok(setup)
}
