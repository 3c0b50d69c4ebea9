//! Features and labels of the sample records agree with hashes of cshogi 1.1's output, and with a slow reference.
//!
//! The hashes are FNV-1a over all records: `features1` as bits (lowest first), `features2` as eight bytes, the planes of
//! entered kings as eight bytes, and the ascending labels of all legal moves as two bytes each. They were computed by
//! hand with cshogi's `make_input_features` and `make_move_label`. The hashes of NNUE's inputs are over the ascending
//! indices of Black, then of White, four bytes each, from the loader of nodchip's nnue-pytorch (`spec/features.md`).

use komabako_board::{BaseKind, Color, Position, Setup, sfen};
use komabako_codec::{PackedSfen, PositionCodec};
use komabako_features::dlshogi::{Planes, entering_king};
use komabako_features::{label, nnue};
use komabako_rules::{MoveList, State};

const FEATURES1: u64 = 0x921a_408e_4be4_72ba;
const FEATURES2: u64 = 0x2507_4721_24b6_17da;
const ENTERING: u64 = 0xd93b_c17a_b868_c706;
const LABELS: u64 = 0x2190_9a2d_2bd5_74f6;
const HALF_KP: u64 = 0x2b06_b7c7_ee5a_b69f;
const HALF_KA_HM: u64 = 0x03e3_4991_3d60_3a93;

fn samples() -> Vec<Setup> {
    let records = include_bytes!("../../../../data/sample.psv");
    let codec = PackedSfen::new();
    records
        .chunks_exact(40)
        .map(|record| codec.unpack(record.first_chunk().unwrap()).expect("a good record"))
        .collect()
}

struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

#[test]
fn planes_equal_those_of_cshogi() {
    let mut features1 = Fnv::new();
    let mut features2 = Fnv::new();
    for setup in samples() {
        let (first, second) = Planes::new(&setup).to_bits();
        features1.add(&first);
        features2.add(&second);
    }
    assert_eq!((features1.0, features2.0), (FEATURES1, FEATURES2));
}

#[test]
fn planes_of_entered_kings_equal_those_of_cshogi() {
    let mut hash = Fnv::new();
    for setup in samples() {
        hash.add(&entering_king(&setup).to_le_bytes());
    }
    assert_eq!(hash.0, ENTERING);
    // Values on both sides of every limit, computed with cshogi.
    let known: [(&str, &[u32]); 18] = [
        ("4k4/9/4K4/9/9/9/9/9/9 b - 1", &[0]),
        ("4k4/9/9/4K4/9/9/9/9/9 b - 1", &[]),
        ("9/9/9/9/9/9/4k4/9/4K4 b - 1", &[31]),
        ("9/9/9/9/9/9/4k4/9/4K4 w - 1", &[0]),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", &[10]),
        ("4k4/PPPP5/PPPPP4/9/9/9/9/9/4K4 w - 1", &[33, 61]),
        ("4k4/PPPP5/PPPPPP3/9/9/9/9/9/4K4 b - 1", &[1, 29]),
        ("4k4/PPPP5/PPPPPPP2/9/9/9/9/9/4K4 b - 1", &[28]),
        ("4k4/+R+B7/9/9/9/9/9/9/4K4 b RB 1", &[9, 19]),
        ("4k4/9/9/9/9/9/9/9/4K4 b 8P 1", &[]),
        ("4k4/9/9/9/9/9/9/9/4K4 b 9P 1", &[30]),
        ("4k4/9/9/9/9/9/9/9/4K4 b 7p 1", &[]),
        ("4k4/9/9/9/9/9/9/9/4K4 b 8p 1", &[61]),
        ("4k4/9/9/9/9/9/9/9/4K4 w 2R2B8P 1", &[42]),
        ("4k4/9/9/9/9/9/9/9/4K4 b 2R2B9P 1", &[]),
        ("4k4/9/9/9/9/9/9/9/4K4 w 2r2b7p 1", &[11]),
        ("4k4/9/9/9/9/9/9/9/4K4 w 2r2b8p 1", &[]),
        ("9/9/9/9/9/9/4k4/rrbb5/4K4 w 2G2g2S2s 1", &[0, 7, 14]),
    ];
    for (position, planes) in known {
        let expected = planes.iter().fold(0, |bits, plane| bits | 1 << plane);
        assert_eq!(entering_king(&sfen::parse(position).unwrap().setup), expected, "{position}");
    }
}

