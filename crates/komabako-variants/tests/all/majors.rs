//! C250 in every state of its majors: on or off the board, of either owner, with every topped-up bit, either side to move.

use komabako_board::{BaseKind, Color, Piece, PieceKind, Setup, color, square};
use komabako_codec::PositionCodec;
use komabako_codec::reference::Reference;
use komabako_testkit::backends::for_each_backend;
use komabako_variants::C250;

/// The numbers of a pair's pieces on the board, in Black's hand and in White's; the rest is removed.
type Pair = [u8; 3];

fn pairs() -> impl Iterator<Item = Pair> + Clone {
    (0..27).map(|code| [code / 9, code / 3 % 3, code % 3]).filter(|pair| pair.iter().sum::<u8>() <= 2)
}

/// The setup with these majors, those on the board on the lowest squares; pawns on the last `off_board` squares whose bit
/// in `topped_up` is set, the lowest bit for the first of these squares.
fn setup(kings: [bool; 2], pairs: [Pair; 2], topped_up: u32, off_board: u32, side: Color) -> Setup {
    let mut setup = Setup::EMPTY;
    setup.set_side_to_move(side);
    let mut squares = square::all();
    let mut place = |setup: &mut Setup, kind, color| {
        setup.place(squares.next().unwrap(), Piece::new(kind, color)).unwrap();
    };
    for (_, color) in kings.into_iter().zip([Color::Black, Color::White]).filter(|(on_board, _)| *on_board) {
        place(&mut setup, PieceKind::King, color);
    }
    for (kind, [on_board, black, white]) in [BaseKind::Bishop, BaseKind::Rook].into_iter().zip(pairs) {
        (0..on_board).for_each(|i| place(&mut setup, kind.unpromoted(), color::from_bit(i == 1)));
        setup.set_hand_count(Color::Black, kind, black).unwrap();
        setup.set_hand_count(Color::White, kind, white).unwrap();
    }
    for bit in (0..off_board).filter(|bit| topped_up >> bit & 1 != 0) {
        let square = square::from_index((81 - off_board + bit) as usize).unwrap();
        setup.place(square, Piece::new(PieceKind::Pawn, Color::White)).unwrap();
    }
    setup
}

#[test]
fn every_state_round_trips() {
    let mut words = Vec::new();
    for (bishops, rooks) in pairs().flat_map(|bishops| pairs().map(move |rooks| (bishops, rooks))) {
        for kings in [[false, false], [false, true], [true, false], [true, true]] {
            let missing = kings.iter().filter(|on_board| !**on_board).count() as u32;
            let off_board = missing + u32::from(4 - bishops[0] - rooks[0]);
            for (topped_up, side) in
                (0..1 << off_board).flat_map(|bits| [(bits, Color::Black), (bits, Color::White)])
            {
                let setup = setup(kings, [bishops, rooks], topped_up, off_board, side);
                let word = C250::reference_pack(&setup).unwrap();
                for_each_backend(|backend| {
                    let codec = C250::with_backend(backend);
                    assert_eq!(codec.pack(&setup), Ok(word), "{backend}: {setup}");
                    assert_eq!(codec.unpack(&word), Ok(setup), "{backend}: {setup}");
                });
                words.push(word);
            }
        }
    }
    // (1 + 2)^2 states and bits of the kings, 1 + 3 × 2 + 6 × 4 of each pair, 2 sides.
    assert_eq!(words.len(), 9 * 31 * 31 * 2);
    words.sort_unstable();
    assert!(words.is_sorted_by(|a, b| a < b), "two setups have one word");
}
