//! The published archives, whose bytes never change.

use komabako_archive::{Archive, Codec, Encoding, Source};
use komabako_testkit::vectors;

use crate::common::archive;

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
            // Another version of zstd may write other bytes.
            _ => continue,
        };
        let encoding = Encoding { level: 0, ..Encoding::new(codec) };
        let again = archive(source, &vector.records, vector.block, &encoding);
        assert!(again == vector.archive, "{} {}", vector.name, vector.codec);
        written += 1;
    }
    assert_eq!(written, 28);
}
