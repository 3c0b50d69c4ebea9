//! Members, blocks, indices: writing, reading forward, seeking, scanning, and the limits.

use komabako_archive::{
    Archive, BlockHeader, Codec, Encoding, Fault, Header, Index, IndexEntry, MAX_METADATA, Parser, Source,
    decode_block, encode_block, find_block, find_header,
};

use crate::common::{HCPE, PSV, archive};

const STORED: Encoding = Encoding::new(Codec::Stored);

#[test]
fn every_number_of_records_comes_back() {
    for records in 0..=5 {
        for codec in Codec::ALL {
            let records = &PSV[..records * 40];
            let archive = archive(Source::Psv, records, 2, &Encoding::new(*codec));
            assert_eq!(Archive::new(&archive).records().as_deref(), Ok(records));
        }
    }
}

#[test]
fn records_of_members_run_on() {
    let first = archive(Source::Psv, &PSV[..120], 2, &STORED);
    let second = archive(Source::Psv, &PSV[120..400], 3, &STORED);
    let empty = archive(Source::Psv, &[], 3, &STORED);
    let both = [&*first, &*empty, &*second].concat();
    assert_eq!(Archive::new(&both).records().as_deref(), Ok(&PSV[..400]));

    let mut broken = both;
    let last_payload = broken.len() - 40 - 56 - 3 * 20 - 1;
    broken[last_payload] ^= 1;
    let mut records = Vec::new();
    let error = Archive::new(&broken).read(&mut records).unwrap_err();
    assert_eq!((error.block, error.record, error.fault), (4, 9, Fault::PayloadSum));
    assert_eq!(records, PSV[..360]);

    let other = archive(Source::Hcpe, &HCPE[..38], 3, &STORED);
    let mixed = [first, other].concat();
    assert_eq!(Archive::new(&mixed).records().unwrap_err().fault, Fault::MixedSources);
}

#[test]
fn metadata_is_kept() {
    let header = Header { metadata: "{\"note\":\"駒箱\"}".into(), order_lost: true, source: Source::Hcpe };
    let bytes = header.to_bytes().unwrap();
    assert_eq!(Header::parse(&bytes), Ok(header.clone()));
    let no_text = Header { metadata: vec![0xff, 0, 0x80], ..header.clone() };
    assert_eq!(Header::parse(&no_text.to_bytes().unwrap()), Ok(no_text));
    let long = Header { metadata: "x".repeat(MAX_METADATA + 1).into(), ..header };
    assert_eq!(long.to_bytes(), Err(Fault::MetadataLength(MAX_METADATA as u64 + 1)));
}

/// A version that is damage has a wrong sum; one with a right sum was written so.
#[test]
fn what_this_version_cannot_read_is_told_from_damage() {
    let header = Header::new(Source::Psv).to_bytes().unwrap();
    for (place, fault) in [(8, Fault::MajorVersion(9)), (10, Fault::Source(9)), (11, Fault::Flags(9))] {
        let mut other = header.clone();
        other[place] = 9;
        assert_eq!(Header::parse(&other), Err(Fault::HeaderSum));
        assert!(Fault::HeaderSum.can_be_passed() && !fault.can_be_passed());
        let sum = twox_hash::XxHash3_64::oneshot(&other[..16]);
        other[16..].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Header::parse(&other), Err(fault));
    }
}

#[test]
fn every_record_is_found_by_the_index() {
    let archive = archive(Source::Psv, &PSV[..40 * 20], 6, &STORED);
    for record in 0..20 {
        let (first, records) = Archive::new(&archive).seek(record).unwrap();
        assert_eq!(first, record / 6 * 6);
        assert_eq!(records, PSV[first as usize * 40..(first as usize * 40 + 240).min(800)]);
    }
    assert_eq!(Archive::new(&archive).seek(20), Err(Fault::Index));
}

#[test]
fn every_block_is_found_from_any_place_before_it() {
    let archive = archive(Source::Psv, &PSV[..400], 4, &STORED);
    let (place, _) = find_header(&[b"text before ", &*archive].concat()).unwrap();
    assert_eq!(place, 12);
    let block = |place: usize| {
        let (header, rest) = archive[place..].split_first_chunk().unwrap();
        let header = BlockHeader::parse(header).unwrap();
        (header, decode_block(Source::Psv, &header, &rest[..header.payload as usize]))
    };
    let starts = [24, 24 + 56 + 160, 24 + 2 * 56 + 320, 24 + 3 * 56 + 400];
    for from in 0..archive.len() {
        let found = find_block(&archive[from..]).map(|(place, _)| from + place);
        assert_eq!(found, starts.into_iter().find(|&start| start >= from), "{from}");
    }
    let (header, records) = block(starts[1]);
    assert_eq!((header.first, header.records), (4, 4));
    assert_eq!(records.as_deref(), Ok(&PSV[160..320]));
    assert!(block(starts[3]).0.is_index());
}

/// The parser asks for bytes before it reads them, so a reader that allocates them is bounded by these limits.
#[test]
fn lengths_beyond_the_limits_are_refused_before_they_are_read() {
    let mut header = Header::new(Source::Psv).to_bytes().unwrap();
    header[12..16].copy_from_slice(&(MAX_METADATA as u32 + 1).to_le_bytes());
    let mut parser = Parser::new();
    let error = parser.accept(&header[..16]).unwrap_err();
    assert_eq!(error.fault, Fault::MetadataLength(MAX_METADATA as u64 + 1));

    let block = encode_block(Source::Psv, &PSV[..40], 0, &STORED);
    let parsed = BlockHeader::parse(block.first_chunk().unwrap()).unwrap();
    let with = |change: fn(&mut BlockHeader)| {
        let mut header = parsed;
        change(&mut header);
        BlockHeader::parse(&header.to_bytes())
    };
    assert_eq!(with(|_| {}), Ok(parsed));
    assert_eq!(with(|header| header.records = 0), Err(Fault::RecordCount(0)));
    assert_eq!(with(|header| header.records = (1 << 20) + 1), Err(Fault::RecordCount((1 << 20) + 1)));
    assert_eq!(with(|header| header.payload = (64 << 20) + 1), Err(Fault::PayloadLength((64 << 20) + 1)));
    assert_eq!(with(|header| header.first = (1 << 42) + 1), Err(Fault::RecordNumber((1 << 42) + 1)));
    assert_eq!(with(|header| header.codec = 255), Err(Fault::RecordCount(1)));
    let mut reserved = parsed.to_bytes();
    reserved[9] = 1;
    assert_eq!(BlockHeader::parse(&reserved), Err(Fault::BlockSum));
}

#[test]
fn an_unknown_codec_loses_no_records_silently() {
    let payload = [1, 2, 3];
    let header = BlockHeader::parse(encode_block(Source::Psv, &PSV[..40], 0, &STORED).first_chunk().unwrap());
    let header = BlockHeader { codec: 9, payload: 3, ..header.unwrap() };
    assert_eq!(decode_block(Source::Psv, &header, &payload), Err(Fault::PayloadSum));
    let index = Index { blocks: vec![IndexEntry { offset: 24, first: 0, records: 1 }] };
    assert_eq!(index.find(0), Some(&index.blocks[0]));
    assert_eq!(index.find(1), None);
}
