//! Damaged archives: what is whole is kept, what is not is named.

use komabako_archive::{Archive, BlockHeader, Codec, Encoding, Fault, Source, decode_block, encode_block};

use crate::common::{PSV, archive};

/// A small archive, and the end of each of its blocks with the records up to there.
fn small(codec: Codec) -> (Vec<u8>, Vec<(usize, usize)>) {
    let archive = archive(Source::Psv, &PSV[..40 * 8], 3, &Encoding::new(codec));
    let mut end = 24;
    let mut ends = vec![(0, 0)];
    for records in [3, 6, 8] {
        let header = BlockHeader::parse(archive[end..].first_chunk().unwrap()).unwrap();
        end += BlockHeader::SIZE + header.payload as usize;
        ends.push((end, records));
    }
    (archive, ends)
}

#[test]
fn a_truncated_archive_is_its_whole_blocks_and_an_error() {
    for codec in [Codec::Stored, Codec::Columns, Codec::Model] {
        let (archive, ends) = small(codec);
        for length in 0..archive.len() {
            let mut records = Vec::new();
            let error = Archive::new(&archive[..length]).read(&mut records).unwrap_err();
            let (_, whole) = ends.iter().rfind(|(end, _)| *end <= length).unwrap();
            assert_eq!(records, PSV[..whole * 40], "{length} bytes");
            assert_eq!((error.fault, error.record), (Fault::Truncated, *whole as u64), "{length} bytes");
            assert!(error.offset <= length as u64);
        }
    }
}

#[test]
fn every_flipped_bit_is_found_before_its_records_are_passed_on() {
    for codec in [Codec::Stored, Codec::Columns, Codec::Model] {
        let (archive, ends) = small(codec);
        for bit in 0..archive.len() * 8 {
            let mut damaged = archive.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let mut records = Vec::new();
            let error = Archive::new(&damaged).read(&mut records).unwrap_err();
            let (_, whole) = ends.iter().rfind(|(end, _)| *end <= bit / 8).unwrap();
            assert_eq!(records, PSV[..whole * 40], "bit {bit}: {error}");
            // The length of the metadata shows to be wrong where they end.
            assert!(error.offset <= (bit as u64 / 8).max(16), "bit {bit}: {error}");
        }
    }
}

/// Payloads whose sums are right: what a bug or an attack may write. They are refused, or the sum of the records is.
#[test]
fn a_payload_that_no_encoder_wrote_is_refused() {
    for codec in [Codec::Columns, Codec::Model] {
        let block = encode_block(Source::Psv, &PSV[..40 * 12], 0, &Encoding::new(codec));
        let (header, payload) = block.split_first_chunk().unwrap();
        let header = BlockHeader::parse(header).unwrap();
        let check = |payload: &[u8]| {
            let header = BlockHeader {
                payload: payload.len() as u32,
                payload_sum: twox_hash::XxHash3_64::oneshot(payload),
                ..header
            };
            decode_block(Source::Psv, &header, payload)
        };
        assert!(check(payload).is_ok());
        for bit in 0..payload.len() * 8 {
            let mut damaged = payload.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            // The first byte of the range coder's code is not read, and the last ones are more exact than needed: flips there
            // are harmless.
            let is_slack = codec == Codec::Model && (bit / 8 == 4 || bit / 8 + 5 >= payload.len());
            assert!(check(&damaged).is_err() || is_slack, "{codec:?}, bit {bit}");
        }
        for length in 0..payload.len() {
            assert!(check(&payload[..length]).is_err(), "{length} bytes");
        }
        assert!(check(&[payload, &[0]].concat()).is_err());
    }
}
