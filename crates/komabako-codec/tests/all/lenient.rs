//! PSV words in the variants of older programs.

use komabako_board::{BaseKind, Color, Setup, Square, sfen};
use komabako_codec::packed_sfen::{PhantomPawns, Variant};
use komabako_codec::{PackedSfen, PositionCodec, Word};
use komabako_testkit::setups;
use komabako_testkit::wild::{variant_b, variant_c};

/// Random setups with both kings, and whether the hands hold nothing but Black's pawns.
fn with_kings(seed: u64) -> impl Iterator<Item = (Setup, bool)> {
    setups::random(seed).filter(|setup| setup.removed(BaseKind::King) == 0).map(|setup| {
        let others =
            setup.hand(Color::Black).len() - u32::from(setup.hand(Color::Black).count(BaseKind::Pawn));
        (setup, others + setup.hand(Color::White).len() == 0)
    })
}

#[test]
fn full_sets_of_any_variant_are_read() {
    let codec = PackedSfen::new();
    let mut seen = [0; 3];
    for (setup, _) in with_kings(1).filter(|(setup, _)| setup.is_complete()).take(2_000) {
        let canonical = codec.pack(&setup).unwrap();
        let b = variant_b(&setup);
        let c = variant_c(&setup);
        for (word, variant) in [(b, Variant::B), (c, if c == b { Variant::B } else { Variant::C })] {
            let lenient = codec.unpack_lenient(&word, PhantomPawns::Error).unwrap();
            assert_eq!(lenient.setup, setup);
            assert_eq!((lenient.dropped_pawns, lenient.trailing_zeros), (0, 0));
            assert_eq!(lenient.variant, if word == canonical { Variant::A } else { variant });
            assert_eq!(codec.canonicalize(&word, PhantomPawns::Error), Ok(canonical));
            seen[lenient.variant as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "variants seen: {seen:?}");
}

#[test]
fn removed_pieces_of_variant_b_leave_no_phantom_pawns() {
    let codec = PackedSfen::new();
    let mut recovered = 0;
    for (setup, only_black_pawns) in with_kings(2).take(8_000) {
        let no_pawn_removed = setup.removed(BaseKind::Pawn) == 0;
        let others_removed = BaseKind::IN_HAND[1..].iter().any(|&kind| setup.removed(kind) > 0);
        // A word in which only pawns are missing equals one with pawns in Black's hand.
        if no_pawn_removed || others_removed && !only_black_pawns {
            let lenient = codec.unpack_lenient(&variant_b(&setup), PhantomPawns::Keep);
            assert_eq!(lenient.map(|lenient| lenient.setup), Ok(setup));
            recovered += usize::from(others_removed);
        }
    }
    assert!(recovered > 300, "only {recovered} words had room of removed pieces");
}

#[test]
fn removed_pieces_of_variant_c_are_not_read_as_pawns() {
    let codec = PackedSfen::new();
    for (setup, _) in with_kings(3).take(4_000) {
        let lenient = codec.unpack_lenient(&variant_c(&setup), PhantomPawns::Error);
        assert_eq!(lenient.map(|lenient| lenient.setup), Ok(setup));
    }
}

#[test]
fn doubtful_pawns_follow_the_policy() {
    // No bishops; the only pieces off the board are two of Black's pawns.
    let text = "lnsgkgsnl/1r7/ppppppp1p/9/9/9/PPPPPPPP1/7R1/LNSGKGSNL w 2P 1";
    let setup = sfen::parse(text).unwrap().setup;
    let codec = PackedSfen::new();
    let word = variant_b(&setup);

    let kept = codec.unpack_lenient(&word, PhantomPawns::Keep).unwrap();
    assert_eq!((kept.setup, kept.variant), (setup, Variant::B));
    // Two bishops leave 14 bits: four codes of a pawn and two zeros.
    assert_eq!((kept.dropped_pawns, kept.trailing_zeros), (4, 2));

    let mut without_pawns = setup;
    without_pawns.set_hand_count(Color::Black, BaseKind::Pawn, 0).unwrap();
    let stripped = codec.unpack_lenient(&word, PhantomPawns::Strip).unwrap();
    assert_eq!((stripped.setup, stripped.dropped_pawns), (without_pawns, 6));

    let error = codec.unpack_lenient(&word, PhantomPawns::Error).unwrap_err();
    assert_eq!((error.name(), error.bit), ("PHANTOM_PAWNS", 236));
    assert!(codec.unpack(&word).is_err());
}

/// The word in variant B of a position without some pawns can equal a word with them in Black's hand: canonical, of variant
/// C, or with hands in no known order.
#[test]
fn ambiguous_words_have_a_rival_without_pawns() {
    let codec = PackedSfen::new();
    let mut seen = [0; 4];
    for (setup, _) in with_kings(4).filter(|(setup, _)| setup.is_complete()).take(8_000) {
        for word in [codec.pack(&setup).unwrap(), variant_b(&setup), variant_c(&setup)] {
            let lenient = codec.unpack_lenient(&word, PhantomPawns::Error).unwrap();
            let Some(rival) = lenient.rival else { continue };
            assert_eq!((lenient.setup, variant_b(&rival)), (setup, word));
            assert!(rival.removed(BaseKind::Pawn) > 0);
            seen[lenient.variant as usize] += 1;
        }
    }
    assert!(seen[Variant::A as usize] > 10 && seen[Variant::C as usize] > 10, "{seen:?}");
    let only_pawns_removed = |setup: &Setup| {
        setup.removed(BaseKind::Pawn) > 0
            && BaseKind::IN_HAND[1..].iter().all(|&kind| setup.removed(kind) == 0)
    };
    let mut found = 0;
    for (setup, only_black_pawns) in with_kings(5).filter(|(setup, _)| only_pawns_removed(setup)).take(300) {
        let lenient = codec.unpack_lenient(&variant_b(&setup), PhantomPawns::Error).unwrap();
        // If Black holds nothing but pawns, they cannot be distinguished from removed pawns.
        assert!(only_black_pawns || lenient.rival.unwrap_or(lenient.setup) == setup, "{setup:?}");
        found += 1;
    }
    assert_eq!(found, 300);
}

#[test]
fn words_of_no_variant_are_refused() {
    let codec = PackedSfen::new();
    let name = |word: &Word| codec.unpack_lenient(word, PhantomPawns::Keep).unwrap_err().name();
    assert_eq!(name(&[0xff; 32]), "KING_CODE");
    assert_eq!(name(&[0; 32]), "KINGS_COLLIDE");

    // Without rooks, whose absence leaves the last 14 bits zero.
    let mut setup = Setup::START;
    setup.clear(Square::SQ_2H);
    setup.clear(Square::SQ_8B);
    let word = variant_b(&setup);
    let with_bits = |bits: &[usize]| {
        let mut word = word;
        bits.iter().for_each(|bit| word[bit / 8] |= 1 << (bit % 8));
        name(&word)
    };
    assert_eq!(codec.unpack_lenient(&word, PhantomPawns::Error).map(|lenient| lenient.setup), Ok(setup));
    assert_eq!(with_bits(&[254]), "LENGTH"); // 10 at the end
    assert_eq!(with_bits(&[243, 244]), "TAIL_CODE"); // 011
    assert_eq!(with_bits(&[242, 243, 244]), "GOLD_COUNT"); // 11100
}
