//! Recorded moves: the sample's are legal, and each kind of fault is found in a record made for it.

use crate::common::{convert, sample};
use komabako_board::{Setup, sfen};
use komabako_codec::Backend;
use komabako_dataset::legality::{LegalityFault, MoveChecker, check_move};
use komabako_dataset::move16::{Move16, MoveEncoding};
use komabako_dataset::record::MoveBits;
use komabako_dataset::{Block, FileFormat, RecordReader};

/// The number of records, and those with a fault.
fn check(format: FileFormat, bytes: &[u8]) -> (usize, Vec<(usize, LegalityFault)>) {
    let mut reader = RecordReader::new(bytes, format, "input");
    let mut checker = MoveChecker::new(Backend::detect());
    let mut block = Block::default();
    let mut count = 0;
    let mut faults = Vec::new();
    while reader.next_block(&mut block).unwrap() {
        let found = checker.check(format, &block, 0..block.len());
        faults.extend(found.iter().map(|&(index, fault)| (count + index, fault)));
        count += block.len();
    }
    (count, faults)
}

#[test]
fn every_move_of_the_sample_is_legal() {
    assert_eq!(check(FileFormat::Psv, &sample("sample.psv")), (2000, Vec::new()));
    assert_eq!(check(FileFormat::Hcpe, &sample("sample.hcpe")), (2000, Vec::new()));
}

#[test]
fn move_of_another_position_is_found_at_its_record() {
    let mut psv = sample("sample.psv");
    let white_move = psv[40 + 34..40 + 36].to_vec();
    psv[34..36].copy_from_slice(&white_move);
    psv[700 * 40] ^= 1;
    let (count, faults) = check(FileFormat::Psv, &psv);
    assert_eq!(count, 2000);
    let names: Vec<_> = faults.iter().map(|(index, fault)| (*index, fault.name())).collect();
    assert_eq!(names, [(0, "MOVE_OPPONENTS_PIECE"), (700, "MOVE_NOT_IN_HAND")]);
}

/// A position, its recorded move, and the fault's name; `-` if it is valid.
const RECORDS: [(&str, &str, &str); 23] = [
    ("startpos", "7g7f", "-"),
    ("startpos", "none", "-"),
    ("startpos", "resign", "-"),
    ("startpos", "null", "MOVE_PASS"),
    ("startpos", "win", "MOVE_DECLARATION"),
    ("+P+P+P+P+P+P+P+PK/+P+P7/9/9/9/9/9/9/4k4 b 2R2B2G 1", "win", "-"),
    ("9/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", "-"),
    ("9/9/9/9/9/9/9/9/9 b G 1", "G*5b", "POSITION_KING_MISSING"),
    ("4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1", "none", "POSITION_NIFU"),
    ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "5i5h", "POSITION_DEAD_END"),
    ("4k4/9/9/9/9/9/9/9/4R2K1 b - 1", "5i5a", "POSITION_OPPONENT_IN_CHECK"),
    ("startpos", "G*5e", "MOVE_NOT_IN_HAND"),
    ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5a", "MOVE_OCCUPIED"),
    ("startpos", "5e5d", "MOVE_NO_PIECE"),
    ("startpos", "3c3d", "MOVE_OPPONENTS_PIECE"),
    ("startpos", "9i9g", "MOVE_OWN_PIECE"),
    ("startpos", "8h2b+", "MOVE_UNREACHABLE"),
    ("startpos", "7g7f+", "MOVE_PROMOTION"),
    ("4k4/1P7/9/9/9/9/9/9/4K4 b - 1", "8b8a", "MOVE_DEAD_END"),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5d", "MOVE_NIFU"),
    ("4k4/9/9/9/9/4r4/9/4G4/4K4 b - 1", "5h4h", "MOVE_KING_IN_CHECK"),
    ("7nk/7n1/8S/9/9/9/9/9/4K3R b P 1", "P*1b", "MOVE_PAWN_DROP_MATE"),
    ("4k4/9/9/9/9/9/9/9/x b - 1", "none", "SFEN"),
];

#[test]
fn every_fault_is_found_in_a_record_made_for_it() {
    // Repeated many times, so that batches begin and end everywhere.
    let repeats = 50;
    let record = |(sfen, mv, _): &(&str, &str, &str)| format!("sfen {sfen}\nmove {mv}\ne\n");
    let text: String = RECORDS.iter().map(record).collect();
    let (count, faults) = check(FileFormat::Plain, text.repeat(repeats).as_bytes());
    assert_eq!(count, RECORDS.len() * repeats);
    let mut found = vec!["-"; count];
    faults.iter().for_each(|(index, fault)| found[*index] = fault.name());
    for (index, name) in found.into_iter().enumerate() {
        let record = RECORDS[index % RECORDS.len()];
        assert_eq!(name, record.2, "record {index}: {} in {}", record.1, record.0);
    }
}

#[test]
fn one_move_is_judged_in_every_encoding() {
    let setup = sfen::parse("4k4/9/9/9/9/9/9/9/4K4 b G 1").unwrap().setup;
    let gold: Move16 = "G*5b".parse().unwrap();
    for encoding in MoveEncoding::ALL {
        let bits = MoveBits { bits: encoding.encode(gold).unwrap(), encoding };
        assert_eq!(check_move(&setup, bits), Ok(()));
    }
    let bits = MoveBits { bits: 0x7f, encoding: MoveEncoding::Apery };
    let fault = check_move(&Setup::START, bits).unwrap_err();
    assert_eq!(fault.name(), "MOVE_TO");
    assert!(fault.to_string().contains("square 127"), "{fault}");
}

#[test]
fn malformed_bits_of_a_file_are_found() {
    let mut psv = convert(FileFormat::Sfen, FileFormat::Psv, b"startpos\n");
    psv[34..36].copy_from_slice(&[0x7f, 0xff]);
    let (_, faults) = check(FileFormat::Psv, &psv);
    assert_eq!(faults.len(), 1);
    assert!(matches!(faults[0], (0, LegalityFault::Bits(_))), "{faults:?}");
}
