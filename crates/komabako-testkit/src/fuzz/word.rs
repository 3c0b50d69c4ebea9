//! Any bytes as a packed position.

use komabako_codec::packed_sfen::PhantomPawns;
use komabako_codec::{
    ByteBoard, ByteBoardCodec, Explain, Hcp, Nshogi, PackedSfen, PositionCodec, Sspf, Word,
};
use komabako_variants::{C250, R238, SspfExt, c250, ext, r238};

use super::Target;
use crate::agreement::{self, FullCodec};
use crate::wild::variant_b;

/// Any 32 bytes as an SSPFv1 word: an accepted word is the word of its setup. Comparison: every backend, the reference.
pub const SSPF_UNPACK: Target = Target::new("sspf_unpack", unpack::<Sspf>).with_comparison(compare::<Sspf>);

/// Any 32 bytes as an HCP word: see [`SSPF_UNPACK`].
pub const HCP_UNPACK: Target = Target::new("hcp_unpack", unpack::<Hcp>).with_comparison(compare::<Hcp>);

/// Any 32 bytes as an nshogi word: see [`SSPF_UNPACK`].
pub const NSHOGI_UNPACK: Target =
    Target::new("nshogi_unpack", unpack::<Nshogi>).with_comparison(compare::<Nshogi>);

/// Any 32 bytes as a PSV word: see [`SSPF_UNPACK`].
pub const PSV_UNPACK: Target =
    Target::new("psv_unpack", unpack::<PackedSfen>).with_comparison(compare::<PackedSfen>);

/// Any 32 bytes as a word of SSPFv1's extension: see [`SSPF_UNPACK`].
pub const SSPF_EXT_UNPACK: Target =
    Target::new("sspf_ext_unpack", unpack::<SspfExt>).with_comparison(compare::<SspfExt>);

/// Any 32 bytes as a C250 word: see [`SSPF_UNPACK`]. The payload does not affect the setup.
pub const C250_UNPACK: Target = Target::new("c250_unpack", c250_unpack).with_comparison(compare::<C250>);

/// Any 30 bytes as an R238 rank: see [`SSPF_UNPACK`].
pub const R238_UNRANK: Target = Target::new("r238_unrank", r238_unrank).with_comparison(compare_ranks);

/// Any 32 bytes as a PSV word of an older program: an accepted position has a canonical word, and a rival reading has this
/// word in variant B. The first byte chooses the treatment of phantom pawns. Comparison: the canonical word, read again.
pub const PSV_LENIENT: Target = Target::new("psv_lenient", psv_lenient).with_comparison(canonicalize);

/// Any 32 bytes as a word of SSPFv1's extension with its pieces off the board in any order: an accepted position has a
/// canonical word.
pub const SSPF_EXT_LENIENT: Target = Target::new("sspf_ext_lenient", sspf_ext_lenient);

/// Any 32 bytes explained. The first byte chooses the codec, and whether by field or by code. Comparison: both.
pub const WORD_EXPLAIN: Target = Target::new("word_explain", word_explain).with_comparison(explain_both);

fn unpack<C: ByteBoardCodec>(input: &[u8]) {
    let Some(word) = input.first_chunk() else { return };
    let codec = C::new();
    match codec.unpack(word) {
        Ok(setup) => {
            assert_eq!(codec.pack(&setup), Ok(*word), "{}", C::NAME);
            assert_eq!(codec.unpack_bytes(word), Ok(ByteBoard::of_setup(&setup)), "{}", C::NAME);
        }
        Err(error) => assert!(error.bit <= 256, "{}: {error}", C::NAME),
    }
}

fn compare<C: FullCodec>(input: &[u8]) {
    let Some(word) = input.first_chunk() else { return };
    agreement::canonical::<C>(word);
}