#[test]
fn labels_equal_those_of_cshogi_and_are_distinct() {
    let mut hash = Fnv::new();
    let mut moves = MoveList::new();
    for setup in samples() {
        let state = State::<()>::new(&Position::new(setup).unwrap()).unwrap();
        state.legal_moves(&mut moves);
        let side = state.side_to_move();
        let mut labels: Vec<u16> =
            moves.iter().map(|&mv| label::label(mv, side).expect("a legal move has a label")).collect();
        labels.sort_unstable();
        labels.iter().for_each(|label| hash.add(&label.to_le_bytes()));
        let count = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), count, "two moves share a label: {setup}");
        assert!(labels.iter().all(|&label| label::compact(label).is_some()), "{setup}");
        let mask = label::legal_mask(&state);
        let set =
            (0..label::LABELS as u16).filter(|&label| mask[usize::from(label / 8)] >> (label % 8) & 1 == 1);
        assert!(set.eq(labels), "{setup}");
    }
    assert_eq!(hash.0, LABELS);
}

#[test]
fn invalid_moves_have_no_label() {
    for bits in [0, 0x0081, 0x0102, 0x7fff, 0xffff] {
        let mv = komabako_rules::Move16::from_bits(bits);
        assert_eq!(label::label(mv, Color::Black), None, "{bits:04x}");
    }
    assert_eq!((label::compact(2187), label::compact(u16::MAX)), (None, None));
}

/// A step by files and ranks.
type Step = (i32, i32);

/// The planes computed from their definition: square by square, step by step.
pub fn reference(setup: &Setup) -> (Vec<[bool; 81]>, Vec<bool>) {
    use BaseKind::*;
    let side = setup.side_to_move();
    let seen = |square: usize| if side == Color::Black { square } else { 80 - square };
    let mut board = [None; 81];
    for (square, piece) in setup.pieces() {
        board[seen(square.array_index())] = Some(piece);
    }
    let gold: &[Step] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
    let diagonal = [(1, -1), (-1, -1), (1, 1), (-1, 1)];
    let straight = [(0, -1), (1, 0), (-1, 0), (0, 1)];
    let mut planes = vec![[false; 81]; 62];
    let mut attackers = [[0u32; 81]; 2];
    for (square, piece) in board.iter().enumerate() {
        let Some(piece) = piece else { continue };
        let (piece_kind, color) = piece.to_parts();
        let kind = BaseKind::of(piece_kind);
        let promoted = komabako_board::kind::is_promoted(piece_kind);
        let enemy = usize::from(color != side);
        let plane = kind.yaneuraou_number() as usize - 1 + if promoted { 8 } else { 0 };
        planes[31 * enemy + plane][square] = true;
        let (steps, slides): (Vec<Step>, Vec<Step>) = match (kind, promoted) {
            (Pawn, false) => (vec![(0, -1)], vec![]),
            (Lance, false) => (vec![], vec![(0, -1)]),
            (Knight, false) => (vec![(1, -2), (-1, -2)], vec![]),
            (Silver, false) => ([&[(0, -1)][..], &diagonal].concat(), vec![]),
            (Bishop, false) => (vec![], diagonal.into()),
            (Rook, false) => (vec![], straight.into()),
            (Bishop, true) => (straight.into(), diagonal.into()),
            (Rook, true) => (diagonal.into(), straight.into()),
            (King, _) => ([straight, diagonal].concat(), vec![]),
            _ => (gold.into(), vec![]),
        };
        let forward = if enemy == 1 { -1 } else { 1 };
        let go = |square: usize, (files, ranks): Step| {
            let file = (square / 9) as i32 + files;
            let rank = (square % 9) as i32 + forward * ranks;
            ((0..9).contains(&file) && (0..9).contains(&rank)).then_some((9 * file + rank) as usize)
        };
        let mut attacked = Vec::new();
        attacked.extend(steps.into_iter().filter_map(|step| go(square, step)));
        for step in slides {
            let mut at = square;
            while let Some(next) = go(at, step) {
                attacked.push(next);
                at = next;
                if board[next].is_some() {
                    break;
                }
            }
        }
        for square in attacked {
            planes[31 * enemy + 14 + plane][square] = true;
            attackers[enemy][square] += 1;
        }
    }
    for enemy in 0..2 {
        for more_than in 0..3 {
            for square in 0..81 {
                planes[31 * enemy + 28 + more_than][square] = attackers[enemy][square] > more_than as u32;
            }
        }
    }
    let mut second = Vec::new();
    for color in [side, komabako_board::color::opponent(side)] {
        for (kind, most) in
            [(Pawn, 8), (Lance, 4), (Knight, 4), (Silver, 4), (Gold, 4), (Bishop, 2), (Rook, 2)]
        {
            second.extend((0..most).map(|number| setup.hand(color).count(kind) > number));
        }
    }
    let king = setup.king(side).map(|king| seen(king.array_index()));
    second.push(king.is_some_and(|king| attackers[1][king] > 0));
    (planes, second)
}

