//! Flipped and mirrored positions, and their moves, from which trainers make additional records (`spec/features.md` §6).

use komabako_board::{Bitboard, Color, Setup, SetupParts, Square, square};
use komabako_rules::Move16;

/// The nine squares of file 1; file f is 9 · (f − 1) bits further.
const FILE: u128 = 0x1ff;

/// The position turned by 180° with colours exchanged, as the opponent sees it. The side to move also changes.
///
/// ```
/// use komabako_board::{Color, Setup};
/// use komabako_features::turn::flipped;
/// let flipped = flipped(&Setup::START);
/// assert_eq!(flipped.color(Color::Black), Setup::START.color(Color::Black));
/// assert_eq!(flipped.side_to_move(), Color::White);
/// ```
pub fn flipped(setup: &Setup) -> Setup {
    let turned = |set: Bitboard| Bitboard::from_u128(set.to_u128().reverse_bits() >> (128 - 81));
    let &SetupParts { colors: [black, white], kinds, promoted, hands: [ours, theirs], side } = setup.parts();
    Setup::from_parts_trusted(SetupParts {
        colors: [turned(white), turned(black)],
        kinds: kinds.map(turned),
        promoted: turned(promoted),
        hands: [theirs, ours],
        side: match side {
            Color::Black => Color::White,
            Color::White => Color::Black,
        },
    })
}

/// The position with left and right exchanged: file f becomes 10 − f.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::turn::mirrored;
/// assert_ne!(mirrored(&Setup::START), Setup::START); // bishop and rook change sides
/// assert_eq!(mirrored(&mirrored(&Setup::START)), Setup::START);
/// ```
pub fn mirrored(setup: &Setup) -> Setup {
    let mirrored = |set: Bitboard| {
        let set = set.to_u128();
        let files = (0..9).map(|file| (set >> (9 * file) & FILE) << (9 * (8 - file)));
        Bitboard::from_u128(files.fold(0, |all, file| all | file))
    };
    let &SetupParts { colors, kinds, promoted, hands, side } = setup.parts();
    Setup::from_parts_trusted(SetupParts {
        colors: colors.map(mirrored),
        kinds: kinds.map(mirrored),
        promoted: mirrored(promoted),
        hands,
        side,
    })
}

/// The move in the [flipped] position. Special moves stay what they are.
///
/// ```
/// use komabako_features::turn::flipped_move;
/// assert_eq!(flipped_move("8h2b+".parse()?).to_string(), "2b8h+");
/// # Ok::<(), komabako_board::usi::UsiError>(())
/// ```
pub fn flipped_move(mv: Move16) -> Move16 {
    turned(mv, square::rotate)
}

/// The move in the [mirrored] position. Special moves stay what they are.
///
/// ```
/// use komabako_features::turn::mirrored_move;
/// assert_eq!(mirrored_move("7g7f".parse()?).to_string(), "3g3f");
/// # Ok::<(), komabako_board::usi::UsiError>(())
/// ```
pub fn mirrored_move(mv: Move16) -> Move16 {
    turned(mv, square::mirror)
}

fn turned(mv: Move16, turn: fn(Square) -> Square) -> Move16 {
    if !mv.is_well_formed() {
        return mv;
    }
    let Some(to) = mv.to() else { return mv };
    if let Some(kind) = mv.dropped() {
        return Move16::drop(kind, turn(to)).unwrap_or(mv);
    }
    let Some(from) = mv.from() else { return mv };
    Move16::board(turn(from), turn(to), mv.is_promotion())
}

#[cfg(test)]
mod tests {
    use super::*;
    use komabako_board::{Position, sfen};
    use komabako_rules::{MoveList, State};

    fn parsed(text: &str) -> Setup {
        sfen::parse(text).unwrap().setup
    }

    #[test]
    fn flipping_exchanges_colours_and_ends_of_the_board() {
        let setup = parsed("sfen k8/1+R7/9/9/9/9/9/9/7PK b 2Sg 1");
        assert_eq!(flipped(&setup), parsed("sfen kp7/9/9/9/9/9/9/7+r1/8K w G2s 1"));
        assert_eq!(flipped(&flipped(&setup)), setup);
    }

    #[test]
    fn mirroring_exchanges_only_files() {
        let setup = parsed("sfen k8/1+R7/9/9/9/9/9/9/7PK b 2Sg 1");
        assert_eq!(mirrored(&setup), parsed("sfen 8k/7+R1/9/9/9/9/9/9/KP7 b 2Sg 1"));
    }

    #[test]
    fn every_legal_move_is_legal_in_the_turned_position() {
        let setup = parsed("ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62");
        let state = |setup: &Setup| State::<()>::new(&Position::new(*setup).unwrap()).unwrap();
        let mut moves = MoveList::new();
        state(&setup).legal_moves(&mut moves);
        assert!(moves.len() > 50);
        let mirrored_state = state(&mirrored(&setup));
        let flipped_state = state(&flipped(&setup));
        for &mv in &moves {
            assert!(mirrored_state.is_legal(mirrored_move(mv)), "{mv}");
            assert!(flipped_state.is_legal(flipped_move(mv)), "{mv}");
            assert_eq!(mirrored_move(mirrored_move(mv)), mv);
            assert_eq!(flipped_move(flipped_move(mv)), mv);
        }
        for special in [Move16::NONE, Move16::NULL, Move16::RESIGN, Move16::WIN] {
            assert_eq!(mirrored_move(special), special);
            assert_eq!(flipped_move(special), special);
        }
    }
}
