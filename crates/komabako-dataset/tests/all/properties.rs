//! Properties over random records and random bytes.

use std::io::Cursor;

use crate::common::{convert, convert_good};
use komabako_board::Setup;
use komabako_dataset::move16::{Move16, MoveEncoding};
use komabako_dataset::record::{Extras, Labels, MoveBits};
use komabako_dataset::{Block, DatasetError, FileFormat, GameResult, Record, RecordReader};
use komabako_testkit::setups::base_setup;
use proptest::prelude::*;
use proptest::sample::select;

fn moves() -> impl Strategy<Value = Move16> {
    any::<u16>().prop_filter_map("well-formed", |bits| MoveEncoding::YaneuraOu.decode(bits).ok())
}

fn results() -> impl Strategy<Value = GameResult> {
    select(vec![GameResult::Draw, GameResult::BlackWin, GameResult::WhiteWin])
}

/// The labels that PSV can hold.
fn psv_labels() -> impl Strategy<Value = Labels> {
    (any::<i16>(), moves(), results(), any::<u16>(), any::<u8>()).prop_map(
        |(score, best_move, result, ply, psv_padding)| Labels {
            score: Some(score),
            best_move: Some(MoveBits::from(best_move)),
            result: Some(result),
            ply: Some(u32::from(ply)).filter(|&ply| ply != 0),
            extras: Extras { psv_padding, ..Extras::default() },
        },
    )
}

fn encoded(format: FileFormat, setup: Setup, labels: Labels) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.encode(&Record { setup, labels }, &mut bytes).unwrap();
    bytes
}

/// All the records in `bytes`, and the way in which reading ended.
fn read_all(format: FileFormat, bytes: &[u8]) -> (Vec<Vec<u8>>, Result<(), DatasetError>) {
    let mut reader = RecordReader::new(Cursor::new(bytes), format, "input");
    let mut block = Block::default();
    let mut records = Vec::new();
    loop {
        match reader.next_block(&mut block) {
            Ok(true) => {
                assert_eq!(block.first_record(), records.len() as u64);
                for index in 0..block.len() {
                    if let Ok(read) = block.decode(format, index)
                        && format.can_write()
                        && !format.holds_games()
                    {
                        let mut written = Vec::new();
                        let fits = format.encode(&read, &mut written).is_ok();
                        assert!(!fits || written == block.record(index) || format.is_text(), "{format}");
                    }
                    let offset = block.offset(index) as usize;
                    let record = block.record(index);
                    assert_eq!(&bytes[offset..offset + record.len()], record);
                    records.push(record.to_vec());
                }
            }
            Ok(false) => return (records, Ok(())),
            Err(error) => {
                assert!(!reader.next_block(&mut block).unwrap(), "an error is said once");
                return (records, Err(error));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn psv_round_trips(setup in base_setup(), labels in psv_labels()) {
        let bytes = encoded(FileFormat::Psv, setup, labels);
        let record = FileFormat::Psv.decode(&bytes).unwrap();
        prop_assert_eq!(record, Record { setup, labels });
        prop_assert_eq!(encoded(FileFormat::Psv, record.setup, record.labels), bytes);
    }

    #[test]
    fn plain_text_keeps_a_psv_record_except_its_padding(setup in base_setup(), mut labels in psv_labels()) {
        labels.extras.psv_padding = 0;
        let psv = encoded(FileFormat::Psv, setup, labels);
        let plain = convert(FileFormat::Psv, FileFormat::Plain, &psv);
        prop_assert_eq!(convert(FileFormat::Plain, FileFormat::Psv, &plain), psv);
    }

    #[test]
    fn hcpe_keeps_a_psv_record_except_ply_and_padding(setup in base_setup(), mut labels in psv_labels()) {
        labels.ply = None;
        labels.extras.psv_padding = 0;
        let psv = encoded(FileFormat::Psv, setup, labels);
        let (hcpe, summary) = convert_good(FileFormat::Psv, FileFormat::Hcpe, &psv);
        let mv = labels.best_move.unwrap().decode().unwrap();
        if MoveEncoding::Apery.encode(mv).is_ok() {
            prop_assert_eq!(convert(FileFormat::Hcpe, FileFormat::Psv, &hcpe), psv);
        } else {
            prop_assert_eq!((hcpe.len(), summary.counts.bad["MOVE_NO_SPECIAL"]), (0, 1));
        }
    }

    /// Any bytes are divided into records within them, and each is read or refused.
    #[test]
    fn arbitrary_bytes_are_read_or_refused(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..400),
            prop::collection::vec(select(&b"e\n \r0k/9b-1sfen move+"[..]), 0..400),
            prop::collection::vec(select(&[0, 0, 1, 1, 2, 0x3b, 0x1e, 0x81][..]), 0..400),
        ],
    ) {
        for &format in FileFormat::ALL {
            let (records, end) = read_all(format, &bytes);
            if let (Some(size), Ok(())) = (format.record_size(), &end) {
                prop_assert_eq!(records.len() * size, bytes.len());
            }
        }
    }
}