#[test]
fn planes_equal_their_definition() {
    let mut setups = samples();
    for text in [
        "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
        "9/9/9/9/9/9/9/9/9 w - 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
        "+b+r+p+l+n+s3/9/9/4k4/9/4K4/9/9/3+S+N+L+P+R+B w - 1",
    ] {
        setups.push(sfen::parse(text).unwrap().setup);
    }
    for setup in setups {
        let planes = Planes::new(&setup);
        let (first, second) = reference(&setup);
        for (number, (&set, expected)) in planes.pieces_and_attacks().iter().zip(&first).enumerate() {
            let got: [bool; 81] = std::array::from_fn(|square| set >> square & 1 == 1);
            assert_eq!(&got, expected, "plane {number} of {setup}");
        }
        let got: Vec<bool> = (0..57).map(|number| planes.hands_and_check() >> number & 1 == 1).collect();
        assert_eq!(got, second, "{setup}");

        let mut expanded = ([[7u8; 81]; 62], [[7u8; 81]; 57]);
        planes.expand([0, 1], &mut expanded.0, &mut expanded.1);
        assert!(expanded.0.iter().zip(&first).all(|(plane, bits)| plane.map(|value| value == 1) == *bits));
        assert!(expanded.1.iter().zip(&second).all(|(plane, &bit)| *plane == [u8::from(bit); 81]));
        let (bits, _) = planes.to_bits();
        let bit = |index: usize| bits[index / 8] >> (index % 8) & 1 == 1;
        assert!((0..62 * 81).all(|index| bit(index) == first[index / 81][index % 81]), "{setup}");
        assert_eq!(bits[627] >> 6, 0);
    }
}

#[test]
fn nnue_inputs_equal_those_of_nnue_pytorch() {
    let mut half_kp = Fnv::new();
    let mut half_ka_hm = Fnv::new();
    let mut indices = Vec::new();
    for setup in samples() {
        for color in [Color::Black, Color::White] {
            let inputs = [nnue::half_kp(&setup, color), nnue::half_ka_hm(&setup, color)];
            for (hash, active) in [&mut half_kp, &mut half_ka_hm].into_iter().zip(inputs) {
                indices.clear();
                indices.extend_from_slice(&active.unwrap());
                indices.sort_unstable();
                indices.iter().for_each(|index| hash.add(&index.to_le_bytes()));
            }
        }
    }
    assert_eq!((half_kp.0, half_ka_hm.0), (HALF_KP, HALF_KA_HM));
}

