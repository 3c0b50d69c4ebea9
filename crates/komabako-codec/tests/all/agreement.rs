//! Every backend equals the reference, words are canonical, and a peer writes the same bytes.

use komabako_bits::Backend;
use komabako_board::{BaseKind, Setup};
use komabako_codec::{Field, Hcp, Nshogi, PackError, PackedSfen, PositionCodec, SliceError, Sspf};
use komabako_testkit::agreement::{self, FullCodec, canonical, pack, unpack};
use komabako_testkit::cases;
use komabako_testkit::peers::Rsshogi;
use komabako_testkit::setups::{self, Rng};
use proptest::prelude::*;

/// Packs and unpacks a setup, or checks the reason if it is refused.
fn round_trip<C: FullCodec>(setup: &Setup, has_box: bool) {
    let kings = setup.kind(BaseKind::King).len();
    match pack::<C>(setup) {
        Ok(word) => assert_eq!(unpack::<C>(&word), Ok(*setup)),
        Err(PackError::KingMissing(color)) => assert_eq!(setup.king(color), None),
        Err(PackError::PieceRemoved(kind)) => assert!(!has_box && kings == 2 && setup.removed(kind) > 0),
        Err(error) => panic!("a setup is representable: {error}"),
    }
}

/// On positions, on words with some flipped bits, and on random words.
fn compare<C: FullCodec>(seed: u64) {
    let setups: Vec<Setup> = setups::random(seed).take(4_000).collect();
    let accepted = agreement::codec::<C>(seed, &setups).accepted;
    assert!(accepted > 80, "{}: only {accepted} words were accepted", C::NAME);
}

#[test]
fn backends_agree_with_the_references() {
    compare::<Sspf>(1);
    compare::<PackedSfen>(2);
    compare::<Hcp>(3);
    compare::<Nshogi>(4);
}

/// Two codes of a tail exchanged, of the same length, so that all other codes stay in place.
fn disorder<C: FullCodec>(seed: u64) {
    let mut rng = Rng::new(seed);
    let mut refused = 0;
    let codec = C::new();
    let in_tail = |field| matches!(field, Field::BlackHand | Field::WhiteHand | Field::Box);
    for word in setups::random(seed).filter_map(|setup| C::reference_pack(&setup).ok()).take(3_000) {
        let tail: Vec<_> = codec.symbols(&word).into_iter().filter(|code| in_tail(code.field)).collect();
        if tail.is_empty() {
            continue;
        }
        let a = &tail[rng.below(tail.len())];
        let b = &tail[rng.below(tail.len())];
        if a.len != b.len {
            continue;
        }
        let mut mutated = word;
        for (code, to) in [(a, b), (b, a)] {
            for (bit, value) in (usize::from(to.offset)..).zip(code.bits.bytes()) {
                mutated[bit / 8] = mutated[bit / 8] & !(1 << (bit % 8)) | (value & 1) << (bit % 8);
            }
        }
        assert_eq!(canonical::<C>(&mutated), a.bits == b.bits, "{mutated:x?}");
        refused += usize::from(a.bits != b.bits);
    }
    assert!(refused > 100, "{}: only {refused} tails were out of order", C::NAME);
}

#[test]
fn unordered_tails_are_refused() {
    disorder::<PackedSfen>(8);
    disorder::<Hcp>(9);
    disorder::<Nshogi>(10);
}

proptest! {
    #[test]
    fn setups_round_trip_or_are_refused(setup in setups::setup()) {
        round_trip::<Sspf>(&setup, false);
        round_trip::<PackedSfen>(&setup, true);
        round_trip::<Hcp>(&setup, true);
        round_trip::<Nshogi>(&setup, false);
    }

    #[test]
    fn full_sets_round_trip(setup in setups::base_setup()) {
        prop_assert!(pack::<Sspf>(&setup).is_ok() && pack::<Nshogi>(&setup).is_ok());
        round_trip::<Sspf>(&setup, false);
        round_trip::<Nshogi>(&setup, false);
    }
}

