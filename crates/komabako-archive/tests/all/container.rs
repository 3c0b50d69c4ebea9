//! Members, blocks, indices: writing, reading forward, seeking, scanning, and the limits.

use komabako_archive::{
    Archive, BlockHeader, Codec, Column, Encoding, Event, Fault, Header, Index, IndexEntry, Joiner,
    MAX_METADATA, Parser, Source, decode_block, decode_range, encode_block, find_block, find_header,
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
        assert!(fault.is_of_member() && fault.is_unsupported() && !Fault::HeaderSum.is_of_member());
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
    assert_eq!(Archive::new(&archive).seek(20), Err(Fault::NoSuchRecord));
}

/// Seeking refuses what reading refuses, and counts the records of all members.
#[test]
fn seeking_and_reading_agree() {
    let first = archive(Source::Psv, &PSV[..120], 2, &STORED);
    let second = archive(Source::Psv, &PSV[120..400], 3, &STORED);
    let both = [&*first, &*archive(Source::Psv, &[], 3, &STORED), &*second].concat();
    for (record, block) in [(0, 0..2), (2, 2..3), (3, 3..6), (9, 9..10)] {
        let records = PSV[block.start * 40..block.end * 40].to_vec();
        assert_eq!(Archive::new(&both).seek(record), Ok((block.start as u64, records)));
    }
    assert_eq!(Archive::new(&both).seek(10), Err(Fault::NoSuchRecord));
    let other = archive(Source::Hcpe, &HCPE[..38], 3, &STORED);
    assert_eq!(Archive::new(&[&*first, &*other].concat()).seek(0), Err(Fault::MixedSources));

    // Another magic number, version and flag, with a right sum where it is one of a header.
    for (place, fault) in [(0, Fault::Magic), (8, Fault::MajorVersion(9)), (11, Fault::Flags(9))] {
        let mut changed = second.clone();
        changed[place] = 9;
        let sum = twox_hash::XxHash3_64::oneshot(&changed[..16]);
        changed[16..24].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Archive::new(&changed).seek(0), Err(fault));
    }
    // The index has the entry of the second block, but the third one is there.
    let block = 56 + 3 * 40;
    let mut swapped = second.clone();
    swapped[24..24 + 2 * block].rotate_left(block);
    assert_eq!(Archive::new(&swapped).seek(4), Err(Fault::Index));
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