#[test]
fn start_position_has_published_half_kp_inputs() {
    let setup = sfen::parse("startpos").unwrap().setup;
    for color in [Color::Black, Color::White] {
        let active = nnue::half_kp(&setup, color).unwrap();
        assert_eq!((active.iter().min(), active.iter().sum::<i32>()), (Some(&68_208), 2_605_103));
    }
    assert_eq!(nnue::half_ka_hm(&setup, Color::Black).unwrap().len(), 40);
}

/// The position with colours exchanged and the board turned, or mirrored left to right.
fn changed(setup: &Setup, turned: bool) -> Setup {
    let mut out = Setup::EMPTY;
    let other = komabako_board::color::opponent;
    for (square, piece) in setup.pieces() {
        let index = square.array_index();
        let (kind, color) = piece.to_parts();
        let (to, color) =
            if turned { (80 - index, other(color)) } else { (9 * (8 - index / 9) + index % 9, color) };
        let to = komabako_board::Bitboard::of_index(to).first().unwrap();
        out.place(to, komabako_board::Piece::new(kind, color)).unwrap();
    }
    for color in [Color::Black, Color::White] {
        for (kind, count) in setup.hand(color).counts() {
            out.set_hand_count(if turned { other(color) } else { color }, kind, count).unwrap();
        }
    }
    let side = setup.side_to_move();
    out.set_side_to_move(if turned { other(side) } else { side });
    out
}

#[test]
fn flipped_and_mirrored_positions_have_the_same_inputs() {
    let sorted = |active: nnue::Active| {
        let mut indices = active.to_vec();
        indices.sort_unstable();
        indices
    };
    for setup in samples() {
        let twin = changed(&setup, true);
        assert_eq!(Planes::new(&setup), Planes::new(&twin), "{setup}");
        let mirror = changed(&setup, false);
        for color in [Color::Black, Color::White] {
            let other = komabako_board::color::opponent(color);
            let half_kp = sorted(nnue::half_kp(&setup, color).unwrap());
            assert_eq!(half_kp, sorted(nnue::half_kp(&twin, other).unwrap()), "{setup}");
            assert!((0..nnue::HALF_KP_INPUTS as i32).contains(half_kp.last().unwrap()));
            let half_ka = sorted(nnue::half_ka_hm(&setup, color).unwrap());
            assert_eq!(half_ka, sorted(nnue::half_ka_hm(&twin, other).unwrap()), "{setup}");
            assert!((0..nnue::HALF_KA_HM_INPUTS as i32).contains(half_ka.last().unwrap()));
            // A king on the middle file is not mirrored, so the mirrored position has the same inputs only with the king
            // elsewhere.
            let king = setup.king(color).unwrap().array_index();
            if king / 9 != 4 {
                assert_eq!(half_ka, sorted(nnue::half_ka_hm(&mirror, color).unwrap()), "{setup}");
            }
        }
    }
}

#[test]
fn missing_king_is_an_error_and_the_other_king_has_all_inputs() {
    let setup = sfen::parse("8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1").unwrap().setup;
    assert_eq!(nnue::half_kp(&setup, Color::Black).unwrap_err(), nnue::KingMissing);
    let active = nnue::half_kp(&setup, Color::White).unwrap();
    assert_eq!(active.len(), 38);
    assert_eq!(active.padded::<40>()[38..], [-1, -1]);
}

#[test]
#[should_panic(expected = "38 inputs")]
fn a_row_too_short_for_the_inputs_is_not_filled() {
    let active = nnue::half_kp(&Setup::START, Color::White).unwrap();
    active.padded::<37>();
}
