//! Every backend equals the reference, words are canonical, and the variants agree with the base form.

use std::collections::{HashMap, HashSet};

use komabako_bits::Backend;
use komabako_board::Setup;
use komabako_codec::{PositionCodec, Sspf};
use komabako_testkit::agreement::{self, pack, rank, unpack, unrank};
use komabako_testkit::cases;
use komabako_testkit::setups::{self, Rng};
use komabako_variants::random::Uniform;
use komabako_variants::{C250, R238, SspfExt, r238};
use proptest::prelude::*;

fn round_trip(setup: &Setup) {
    let ext = pack::<SspfExt>(setup).unwrap();
    assert_eq!(unpack::<SspfExt>(&ext), Ok(*setup));
    assert_eq!(unpack::<C250>(&pack::<C250>(setup).unwrap()), Ok(*setup));
    assert_eq!(unrank(&rank(setup)), Ok(*setup));
    // The extension is a superset of the base form.
    match Sspf::new().pack(setup) {
        Ok(base) => assert_eq!(base, ext),
        Err(_) => assert!(!setup.is_complete()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn setups_round_trip(setup in setups::setup()) {
        round_trip(&setup);
    }

    #[test]
    fn numbers_are_ranks_exactly_below_t(mut number: [u8; 30]) {
        number[29] &= 0x3f;
        match unrank(&number) {
            Ok(setup) => prop_assert_eq!(rank(&setup), number),
            Err(error) => {
                prop_assert_eq!(error.name(), "RANGE");
                prop_assert!(number.iter().rev().ge(r238::T.iter().rev()));
            }
        }
    }
}

#[test]
fn uniform_setups_round_trip() {
    Uniform::new(1).take(128).for_each(|setup| round_trip(&setup));
}

#[test]
fn backends_agree_with_the_references() {
    let setups: Vec<Setup> = setups::random(1).take(4_000).collect();
    let tallies = [
        agreement::codec::<SspfExt>(1, &setups),
        agreement::codec::<C250>(2, &setups),
        agreement::ranking(3, &setups[..1_000]),
    ];
    assert!(tallies.iter().all(|tally| tally.accepted > 500), "{tallies:?}");
}

/// A word that the base form refuses has the same fault in the extension, unless only the base form lacks the position.
#[test]
fn extension_and_base_form_report_the_same_faults() {
    let mut rng = Rng::new(3);
    let mut compared = 0;
    for setup in setups::random(3).take(4_000).filter(Setup::is_complete) {
        let mut word = pack::<SspfExt>(&setup).unwrap();
        let bit = rng.below(256);
        word[bit / 8] ^= 1 << (bit % 8);
        match (Sspf::new().unpack(&word), SspfExt::new().unpack(&word)) {
            (Err(error), _) if error.name().starts_with("BASE_") => {}
            (base, ext) => {
                assert_eq!(base, ext);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "only {compared} words were compared");
}

/// Setups of all families, and uniform ones.
fn mixed(seed: u64, count: usize) -> impl Iterator<Item = Setup> {
    setups::random(seed).take(count - count / 4).chain(Uniform::new(seed).take(count / 4))
}

#[test]
fn setups_round_trip_in_every_variant() {
    let base = Sspf::new();
    let ext = SspfExt::new();
    let c250 = C250::new();
    let r238 = R238::new();
    for setup in mixed(11, cases::scaled(1_000_000)) {
        let word = ext.pack(&setup).unwrap();
        assert_eq!(ext.unpack(&word), Ok(setup));
        assert!(base.pack(&setup).is_ok_and(|base| base == word) == setup.is_complete());
        assert_eq!(c250.unpack(&c250.pack(&setup).unwrap()), Ok(setup));
        assert_eq!(r238.unpack(&r238.pack(&setup).unwrap()), Ok(setup));
    }
}

#[test]
fn words_are_equal_if_and_only_if_setups_are() {
    let mut words_of = HashMap::new();
    for setup in mixed(12, 50_000) {
        let words = (
            SspfExt::new().pack(&setup).unwrap(),
            C250::new().pack(&setup).unwrap(),
            R238::new().pack(&setup).unwrap(),
        );
        assert_eq!(*words_of.entry(setup).or_insert(words), words);
    }
    assert!(words_of.len() < 50_000, "some setups come more than once");
    let distinct = |words: HashSet<&[u8]>| assert_eq!(words.len(), words_of.len());
    distinct(words_of.values().map(|words| &words.0[..]).collect());
    distinct(words_of.values().map(|words| &words.1[..]).collect());
    distinct(words_of.values().map(|words| &words.2[..]).collect());
}

/// The slice methods stop at the first error, after everything before it is written.
#[test]
fn slices_of_ranks_agree_with_single_ranks() {
    let setups: Vec<Setup> = setups::random(4).take(20).collect();
    for backend in Backend::available() {
        let r238 = R238::with_backend(backend);
        let mut words = [[0; 32]; 20];
        assert_eq!(r238.pack_slice(&setups, &mut words), Ok(()));
        assert!(words.iter().zip(&setups).all(|(word, setup)| Ok(*word) == r238.pack(setup)));
        let mut back = [Setup::EMPTY; 20];
        assert_eq!(r238.unpack_slice(&words, &mut back), Ok(()));
        assert_eq!(back[..], setups[..]);

        let good = words[7];
        for bad in [r238::word_of(&r238::T), std::array::from_fn(|byte| good[byte] | u8::from(byte == 31))] {
            words[7] = bad;
            let mut back = [Setup::EMPTY; 20];
            let error = r238.unpack_slice(&words, &mut back).unwrap_err();
            assert_eq!((error.index, error.error.name()), (7, "RANGE"));
            assert_eq!(back[..7], setups[..7]);
        }
    }
}
