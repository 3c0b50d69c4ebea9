//! The fuzz targets of archives. `fuzz/` compiles this file too.

use komabako_archive::{
    Archive, Codec, Encoding, Source, decode_payload, encode_block, find_block, find_header,
};
use komabako_testkit::fuzz::Target;

/// Every target of this file.
pub const TARGETS: &[Target] = &[ARCHIVE_FILE, ARCHIVE_PAYLOAD, ARCHIVE_RECORDS];

/// Any bytes as an archive: read forward, by its index, and by its syncs.
pub const ARCHIVE_FILE: Target = Target::new("archive_file", archive_file);

/// Any bytes as the payload of a block, as if its sums were right. The first byte chooses the codec and the source, the second the
/// number of records. What is decoded has that number of records.
pub const ARCHIVE_PAYLOAD: Target = Target::new("archive_payload", archive_payload);

/// Any bytes as records, archived by the codec and in the source that the first byte chooses: they come back.
pub const ARCHIVE_RECORDS: Target = Target::new("archive_records", archive_records);

fn archive_file(input: &[u8]) {
    let archive = Archive::new(input);
    let mut records = Vec::new();
    if archive.read(&mut records).is_ok() {
        assert!(find_header(input).is_some_and(|(place, _)| place == 0));
    }
    let _ = archive.seek(u64::from(input.first().copied().unwrap_or(0)));
    let _ = find_block(input);
}

fn choose(byte: u8) -> (Codec, Source) {
    let codec = if byte & 1 == 0 { Codec::Columns } else { Codec::Model };
    let source = if byte & 2 == 0 { Source::Psv } else { Source::Hcpe };
    (codec, source)
}

fn archive_payload(input: &[u8]) {
    let Some((&[choice, count], payload)) = input.split_first_chunk() else { return };
    let (codec, source) = choose(choice);
    let count = usize::from(count) + 1;
    if let Ok(records) = decode_payload(codec, source, count, payload) {
        assert_eq!(records.len(), count * source.record_size());
    }
}

fn archive_records(input: &[u8]) {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let (codec, source) = choose(choice);
    let records = &bytes[..bytes.len() - bytes.len() % source.record_size()];
    if !records.is_empty() {
        // A block that does not give its records back is a debug assertion.
        let encoding = Encoding { level: i32::from(choice >> 2 & 1), ..Encoding::new(codec) };
        encode_block(source, records, 0, &encoding);
    }
}
