//! What the fuzz targets of `fuzz/` run, as plain functions, so that `cargo test` replays the kept inputs.

use komabako_board::{BaseKind, Piece, Setup, color, diagram, sfen, square, usi};
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_codec::{Format, Hcp, Nshogi, PackedSfen, PositionCodec, Sspf};
use komabako_variants::{C250, PayloadCodec, R238, SspfExt, c250, ext, r238};

use crate::agreement::{self, FullCodec};
use crate::wild::variant_b;

/// A target: it panics on inputs that show a fault.
pub type Target = fn(&[u8]);

/// Every target, by the name of its program and of its directories in `fuzz/corpus` and `fuzz/regressions`.
pub const TARGETS: &[(&str, Target)] = &[
    ("c250_unpack", c250_unpack),
    ("codec_round_trip", codec_round_trip),
    ("hcp_unpack", hcp_unpack),
    ("nshogi_unpack", nshogi_unpack),
    ("psv_unpack", psv_unpack),
    ("r238_unrank", r238_unrank),
    ("sfen_parse", sfen_parse),
    ("sspf_ext_unpack", sspf_ext_unpack),
    ("sspf_unpack", sspf_unpack),
];

/// Any bytes as an SFEN with moves: what is read keeps a setup's promises and comes back from its canonical text; what
/// is refused has a column in the text.
///
/// # Panics
/// If not.
pub fn sfen_parse(input: &[u8]) {
    let columns = 1..=input.len() + 1;
    match sfen::parse(input) {
        Ok(sfen) => {
            assert_eq!(Setup::from_parts(*sfen.setup.parts()), Ok(sfen.setup));
            let text = sfen.to_text();
            assert_eq!(sfen::parse(text.as_bytes()), Ok(sfen));
            assert_eq!(text.as_str(), sfen.to_string());
            assert_eq!(diagram::kanji(&sfen.setup).to_string().lines().count(), 15);
        }
        Err(error) => assert!(columns.contains(&error.column), "{error}"),
    }
    let Ok((start, moves)) = sfen::parse_game(input) else { return };
    let mut side = start.setup.side_to_move();
    for mv in moves {
        match mv {
            Ok(mv) => assert_eq!(usi::parse(usi::write(mv).as_bytes(), side), Ok(mv)),
            Err(error) => assert!(columns.contains(&error.column), "{error}"),
        }
        side = color::opponent(side);
    }
}

/// Any 32 bytes as an HCP word: see [`sspf_unpack`].
///
/// # Panics
/// If not.
pub fn hcp_unpack(input: &[u8]) {
    unpack::<Hcp>(input);
}

/// Any 32 bytes as an nshogi word: see [`sspf_unpack`].
///
/// # Panics
/// If not.
pub fn nshogi_unpack(input: &[u8]) {
    unpack::<Nshogi>(input);
}

/// Any 32 bytes as a PSV word: see [`sspf_unpack`]. What is read leniently has a canonical word, and a rival has this one in
/// variant B.
///
/// # Panics
/// If not.
pub fn psv_unpack(input: &[u8]) {
    unpack::<PackedSfen>(input);
    let Some(word) = input.first_chunk() else { return };
    let codec = PackedSfen::new();
    for phantoms in [PhantomPawns::Strip, PhantomPawns::Keep, PhantomPawns::Error] {
        if let Ok(lenient) = codec.unpack_lenient(word, phantoms) {
            let canonical = codec.canonicalize(word, phantoms).expect("it has been read");
            assert_eq!(codec.unpack(&canonical), Ok(lenient.setup));
            assert!(lenient.rival.is_none_or(|rival| variant_b(&rival) == *word));
        }
    }
}

/// Any 32 bytes as an SSPFv1 word: every backend agrees with the reference, and what is accepted is the word of what it
/// gives.
///
/// # Panics
/// If not.
pub fn sspf_unpack(input: &[u8]) {
    unpack::<Sspf>(input);
}

/// Any 32 bytes as a word of SSPFv1's extension: see [`sspf_unpack`]. What is read leniently has a canonical word.
///
/// # Panics
/// If not.
pub fn sspf_ext_unpack(input: &[u8]) {
    unpack::<SspfExt>(input);
    let Some(word) = input.first_chunk() else { return };
    if let Ok(setup) = ext::unpack_lenient(word) {
        assert_eq!(ext::canonicalize(word).map(|canonical| SspfExt::new().unpack(&canonical)), Ok(Ok(setup)));
    }
}

/// Any 32 bytes as a C250 word: see [`sspf_unpack`]. The payload changes nothing but itself.
///
/// # Panics
/// If not.
pub fn c250_unpack(input: &[u8]) {
    unpack::<C250>(input);
    let Some(word) = input.first_chunk() else { return };
    let key = c250::position_key(word);
    unpack::<C250>(&key);
    match C250::new().decode(word) {
        Ok((setup, payload)) => assert_eq!(C250::new().encode(&setup, payload), *word),
        Err(error) => assert_eq!(C250::new().unpack(&key), Err(error)),
    }
}

/// Any 30 bytes as an R238 rank: every backend agrees with the reference, and what is accepted is the rank of what it
/// gives.
///
/// # Panics
/// If not.
pub fn r238_unrank(input: &[u8]) {
    let Some(rank) = input.first_chunk() else { return };
    match agreement::unrank(rank) {
        Ok(setup) => assert_eq!(agreement::rank(&setup), *rank),
        Err(_) => assert!(rank.iter().rev().ge(r238::T.iter().rev())),
    }
}

fn unpack<C: FullCodec>(input: &[u8]) {
    let Some(word) = input.first_chunk() else { return };
    agreement::canonical::<C>(word);
    C::new().fields(word);
    C::new().symbols(word);
}

/// A setup, each pair of bytes a piece to place or to hold: every format gives it back or refuses it.
///
/// # Panics
/// If not.
pub fn codec_round_trip(input: &[u8]) {
    let mut setup = Setup::EMPTY;
    for &[place, piece] in input.as_chunks().0 {
        // What the set does not have is left out.
        let _ = match square::from_index(place.into()) {
            Some(square) => setup.place(square, Piece::all()[usize::from(piece) % 28]),
            None => setup.set_hand_count(
                color::from_bit(place & 1 != 0),
                BaseKind::IN_HAND[usize::from(place) % 7],
                piece % 19,
            ),
        };
    }
    setup.set_side_to_move(color::from_bit(input.len() & 1 != 0));
    for format in Format::ALL {
        match format.pack(&setup) {
            Ok(word) => assert_eq!(format.unpack(&word), Ok(setup)),
            Err(_) => assert!(!setup.is_complete()),
        }
    }
    let held = "it holds every setup";
    assert_eq!(SspfExt::new().unpack(&SspfExt::new().pack(&setup).expect(held)), Ok(setup));
    assert_eq!(C250::new().unpack(&C250::new().pack(&setup).expect(held)), Ok(setup));
    assert_eq!(R238::new().unrank(&R238::new().rank(&setup)), Ok(setup));
}