/// Tasks that have a part of a file each, wherever it is cut, decode every block once: that whose sync is in their part.
#[test]
fn parts_of_a_file_have_every_block_once() {
    let records = &PSV[..40 * 500];
    let one = archive(Source::Psv, records, 37, &Encoding::new(Codec::Columns));
    let file = [&*one, &*archive(Source::Psv, &records[..40 * 90], 7, &STORED)].concat();
    let expected = [records, &records[..40 * 90]].concat();
    let mut state = 1_u64;
    for parts in 1..60 {
        let mut cuts = vec![0, file.len()];
        for _ in 1..parts {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            cuts.push((state >> 33) as usize % file.len());
        }
        cuts.sort_unstable();
        let mut read = Vec::new();
        for part in cuts.windows(2) {
            let mut place = part[0];
            while let Some((found, header)) = find_block(&file[place..])
                && place + found < part[1]
            {
                let start = place + found + BlockHeader::SIZE;
                let payload = &file[start..start + header.payload as usize];
                if header.holds_records() {
                    read.extend(decode_block(Source::Psv, &header, payload).unwrap());
                }
                place = start;
            }
        }
        assert!(read == expected, "{cuts:?}");
    }
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
#[should_panic(expected = "a member has at most")]
fn blocks_that_no_reader_takes_are_not_written() {
    encode_block(Source::Psv, &PSV[..40], (1 << 42) + 1, &STORED);
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

/// The keys of records that are not in memory together say what [`join_games`](komabako_archive::join_games) finds.
#[test]
fn keys_lead_from_a_record_to_the_next() {
    for (source, records) in [(Source::Psv, PSV), (Source::Hcpe, HCPE)] {
        let mut joiner = Joiner::new(source);
        let mut keys = Vec::new();
        let mut found = [0; 3];
        let records: Vec<&[u8]> = records.chunks_exact(source.record_size()).collect();
        for pair in records.windows(2) {
            let key = joiner.key(pair[1]);
            joiner.keys_after_next(pair[0], &mut keys);
            let kind =
                if joiner.next_key(pair[0]) == Some(key) { 1 } else { 2 * usize::from(keys.contains(&key)) };
            found[kind] += 1;
        }
        assert!(found[1] > 1900 && found[2] > 5 && found[0] < 30, "{found:?}");
    }
}

/// Some records of a block are decoded without the rest, in games and as loose records.
#[test]
fn records_of_a_block_are_decoded_alone() {
    for (source, records) in [(Source::Psv, PSV), (Source::Hcpe, HCPE)] {
        let size = source.record_size();
        let ordered = &records[..500 * size];
        let every_third: Vec<u8> = ordered.chunks_exact(size).step_by(3).flatten().copied().collect();
        for (codec, records) in Codec::ALL.iter().flat_map(|codec| [(codec, ordered), (codec, &every_third)])
        {
            let count = records.len() / size;
            let block = encode_block(source, records, 0, &Encoding::new(*codec));
            let (header, payload) = block.split_first_chunk().unwrap();
            let header = BlockHeader::parse(header).unwrap();
            for start in [0, 1, 7, 90, 91, 92, 150, count - 1, count, count + 5] {
                for length in [0, 1, 30, count - 1, count, count + 1] {
                    let decoded = decode_range(source, &header, payload, start..start + length);
                    let [start, end] = [start, start + length].map(|place| place.min(count) * size);
                    assert_eq!(decoded.as_deref(), Ok(&records[start..end]), "{codec:?}, {start}..{end}");
                }
            }
            let mut damaged = payload.to_vec();
            damaged[3] ^= 1;
            assert_eq!(decode_range(source, &header, &damaged, 0..1), Err(Fault::PayloadSum));
        }
    }
}

/// An archive of two blocks with two columns after the first.
fn with_columns() -> (Vec<u8>, Vec<Column>) {
    let columns: Vec<Column> = ["mark", "second score"]
        .into_iter()
        .zip([1, 2])
        .map(|(name, width)| Column { name: name.into(), width, values: vec![7; 3 * usize::from(width)] })
        .collect();
    let mut archive = Header::new(Source::Psv).to_bytes().unwrap();
    let mut index = Index::default();
    for (first, records) in [(0, &PSV[..120]), (3, &PSV[120..200])] {
        let count = (records.len() / 40) as u32;
        index.blocks.push(IndexEntry { offset: archive.len() as u64, first, records: count });
        archive.extend(encode_block(Source::Psv, records, first, &STORED));
        if first == 0 {
            columns.iter().for_each(|column| archive.extend(column.to_block(0, count).unwrap()));
        }
    }
    archive.extend(index.to_end(archive.len() as u64).unwrap());
    (archive, columns)
}

#[test]
fn the_columns_of_users_are_read_apart_from_the_records() {
    let (archive, columns) = with_columns();
    assert_eq!(Archive::new(&archive).records().as_deref(), Ok(&PSV[..200]));
    assert_eq!(Archive::new(&archive).seek(4).unwrap(), (3, PSV[120..200].to_vec()));
    let mut found = Vec::new();
    let mut parser = Parser::new();
    let mut rest = &archive[..];
    let mut places = Vec::new();
    while !rest.is_empty() {
        let place = archive.len() - rest.len();
        let bytes = rest.split_off(..parser.wanted()).unwrap();
        if let Event::Column(header) = parser.accept(bytes).unwrap() {
            found.push(Column::parse(&header, bytes).unwrap());
            assert_eq!(Column::name_of(bytes).unwrap(), found[found.len() - 1].name);
            places.push(place);
        }
    }
    assert_eq!(found, columns);

    for (place, fault) in [(places[0], Fault::Column), (archive.len() - 70, Fault::Index)] {
        let mut damaged = archive.clone();
        damaged[place] ^= 1;
        let error = Archive::new(&damaged).records().unwrap_err();
        assert_eq!((error.fault, error.lost), (fault, 0));
        assert!(fault.spares_records() && fault.can_be_passed());
    }
    for (name, width, values) in
        [("", 1, vec![0; 3]), ("x", 0, Vec::new()), ("x", 2, vec![0; 3]), (&"x".repeat(256), 1, vec![0; 3])]
    {
        assert_eq!(Column { name: name.into(), width, values }.to_block(0, 3), Err(Fault::Column));
    }
    // No payload that is cut or changed makes a column, though its sum is right.
    let block = columns[1].to_block(0, 3).unwrap();
    let (header, payload) = block.split_first_chunk().unwrap();
    let header = BlockHeader::parse(header).unwrap();
    let parse = |payload: &[u8]| {
        let payload_sum = twox_hash::XxHash3_64::oneshot(payload);
        let header = BlockHeader { payload: payload.len() as u32, payload_sum, ..header };
        Column::parse(&header, payload)
    };
    assert!(parse(payload).is_ok());
    for length in 0..payload.len() {
        assert_eq!(parse(&payload[..length]), Err(Fault::Column), "{length}");
    }
    assert_eq!(parse(&[payload, &[0]].concat()), Err(Fault::Column));
    for place in [0, payload.len() - 1] {
        let mut changed = payload.to_vec();
        changed[place] ^= 1;
        assert_eq!(parse(&changed), Err(Fault::Column), "{place}");
    }
}

/// A column has a value for each record of the block before it.
#[test]
fn a_column_that_does_not_fit_its_block_is_named() {
    let column = |first, records: u32| {
        let mark = Column { name: "mark".into(), width: 1, values: vec![0; records as usize] };
        mark.to_block(first, records).unwrap()
    };
    let head = Header::new(Source::Psv).to_bytes().unwrap();
    let block = encode_block(Source::Psv, &PSV[..120], 0, &STORED);
    let end = |length: usize, offset| {
        let index = Index { blocks: vec![IndexEntry { offset, first: 0, records: 3 }] };
        index.to_end(length as u64).unwrap()
    };
    for (column, is_right) in [(column(0, 3), true), (column(0, 2), false), (column(1, 3), false)] {
        let archive = [&*head, &*block, &*column, &*end(24 + block.len() + column.len(), 24)].concat();
        let expected = if is_right { Ok(PSV[..120].to_vec()) } else { Err(Fault::Column) };
        assert_eq!(Archive::new(&archive).records().map_err(|error| error.fault), expected);
    }
    let column = column(0, 3);
    let first = 24 + column.len();
    let archive = [&*head, &*column, &*block, &*end(first + block.len(), first as u64)].concat();
    assert_eq!(Archive::new(&archive).records().unwrap_err().fault, Fault::Column);
}
