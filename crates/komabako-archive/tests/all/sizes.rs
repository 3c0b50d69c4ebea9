//! The sizes that the codecs promise. A change that makes a file larger fails here.

use komabako_archive::{Archive, Codec, Encoding, Source, join_games};

use crate::common::{archive, selfplay, shuffled};

/// The bytes a record that the codec needs, as a thousandth; the records come back.
fn size(records: &[u8], codec: Codec) -> usize {
    let encoding = Encoding { verify: false, ..Encoding::new(codec) };
    let archive = archive(Source::Psv, records, 65_536, &encoding);
    assert!(Archive::new(&archive).records().expect("it was just written") == records);
    archive.len() * 1000 / (records.len() / Source::Psv.record_size())
}

#[test]
fn games_in_order_take_two_bytes_a_record() {
    let records = selfplay();
    assert_eq!(records.len(), 50_056 * 40);
    let model = size(&records, Codec::Model);
    assert!(model <= 1860, "{model}");
    let columns = size(&records, Codec::Columns);
    assert!(columns <= 3400, "{columns}");
}

#[test]
fn shuffled_records_take_sixteen_bytes() {
    let records = shuffled(&selfplay());
    let model = size(&records, Codec::Model);
    assert!(model <= 15_800, "{model}");
    let columns = size(&records, Codec::Columns);
    assert!(columns <= 22_000, "{columns}");
}

/// Few records of each game, as in large shuffled sets: little to refer to.
#[test]
fn few_records_take_eighteen_bytes() {
    let model = size(&shuffled(&selfplay())[..3631 * 40], Codec::Model);
    assert!(model <= 18_000, "{model}");
}

/// What `--unordered` does: a shuffled set of whole games takes no more than the games.
#[test]
fn shuffled_games_are_put_together_again() {
    let shuffled = shuffled(&selfplay());
    let joined = join_games(Source::Psv, &shuffled);
    let model = size(&joined, Codec::Model);
    assert!(model <= 1950, "{model}");
    let sorted = |records: &[u8]| {
        let mut records: Vec<_> = records.as_chunks::<40>().0.to_vec();
        records.sort_unstable();
        records
    };
    assert!(sorted(&joined) == sorted(&shuffled));
}

#[test]
#[should_panic(expected = "whole records")]
fn games_of_a_cut_record_are_not_joined() {
    join_games(Source::Psv, &[0; 41]);
}
