//! Every backend of every format equals the reference: on the published vectors, on the kept inputs of the fuzz targets
//! (`fuzz/corpus/NAME/*` and `fuzz/regressions/NAME/*`), and on random positions and words. `cargo xtask agree` runs it
//! on any number of random positions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, thread};

use komabako_board::Setup;
use komabako_codec::{Hcp, Nshogi, PackedSfen, Sspf, Word};
use komabako_testkit::agreement::{self, FullCodec, Tally, canonical, pack, rank, unpack, unrank};
use komabako_testkit::backends::for_each_backend;
use komabako_testkit::{fuzz, vectors};
use komabako_variants::{C250, SspfExt};

fn check_word<C: FullCodec>(setup: &Setup, word: Option<Word>) {
    if let Some(word) = word {
        assert_eq!(unpack::<C>(&word), Ok(*setup));
        assert_eq!(pack::<C>(setup), Ok(word));
    }
}

#[test]
fn all_vectors_pass() {
    let named = vectors::named().map(|(_, row)| row);
    for row in vectors::base().chain(vectors::handicap()).chain(vectors::in_all_formats()).chain(named) {
        check_word::<PackedSfen>(&row.setup, row.psv);
        check_word::<Hcp>(&row.setup, row.hcp);
        check_word::<Nshogi>(&row.setup, row.nshogi);
        check_word::<SspfExt>(&row.setup, row.sspf);
        check_word::<Sspf>(&row.setup, if row.setup.is_complete() { row.sspf } else { None });
    }
    for row in vectors::named_variants() {
        check_word::<SspfExt>(&row.setup, Some(row.ext));
        check_word::<C250>(&row.setup, Some(row.compact));
    }
    for (setup, word) in vectors::ext() {
        check_word::<SspfExt>(&setup, Some(word));
    }
    for (setup, payload, word) in vectors::compact() {
        check_word::<C250>(&setup, (payload == 0).then_some(word));
    }
    for (setup, number) in vectors::named_variants().map(|row| (row.setup, row.rank)).chain(vectors::rank()) {
        assert_eq!(rank(&setup), number);
        assert_eq!(unrank(&number), Ok(setup));
    }
    for row in vectors::invalid() {
        let is_accepted = match row.codec {
            "base" => canonical::<Sspf>(&row.word),
            "ext" => canonical::<SspfExt>(&row.word),
            _ => canonical::<C250>(&row.word),
        };
        assert!(!is_accepted, "{row:?}");
    }
}

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(fuzz::TARGETS);
}

/// `KOMABAKO_POSITIONS` random positions, 4,000 by default, on all processors.
#[test]
fn random_positions_and_words_pass() {
    const SHARE: u64 = 1_000;
    const MILLION: u64 = 1_000_000;
    let positions: u64 =
        env::var("KOMABAKO_POSITIONS").map_or(4_000, |count| count.parse().expect("a number"));
    let shares = positions.div_ceil(SHARE);
    let next = AtomicU64::new(0);
    let compare = || {
        let mut tally = Tally::default();
        loop {
            let share = next.fetch_add(1, Ordering::Relaxed);
            if share >= shares {
                return tally;
            }
            tally += agreement::every_format(share, SHARE as usize);
            if ((share + 1) * SHARE).is_multiple_of(MILLION) {
                eprintln!("{} million positions", (share + 1) * SHARE / MILLION);
            }
        }
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        // This thread works too, since it is the only one in WebAssembly.
        let others = thread::available_parallelism().map_or(0, |count| count.get() - 1);
        let threads: Vec<_> = (0..others).map(|_| scope.spawn(compare)).collect();
        tally += compare();
        for thread in threads {
            tally += thread.join().expect("a check fails");
        }
    });
    for_each_backend(|backend| println!("compared {backend} with the references"));
    println!("{tally:?}");
    assert!(tally.accepted > tally.words / 100, "hardly any word was accepted: {tally:?}");
}