fn c250_unpack(input: &[u8]) {
    let Some(word) = input.first_chunk() else { return };
    let codec = C250::new();
    let key = c250::position_key(word);
    match codec.decode(word) {
        Ok((setup, payload)) => {
            assert_eq!(codec.encode(&setup, payload), *word);
            unpack::<C250>(&key);
        }
        Err(error) => assert_eq!(codec.unpack(&key), Err(error)),
    }
}

fn r238_unrank(input: &[u8]) {
    let Some(rank) = input.first_chunk() else { return };
    let word = r238::word_of(rank);
    match R238::new().unpack(&word) {
        Ok(setup) => assert_eq!(R238::new().pack(&setup), Ok(word)),
        Err(_) => assert!(rank.iter().rev().ge(r238::T.iter().rev()), "a rank below the number of positions"),
    }
}

fn compare_ranks(input: &[u8]) {
    let Some(rank) = input.first_chunk() else { return };
    if let Ok(setup) = agreement::unrank(rank) {
        assert_eq!(agreement::rank(&setup), *rank);
    }
}

fn psv_lenient(input: &[u8]) {
    let Some((phantoms, word)) = with_phantoms(input) else { return };
    let codec = PackedSfen::new();
    match codec.unpack_lenient(word, phantoms) {
        Ok(lenient) => {
            let canonical = codec.pack(&lenient.setup).expect("it has both kings");
            assert_eq!(codec.unpack(&canonical), Ok(lenient.setup));
            assert!(lenient.rival.is_none_or(|rival| variant_b(&rival) == *word));
        }
        Err(error) => assert!(error.bit <= 256, "{error}"),
    }
}

fn canonicalize(input: &[u8]) {
    let Some((phantoms, word)) = with_phantoms(input) else { return };
    let codec = PackedSfen::new();
    let canonical = codec.canonicalize(word, phantoms);
    let lenient = codec.unpack_lenient(word, phantoms);
    assert_eq!(canonical.map(|canonical| codec.unpack(&canonical)), lenient.map(|lenient| Ok(lenient.setup)));
}

fn with_phantoms(input: &[u8]) -> Option<(PhantomPawns, &Word)> {
    let (&[choice], word) = input.split_first_chunk()?;
    let phantoms = [PhantomPawns::Strip, PhantomPawns::Keep, PhantomPawns::Error][usize::from(choice) % 3];
    Some((phantoms, word.first_chunk()?))
}

fn sspf_ext_lenient(input: &[u8]) {
    let Some(word) = input.first_chunk() else { return };
    if let Ok(setup) = ext::unpack_lenient(word) {
        assert_eq!(ext::canonicalize(word).map(|canonical| SspfExt::new().unpack(&canonical)), Ok(Ok(setup)));
    }
}

/// The codecs whose words can be explained.
const CODECS: usize = 6;

fn word_explain(input: &[u8]) {
    let Some((&[choice], word)) = input.split_first_chunk() else { return };
    let Some(word) = word.first_chunk() else { return };
    let choice = usize::from(choice);
    explain(choice, word, (choice / CODECS).is_multiple_of(2));
}

fn explain_both(input: &[u8]) {
    let Some((&[choice], word)) = input.split_first_chunk() else { return };
    let Some(word) = word.first_chunk() else { return };
    explain(choice.into(), word, true);
    explain(choice.into(), word, false);
}

/// Checks that every field and every code is within the word.
fn explain(codec: usize, word: &Word, by_field: bool) {
    fn check<C: Explain>(word: &Word, by_field: bool) {
        let ends: Vec<_> = if by_field {
            C::new().fields(word).iter().map(|field| field.offset + field.len).collect()
        } else {
            C::new().symbols(word).iter().map(|symbol| symbol.offset + symbol.len).collect()
        };
        assert!(ends.iter().all(|&end| end <= 256), "{}: {ends:?}", C::NAME);
    }
    let checks: [fn(&Word, bool); CODECS] =
        [check::<Sspf>, check::<PackedSfen>, check::<Hcp>, check::<Nshogi>, check::<SspfExt>, check::<C250>];
    checks[codec % CODECS](word, by_field);
}