/// The slice methods stop at the first error, after everything before it is written.
fn slices<C: FullCodec>() {
    let all: Vec<Setup> = setups::random(7).take(200).collect();
    for backend in Backend::available() {
        let codec = C::with_backend(backend);
        let good: Vec<Setup> = all.iter().copied().filter(|setup| codec.pack(setup).is_ok()).collect();
        let mut words = vec![[0; 32]; good.len()];
        let mut unpacked = vec![Setup::EMPTY; good.len()];
        assert_eq!(codec.pack_slice(&good, &mut words), Ok(()));
        assert!(good.iter().zip(&words).all(|(setup, word)| codec.pack(setup) == Ok(*word)));
        assert_eq!(codec.unpack_slice(&words, &mut unpacked), Ok(()));
        assert_eq!(unpacked, good);
        for (setup, word) in good.iter().zip(&words) {
            let mut packed = [0; 32];
            let mut unpacked = Setup::EMPTY;
            assert_eq!(codec.pack_to(setup, &mut packed), Ok(()));
            assert_eq!(codec.unpack_to(word, &mut unpacked), Ok(()));
            assert_eq!((packed, unpacked), (*word, *setup));
        }

        let mut bad = good[..3].to_vec();
        bad[1] = Setup::EMPTY;
        let mut few = [[0xff; 32]; 3];
        let error = codec.pack(&Setup::EMPTY).unwrap_err();
        assert_eq!(codec.pack_slice(&bad, &mut few), Err(SliceError { index: 1, error }));
        assert_eq!([few[0], few[2]], [words[0], [0xff; 32]]);

        for index in 0..good.len() {
            let mut bad = good.clone();
            bad[index] = Setup::EMPTY;
            let mut packed = vec![[0; 32]; good.len()];
            assert_eq!(codec.pack_slice(&bad, &mut packed), Err(SliceError { index, error }));
            assert_eq!(packed[..index], words[..index]);
        }

        let mut few = [words[0], [0xff; 32], words[2]];
        let error = codec.unpack(&few[1]).unwrap_err();
        let mut setups = [Setup::EMPTY; 3];
        assert_eq!(codec.unpack_to(&few[1], &mut setups[1]), Err(error));
        assert_eq!(codec.unpack_slice(&few, &mut setups), Err(SliceError { index: 1, error }));
        assert_eq!(setups, [good[0], Setup::EMPTY, Setup::EMPTY]);
        few[1] = words[1];
        assert_eq!(codec.unpack_slice(&few, &mut setups), Ok(()));
    }
}

#[test]
fn slices_are_packed_and_unpacked_up_to_the_first_error() {
    slices::<Sspf>();
    slices::<PackedSfen>();
    slices::<Hcp>();
    slices::<Nshogi>();
}

/// Slices of copies, longer than the blocks of a codec: all are packed and unpacked, or refused, like a single one.
fn copies<C: FullCodec>(setups: impl Iterator<Item = Setup>, bits: impl Iterator<Item = usize> + Clone) {
    const COPIES: usize = 19;
    let backends: Vec<C> = Backend::available().map(C::with_backend).collect();
    let mut words = [[0; 32]; COPIES];
    let mut unpacked = [Setup::EMPTY; COPIES];
    for setup in setups {
        let one = C::new().pack(&setup);
        for codec in &backends {
            let outcome = codec.pack_slice(&[setup; COPIES], &mut words);
            assert_eq!(outcome, one.map(|_| ()).map_err(|error| SliceError { index: 0, error }), "{setup:?}");
            assert!(one.is_err() || words.map(Ok) == [one; COPIES], "{setup:?}");
        }
        let Ok(word) = one else { continue };
        for bit in bits.clone() {
            let mut word = word;
            word[bit / 8] ^= 1 << (bit % 8);
            let one = C::new().unpack(&word);
            for codec in &backends {
                let outcome = codec.unpack_slice(&[word; COPIES], &mut unpacked);
                assert_eq!(
                    outcome,
                    one.map(|_| ()).map_err(|error| SliceError { index: 0, error }),
                    "{word:x?}"
                );
                assert!(one.is_err() || unpacked.map(Ok) == [one; COPIES], "{word:x?}");
            }
        }
    }
}

#[test]
fn slices_find_every_fault() {
    copies::<Sspf>(setups::random(11).take(100), 0..256);
    copies::<PackedSfen>(setups::random(12).take(100), (0..256).step_by(8));
    copies::<Hcp>(setups::random(13).take(100), (0..256).step_by(8));
    copies::<Nshogi>(setups::random(14).take(100), (0..256).step_by(8));
}

/// 10^5 random positions against rsshogi: it writes the same bytes, and reads our words as the same positions.
#[test]
fn rsshogi_writes_the_same_words() {
    let peer = Rsshogi::new();
    let psv = PackedSfen::new();
    let hcp = Hcp::new();
    let mut refused = 0;
    for setup in setups::random(6).filter(|setup| psv.pack(setup).is_ok()).take(cases::scaled(100_000)) {
        let (Some(peer_psv), Some(peer_hcp)) = (peer.psv(&setup), peer.hcp(&setup)) else {
            refused += 1;
            continue;
        };
        assert_eq!(psv.pack(&setup), Ok(peer_psv), "{setup:?}");
        assert_eq!(hcp.pack(&setup), Ok(peer_hcp), "{setup:?}");
        assert_eq!(psv.unpack(&peer_psv), Ok(setup));
        assert_eq!(hcp.unpack(&peer_hcp), Ok(setup));
    }
    assert_eq!(refused, 0, "setups that rsshogi refuses");
}
