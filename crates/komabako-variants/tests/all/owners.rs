//! The owner of every bit of a word: the content that changes with the bit.

use komabako_board::{BaseKind, Color, Setup};
use komabako_codec::explanation::{Owner, Owners};
use komabako_codec::{Explain, Hcp, Nshogi, PackedSfen, PositionCodec, Sspf, Word};
use komabako_testkit::setups::{self, Rng};
use komabako_variants::{C250, SspfExt};

/// Runs a test with every codec.
macro_rules! with_every_codec {
    ($test:ident) => {
        $test(Sspf::new());
        $test(PackedSfen::new());
        $test(Hcp::new());
        $test(Nshogi::new());
        $test(SspfExt::new());
        $test(C250::new());
    };
}

/// Whether the content that an owner represents differs between two setups.
fn differs(owner: Owner, owners: &Owners, before: &Setup, after: &Setup) -> bool {
    let changes = |content: &dyn Fn(&Setup) -> u32| content(before) != content(after);
    match owner {
        Owner::Side => before.side_to_move() != after.side_to_move(),
        Owner::King(color) => before.king(color) != after.king(color),
        Owner::Square(square) => before.piece_at(square) != after.piece_at(square),
        Owner::Hand(color, kind) => changes(&|setup| setup.hand(color).count(kind).into()),
        Owner::Box(kind) => changes(&|setup| setup.removed(kind).into()),
        Owner::Pair(kind) => {
            let mut places = owners.places().iter().filter(|(other, _)| *other == owner);
            before.kind(kind) != after.kind(kind)
                || places.any(|&(_, square)| before.piece_at(square) != after.piece_at(square))
                || kind == BaseKind::King
                    && [Color::Black, Color::White].iter().any(|&it| before.king(it) != after.king(it))
                || kind != BaseKind::King && changes(&|setup| setup.removed(kind).into())
        }
        _ => false,
    }
}

#[test]
fn flipping_a_bit_changes_its_owner() {
    fn test<C: Explain>(codec: C) {
        let mut accepted = 0;
        for setup in setups::random(3).take(60) {
            let Ok(word) = codec.pack(&setup) else { continue };
            let owners = codec.owners(&word).unwrap();
            for bit in 0..256 {
                let mut flipped = word;
                flipped[bit / 8] ^= 1 << (bit % 8);
                let Ok(other) = codec.unpack(&flipped) else { continue };
                accepted += 1;
                let owner = owners.at(bit);
                assert!(
                    differs(owner, &owners, &setup, &other),
                    "{}: bit {bit}, {owner:?}: {setup}",
                    C::NAME
                );
            }
        }
        assert!(accepted > 100, "{}: {accepted} flipped words are good", C::NAME);
    }
    with_every_codec!(test);
}

#[test]
fn every_piece_has_bits() {
    fn test<C: Explain>(codec: C) {
        for setup in setups::random(4).take(200) {
            let Ok(word) = codec.pack(&setup) else { continue };
            let owners = codec.owners(&word).unwrap();
            assert_eq!(owners.runs().iter().map(|(run, _)| run.len()).sum::<usize>(), 256);
            for (square, piece) in setup.pieces() {
                assert_ne!(owners.bits_of_square(square), [0; 4], "{}: {piece:?}", C::NAME);
            }
            for (color, kind) in [Color::Black, Color::White]
                .into_iter()
                .flat_map(|color| BaseKind::IN_HAND.map(|kind| (color, kind)))
            {
                let has_bits = owners.bits_of(Owner::Hand(color, kind)) != [0; 4];
                assert_eq!(has_bits, setup.hand(color).count(kind) > 0, "{} {kind:?}", C::NAME);
            }
        }
    }
    with_every_codec!(test);
}

#[test]
fn any_word_has_owners() {
    fn test<C: Explain>(codec: C) {
        let mut rng = Rng::new(5);
        for _ in 0..2_000 {
            let mut word: Word = [0; 32];
            word.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&rng.next_u64().to_le_bytes()));
            let runs = codec.owners(&word).unwrap().runs();
            assert_eq!(runs.last().map(|(run, _)| run.end), Some(256), "{}", C::NAME);
        }
    }
    with_every_codec!(test);
}
