//! Recoding PSV and HCP in one step equals unpacking and packing: on positions, on damaged words and on random words.

use komabako_codec::reference::Reference;
use komabako_codec::{Backend, Hcp, PackedSfen, SliceError, UnpackError, Word, recode};
use komabako_testkit::setups::{self, Rng};
use komabako_testkit::vectors::{self, Formats};

type Check = fn(Backend, &[Word]) -> Result<(), SliceError<UnpackError>>;
type Recode = fn(Backend, &[Word], &mut [Word]) -> Result<(), SliceError<UnpackError>>;

/// Recodes and checks a word alone and as the last of a few, on every backend. Returns whether it was accepted.
fn agree<F: Reference, T: Reference>(recode: Recode, check: Check, good: &Word, word: &Word) -> bool {
    let expected =
        F::reference_unpack(word).map(|setup| T::reference_pack(&setup).expect("the same positions"));
    for backend in Backend::available() {
        for before in [0, 3, 6] {
            let mut words = vec![*good; before + 1];
            words[before] = *word;
            let mut recoded = vec![[0; 32]; before + 1];
            assert_eq!(
                check(backend, &words).map_err(|error| (error.index, error.error)),
                expected.map(|_| ()).map_err(|error| (before, error)),
                "{backend}, {}: {word:x?}",
                F::NAME
            );
            let outcome = recode(backend, &words, &mut recoded).map(|()| recoded[before]);
            let outcome = outcome.map_err(|error| {
                assert_eq!(error.index, before, "{backend}: {word:x?}");
                error.error
            });
            assert_eq!(outcome, expected, "{backend}, {} to {}: {word:x?}", F::NAME, T::NAME);
        }
    }
    expected.is_ok()
}

fn compare<F: Reference, T: Reference>(recode: Recode, check: Check, seed: u64) {
    let mut rng = Rng::new(seed);
    let words: Vec<Word> =
        setups::random(seed).filter_map(|setup| F::reference_pack(&setup).ok()).take(1_500).collect();
    let mut accepted = 0;
    for word in &words {
        assert!(agree::<F, T>(recode, check, &words[0], word));
        let mut damaged = *word;
        for _ in 0..=rng.below(3) {
            let bit = rng.below(256);
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        accepted += usize::from(agree::<F, T>(recode, check, &words[0], &damaged));
        let mut random = *word;
        let from = rng.below(32);
        random[from..].iter_mut().for_each(|byte| *byte = rng.below(256) as u8);
        agree::<F, T>(recode, check, &words[0], &random);
    }
    assert!(accepted > 20, "only {accepted} damaged words were accepted");
}

#[test]
fn recoded_words_equal_the_references() {
    compare::<PackedSfen, Hcp>(recode::psv_to_hcp, recode::check_psv, 21);
    compare::<Hcp, PackedSfen>(recode::hcp_to_psv, recode::check_hcp, 22);
}

#[test]
fn every_vector_is_recoded() {
    let mut count = 0;
    for row in vectors::base().chain(vectors::handicap()) {
        let Formats { psv: Some(psv), hcp: Some(hcp), .. } = row else { continue };
        for backend in Backend::available() {
            let mut there = [[0; 32]];
            let mut back = [[0; 32]];
            recode::psv_to_hcp(backend, &[psv], &mut there).expect("a published word");
            recode::hcp_to_psv(backend, &[hcp], &mut back).expect("a published word");
            assert_eq!((there, back), ([hcp], [psv]));
        }
        count += 1;
    }
    assert!(count > 100, "only {count} vectors");
}
