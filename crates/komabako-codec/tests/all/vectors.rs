//! Known answers: every published word, both ways, on every backend and in the reference.

use std::fmt::Debug;

use komabako_board::Setup;
use komabako_codec::{Hcp, Nshogi, PackError, PackedSfen, PositionCodec, Sspf, UnpackError, Word};
use komabako_testkit::agreement::FullCodec;
use komabako_testkit::backends::for_each_backend;
use komabako_testkit::vectors::{self, Formats};

/// Checks that the setup packs to the word and the word unpacks to the setup, or without a word that the setup is refused.
fn check<C: FullCodec>(setup: &Setup, word: Option<Word>) {
    let check =
        |form: &dyn Debug, packed: Result<Word, PackError>, unpacked: Option<Result<Setup, UnpackError>>| {
            assert_eq!(packed.ok(), word, "pack, {} {form:?}: {setup:?}", C::NAME);
            assert_eq!(unpacked, word.map(|_| Ok(*setup)), "unpack, {} {form:?}", C::NAME);
        };
    check(&"reference", C::reference_pack(setup), word.map(|word| C::reference_unpack(&word)));
    for_each_backend(|backend| {
        let codec = C::with_backend(backend);
        check(&backend, codec.pack(setup), word.map(|word| codec.unpack(&word)));
    });
}

/// The SSPFv1 word of a row if it is one of the base form.
fn base_word(row: &Formats) -> Option<Word> {
    if row.setup.is_complete() { row.sspf } else { None }
}

#[test]
fn full_sets_agree_with_the_vectors() {
    for row in vectors::base() {
        check::<Sspf>(&row.setup, base_word(&row));
        check::<PackedSfen>(&row.setup, row.psv);
        check::<Hcp>(&row.setup, row.hcp);
    }
}

#[test]
fn handicaps_and_missing_kings_agree_with_the_vectors() {
    for row in vectors::handicap() {
        check::<Sspf>(&row.setup, None);
        check::<PackedSfen>(&row.setup, row.psv);
        check::<Hcp>(&row.setup, row.hcp);
        check::<Nshogi>(&row.setup, None);
    }
}

#[test]
fn named_positions() {
    for (_, row) in vectors::named() {
        check::<Sspf>(&row.setup, base_word(&row));
    }
}

#[test]
fn words_agree_with_the_reference_text() {
    for row in vectors::in_all_formats() {
        check::<Sspf>(&row.setup, base_word(&row));
        check::<PackedSfen>(&row.setup, row.psv);
        check::<Hcp>(&row.setup, row.hcp);
        if row.nshogi.is_some() || !row.setup.is_complete() {
            check::<Nshogi>(&row.setup, row.nshogi);
        }
    }
}

#[test]
fn invalid_words_report_the_published_fault() {
    let mut checked = 0;
    for row in vectors::invalid().filter(|row| row.codec != "c250") {
        for_each_backend(|backend| {
            let error = Sspf::with_backend(backend).unpack(&row.word).expect_err(row.note);
            // In words that only the extension holds, its decoder gets further than the base form's.
            let only_extension = ["BASE_KING_MISSING", "BASE_PIECE_REMOVED"].contains(&error.name());
            if row.codec == "base" || !only_extension {
                assert_eq!(error.name(), row.error, "{}", row.note);
                checked += 1;
            }
        });
    }
    assert!(checked > 100, "only {checked} words were refused under their own name");
}
