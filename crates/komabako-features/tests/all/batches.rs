//! The batch functions, on every backend, agree with the slow functions for single positions.

use komabako_board::{Color, Position, Setup, color, sfen};
use komabako_codec::{PackedSfen, PositionCodec};
use komabako_features::Backend;
use komabako_features::board::{Arrays, Columns};
use komabako_features::dlshogi::{self, FEATURES2, PlaneValue, Planes, entering_king};
use komabako_features::label::{self, Classes, Masks};
use komabako_features::nnue::{self, First, KingMissing};
use komabako_rules::{MoveList, State};

fn samples() -> Vec<Setup> {
    let codec = PackedSfen::new();
    let records = include_bytes!("../../../../data/sample.psv").chunks_exact(40);
    records.map(|record| codec.unpack(record.first_chunk().unwrap()).expect("a good record")).collect()
}

/// Real positions, and extreme ones that codecs can hold: no kings, full hands, many promoted pieces.
fn setups() -> Vec<Setup> {
    let mut setups = samples();
    for text in [
        "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
        "9/9/9/9/9/9/9/9/9 w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
        "K8/9/9/9/9/9/9/9/8k b 2r2b4g4s4n4l18p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
        "+b+r+p+l+n+s3/9/9/4k4/9/4K4/9/9/3+S+N+L+P+R+B w - 1",
        "l+R+R5l/gggg5/4k4/nnnn5/+P8/9/4K4/ssss5/L1+B4+BL w - 1",
    ] {
        setups.push(sfen::parse(text).unwrap().setup);
    }
    setups
}

#[test]
fn batch_columns_equal_single_arrays() {
    let setups = setups();
    let count = setups.len();
    for backend in Backend::available() {
        let mut board = vec![[255; 81]; count];
        let mut hands = vec![[[255; 7]; 2]; count];
        let mut side = vec![255; count];
        let mut kings = vec![[255; 2]; count];
        Columns { board: &mut board, hands: &mut hands, side: &mut side, kings: &mut kings }
            .write(backend, &setups);
        for (row, setup) in setups.iter().enumerate() {
            let written = Arrays { board: board[row], hands: hands[row], side: side[row], kings: kings[row] };
            assert_eq!(written, Arrays::new(setup), "{backend:?} {setup}");
        }
    }
}

#[test]
fn batch_bits_equal_single_planes() {
    let setups = setups();
    for backend in Backend::available() {
        let mut first = vec![[255; dlshogi::FEATURES1_BYTES]; setups.len()];
        let mut second = vec![[255; dlshogi::FEATURES2_BYTES]; setups.len()];
        dlshogi::write_bits(backend, &setups, &mut first, &mut second);
        let mut entering = vec![[255; dlshogi::FEATURES2_WITH_ENTERING_BYTES]; setups.len()];
        dlshogi::write_bits_with_entering(backend, &setups, &mut first, &mut entering);
        for (row, setup) in setups.iter().enumerate() {
            let planes = Planes::new(setup);
            assert!((first[row], second[row]) == planes.to_bits(), "{backend:?} {setup}");
            let bits = u128::from(planes.hands_and_check()) | u128::from(entering_king(setup)) << FEATURES2;
            assert_eq!(u128::from_le_bytes(entering[row]), bits, "{backend:?} {setup}");
        }
    }
}

fn check_planes<T: PlaneValue + PartialEq>(backend: Backend, setups: &[Setup], junk: T) {
    let mut first = vec![[[junk; 81]; dlshogi::FEATURES1]; setups.len()];
    let mut second = vec![[[junk; 81]; FEATURES2]; setups.len()];
    dlshogi::write_planes(backend, setups, &mut first, &mut second);
    let mut expected = ([[junk; 81]; dlshogi::FEATURES1], [[junk; 81]; FEATURES2]);
    for (row, setup) in setups.iter().enumerate() {
        Planes::new(setup).expand(T::VALUES, &mut expected.0, &mut expected.1);
        assert!(first[row] == expected.0 && second[row] == expected.1, "{backend:?} {setup}");
    }
    let mut entering = vec![[[junk; 81]; dlshogi::FEATURES2_WITH_ENTERING]; setups.len()];
    dlshogi::write_planes_with_entering(backend, setups, &mut first, &mut entering);
    for (row, setup) in setups.iter().enumerate() {
        assert!(entering[row][..FEATURES2] == second[row], "{backend:?} {setup}");
        for (number, plane) in entering[row][FEATURES2..].iter().enumerate() {
            let value = T::VALUES[(entering_king(setup) >> number & 1) as usize];
            assert!(*plane == [value; 81], "{backend:?} {setup}");
        }
    }
}

