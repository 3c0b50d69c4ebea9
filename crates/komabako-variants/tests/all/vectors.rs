//! Known answers: every published word and rank, both ways, on every backend and in the reference.

use komabako_board::Setup;
use komabako_codec::reference::Reference as _;
use komabako_codec::{PositionCodec, Word};
use komabako_testkit::agreement::FullCodec;
use komabako_testkit::backends::for_each_backend;
use komabako_testkit::vectors;
use komabako_variants::r238::{Rank, Reference, word_of};
use komabako_variants::{C250, Payload, R238, SspfExt, c250, ext};

/// Checks that the setup packs to the word and the word unpacks to the setup.
fn check<C: FullCodec>(setup: Setup, word: Word) {
    assert_eq!(C::reference_pack(&setup), Ok(word), "{setup}");
    assert_eq!(C::reference_unpack(&word), Ok(setup), "{setup}");
    for_each_backend(|backend| {
        assert_eq!(C::with_backend(backend).pack(&setup), Ok(word), "{backend}: {setup}");
        assert_eq!(C::with_backend(backend).unpack(&word), Ok(setup), "{backend}: {setup}");
    });
}

fn check_rank(reference: &Reference, setup: Setup, rank: Rank) {
    assert_eq!(reference.rank(&setup), rank, "{setup}");
    assert_eq!(reference.unrank(&rank), Ok(setup), "{setup}");
    for_each_backend(|backend| {
        assert_eq!(R238::with_backend(backend).pack(&setup), Ok(word_of(&rank)), "{backend}: {setup}");
        assert_eq!(R238::with_backend(backend).unpack(&word_of(&rank)), Ok(setup), "{backend}: {setup}");
    });
}

#[test]
fn named_positions() {
    let reference = Reference::new();
    for row in vectors::named_variants() {
        check::<SspfExt>(row.setup, row.ext);
        check::<C250>(row.setup, row.compact);
        check_rank(&reference, row.setup, row.rank);
    }
}

#[test]
fn extension_agrees_with_the_vectors() {
    vectors::ext().for_each(|(setup, word)| check::<SspfExt>(setup, word));
    for row in vectors::base().chain(vectors::handicap()) {
        check::<SspfExt>(row.setup, row.sspf.expect("every row has a word of the extension"));
    }
}

#[test]
fn c250_agrees_with_the_vectors_with_payloads() {
    for (setup, payload, word) in vectors::compact() {
        let payload = Payload::new(payload).expect("a payload is below 64");
        assert_eq!(c250::payload(&word), payload);
        check::<C250>(setup, c250::position_key(&word));
        for_each_backend(|backend| {
            assert_eq!(C250::with_backend(backend).encode(&setup, payload), word, "{backend}: {setup}");
            assert_eq!(C250::with_backend(backend).decode(&word), Ok((setup, payload)), "{backend}: {setup}");
        });
    }
}

#[test]
fn ranks_agree_with_the_vectors() {
    let reference = Reference::new();
    vectors::rank().for_each(|(setup, rank)| check_rank(&reference, setup, rank));
}

#[test]
fn words_in_another_order_are_read_leniently() {
    for (word, setup, canonical) in vectors::lenient() {
        assert_eq!(ext::unpack_lenient(&word), Ok(setup));
        assert_eq!(ext::canonicalize(&word), Ok(canonical));
        assert_eq!(SspfExt::reference_unpack(&word).unwrap_err().name(), "TAIL_ORDER");
        check::<SspfExt>(setup, canonical);
    }
}

#[test]
fn invalid_words_are_refused_with_the_published_fault() {
    let mut checked = 0;
    for row in vectors::invalid() {
        for_each_backend(|backend| {
            let error = match row.codec {
                "ext" => SspfExt::with_backend(backend).unpack(&row.word).unwrap_err(),
                "c250" => C250::with_backend(backend).decode(&row.word).unwrap_err(),
                _ => return,
            };
            assert_eq!(error.name(), row.error, "{}: {}", row.codec, row.note);
            checked += 1;
        });
    }
    assert!(checked >= 328, "only {checked} words were checked");
}
