//! The published archives, whose bytes never change.

use komabako_archive::{Archive, Codec, Encoding, Source};
use komabako_testkit::vectors;
use twox_hash::XxHash3_64;

use crate::common::{archive, selfplay, shuffled};

#[test]
fn published_archives_are_read_and_written() {
    let mut written = 0;
    for vector in vectors::archives() {
        let source = if vector.source == "psv" { Source::Psv } else { Source::Hcpe };
        let read = Archive::new(&vector.archive).records();
        assert_eq!(read.as_deref(), Ok(&*vector.records), "{} {}", vector.name, vector.codec);
        let codec = match vector.codec {
            "stored" => Codec::Stored,
            "columns" => Codec::Columns,
            "model" => Codec::Model,
            // Another version of zstd may write other bytes.
            _ => continue,
        };
        let encoding = Encoding { level: 0, ..Encoding::new(codec) };
        let again = archive(source, &vector.records, vector.block, &encoding);
        assert!(again == vector.archive, "{} {}", vector.name, vector.codec);
        written += 1;
    }
    assert_eq!(written, 50);
}

/// Enough records for every part of the model to learn as long as it does.
#[test]
fn the_model_never_changes() {
    let records = selfplay();
    let encoding = Encoding { verify: false, ..Encoding::new(Codec::Model) };
    let sum = |records: &[u8]| XxHash3_64::oneshot(&archive(Source::Psv, records, 65_536, &encoding));
    assert_eq!(sum(&records), 0xb58e_cb38_b238_b44c);
    assert_eq!(sum(&shuffled(&records)), 0x3fac_cbe2_c616_f5d6);
}