#[test]
fn batch_values_equal_single_planes() {
    // The extreme positions come last.
    let setups = &setups()[1900..];
    for backend in Backend::available() {
        check_planes(backend, setups, 7.0f32);
        check_planes(backend, setups, 7u16);
        check_planes(backend, setups, 7u8);
    }
}

#[test]
fn batch_nnue_inputs_equal_single_inputs() {
    let setups = setups();
    for backend in Backend::available() {
        for first in [First::SideToMove, First::Black] {
            let mut half_kp = vec![[[7; 38]; 2]; setups.len()];
            let mut half_ka = vec![[[7; 40]; 2]; setups.len()];
            let lacking = nnue::write_half_kp(backend, &setups, first, &mut half_kp);
            assert_eq!(lacking, 3);
            assert_eq!(nnue::write_half_ka_hm(backend, &setups, first, &mut half_ka), lacking);
            for (row, setup) in setups.iter().enumerate() {
                let eyes = match first {
                    First::Black => [Color::Black, Color::White],
                    First::SideToMove => [setup.side_to_move(), color::opponent(setup.side_to_move())],
                };
                let is_complete = eyes.iter().all(|&eye| setup.king(eye).is_some());
                for (eye, perspective) in eyes.into_iter().enumerate() {
                    let expected = |inputs: Result<nnue::Active, KingMissing>| match inputs {
                        Ok(active) if is_complete => active.padded::<40>(),
                        _ => [0; 40],
                    };
                    let slow = expected(nnue::half_kp(setup, perspective));
                    assert_eq!(half_kp[row][eye], slow[..38], "{backend:?} {setup}");
                    let slow = expected(nnue::half_ka_hm(setup, perspective));
                    assert_eq!(half_ka[row][eye], slow, "{backend:?} {setup}");
                }
            }
        }
    }
}

#[test]
fn batch_masks_equal_single_masks() {
    let mut masks = Masks::new();
    let states = setups().into_iter().filter_map(|setup| State::<()>::new(&Position::new(setup).ok()?).ok());
    for state in states {
        let expected = label::legal_mask(&state);
        let is_set = |label: usize| expected[label / 8] >> (label % 8) & 1 == 1;
        let mut bits = [255; label::MASK_BYTES];
        masks.write_bits(&state, Classes::All, &mut bits);
        assert!(bits == expected);
        let mut bools = [true; label::LABELS];
        masks.write_bools(&state, Classes::All, &mut bools);
        assert!((0..label::LABELS).all(|label| bools[label] == is_set(label)));

        let labels = (0..label::LABELS).filter(|&label| is_set(label));
        let compact: Vec<usize> =
            labels.map(|label| label::compact(label as u16).expect("of a legal move").into()).collect();
        let mut bools = [true; label::COMPACT_LABELS];
        masks.write_bools(&state, Classes::Compact, &mut bools);
        assert!((0..bools.len()).all(|label| bools[label] == compact.contains(&label)));
        let mut bits = [255; label::COMPACT_LABELS / 8];
        masks.write_bits(&state, Classes::Compact, &mut bits);
        assert!((0..bools.len()).all(|label| (bits[label / 8] >> (label % 8) & 1 == 1) == bools[label]));
    }
}

#[test]
fn the_move_of_a_label_is_the_legal_one_that_has_it() {
    let mut moves = MoveList::new();
    let states = setups().into_iter().filter_map(|setup| State::<()>::new(&Position::new(setup).ok()?).ok());
    for state in states {
        state.legal_moves(&mut moves);
        let side = state.side_to_move();
        let mut expected = [None; label::LABELS + 81];
        for &mv in &moves {
            expected[usize::from(label::label(mv, side).unwrap())] = Some(mv);
        }
        for (number, expected) in (0..).zip(expected) {
            assert_eq!(label::move_of_label(&state, number), expected, "{number}");
        }
        assert_eq!(label::move_of_label(&state, u16::MAX), None);
    }
}
