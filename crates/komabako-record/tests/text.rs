//! Records as tables and JSON lines: writing, reading back, and refusing.

use komabako_board::{Setup, sfen};
use komabako_record::fault::CellFault::{
    Json, Key, Move, Number, Quote, Repeated, SfenMissing, TooFew, TooMany,
};
use komabako_record::fault::{Damage, RecordFault};
use komabako_record::move16::{Move16, MoveFault};
use komabako_record::record::Labels;
use komabako_record::{FileFormat, GameResult, Record, boundaries};
use proptest::prelude::*;

const FORMATS: [FileFormat; 3] = [FileFormat::Tsv, FileFormat::Csv, FileFormat::Jsonl];

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

fn labels(score: Option<i16>, mv: &str, ply: Option<u32>, result: Option<GameResult>) -> Labels {
    let best_move = Move16::from_label(mv).ok().map(Into::into);
    Labels { score, best_move, ply, result, ..Labels::default() }
}

fn written(format: FileFormat, record: &Record) -> String {
    let mut bytes = Vec::new();
    format.encode(record, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The records of a file, each read or refused.
fn read(format: FileFormat, file: &str) -> Vec<Result<Record, RecordFault>> {
    let block = boundaries::cut(format, file.as_bytes(), true, true);
    let block = komabako_record::Block::new(file.as_bytes().to_vec(), block.cuts);
    (0..block.len()).map(|index| format.decode(block.record(index))).collect()
}

#[test]
fn record_is_written_as_five_fields() {
    let known = labels(Some(-35), "7g7f", Some(1), Some(GameResult::WhiteWin));
    let record = Record { setup: Setup::START, labels: known };
    assert_eq!(written(FileFormat::Tsv, &record), format!("{START} 1\t7g7f\t-35\t1\t-1\n"));
    assert_eq!(written(FileFormat::Csv, &record), format!("{START} 1,7g7f,-35,1,-1\n"));
    let json =
        format!("{{\"sfen\":\"{START} 1\",\"move\":\"7g7f\",\"score\":-35,\"ply\":1,\"result\":-1}}\n");
    assert_eq!(written(FileFormat::Jsonl, &record), json);
}

#[test]
fn unknown_fields_remain_unknown() {
    let record = Record { setup: Setup::START, labels: Labels::default() };
    assert_eq!(written(FileFormat::Tsv, &record), format!("{START} 1\t\t\t\t\n"));
    assert_eq!(written(FileFormat::Csv, &record), format!("{START} 1,,,,\n"));
    let json =
        format!("{{\"sfen\":\"{START} 1\",\"move\":null,\"score\":null,\"ply\":null,\"result\":null}}\n");
    assert_eq!(written(FileFormat::Jsonl, &record), json);
    for format in FORMATS {
        assert_eq!(read(format, &written(format, &record)), [Ok(record)], "{format}");
    }
}

#[test]
fn tables_start_with_the_column_names() {
    assert_eq!(FileFormat::Tsv.header(), b"sfen\tmove\tscore\tply\tresult\n");
    assert_eq!(FileFormat::Csv.header(), b"sfen,move,score,ply,result\n");
    assert_eq!(FileFormat::Jsonl.header(), b"");
}

#[test]
fn headers_quotes_blank_lines_and_foreign_line_ends_are_read() {
    let record =
        Record { setup: Setup::START, labels: labels(Some(57), "2g2f", Some(3), Some(GameResult::BlackWin)) };
    let csv = format!(
        "\u{feff}Sfen,Move,Score,Ply,Result\r\n{START} 3,2g2f,57,3,1\r\n\r\n\
         sfen,move,score\n\"{START} 3\",\"2g2f\",\"57\",\"3\",\"1\"\n {START} 3 , 2g2f , 57.0 , 3.0 ,1.0"
    );
    assert_eq!(read(FileFormat::Csv, &csv), [Ok(record); 3]);
    let tsv = csv.replace(',', "\t");
    assert_eq!(read(FileFormat::Tsv, &tsv), [Ok(record); 3]);
    let escaped = START.replace('/', "\\/").replace("RS", "\\u0052S");
    let jsonl = format!(
        "\u{feff}{{\"result\":1,\"ply\":3,\"score\":57.0,\"move\":\"2g2f\",\"sfen\":\"{START} 3\"}}\r\n\n \
         {{ \"sfen\" : \"{escaped} 3\" , \"move\" : \"2g2f\" , \"score\" : 57 , \"result\" : 1 }}"
    );
    assert_eq!(read(FileFormat::Jsonl, &jsonl), [Ok(record); 2]);
}

#[test]
fn short_rows_leave_fields_unknown() {
    let ply_of_the_sfen = Record { setup: Setup::START, labels: labels(None, "7g7f", Some(9), None) };
    assert_eq!(read(FileFormat::Csv, &format!("{START} 9,7g7f")), [Ok(ply_of_the_sfen)]);
    assert_eq!(read(FileFormat::Tsv, &format!("{START} 9\t7g7f\t\t\t")), [Ok(ply_of_the_sfen)]);
    let json = format!("{{\"sfen\":\"{START} 9\",\"move\":\"7g7f\"}}");
    assert_eq!(read(FileFormat::Jsonl, &json), [Ok(ply_of_the_sfen)]);
}

#[test]
fn ply_column_overrides_the_sfen() {
    let ply = |csv: &str| read(FileFormat::Csv, csv)[0].unwrap().labels.ply;
    assert_eq!(ply(&format!("{START} 9,,,12,")), Some(12));
    assert_eq!(ply(&format!("{START} 9,,,0,")), None);
    assert_eq!(ply(&format!("{START} 1,,,,")), None);
}

#[test]
fn table_faults_name_the_column() {
    let fault = |line: &str| match read(FileFormat::Csv, line)[..] {
        [Err(RecordFault::Cell(fault, column))] => (fault, column),
        ref other => panic!("{line}: {other:?}"),
    };
    assert_eq!(fault("startpos"), (TooFew, 9));
    assert_eq!(fault("startpos\t7g7f"), (TooFew, 14), "a tab is no comma");
    assert_eq!(fault("startpos,,,,,"), (TooMany, 14));
    assert_eq!(fault("startpos,7g7"), (Move(MoveFault::Text), 10));
    assert_eq!(fault("startpos,,x"), (Number, 11));
    assert_eq!(fault("startpos,,40000"), (Number, 11));
    assert_eq!(fault("startpos,,1.5"), (Number, 11));
    assert_eq!(fault("startpos,,,-1"), (Number, 12));
    assert_eq!(fault("startpos,,,,300"), (Number, 13));
    assert_eq!(fault("startpos,\"7g7f"), (Quote, 10));
    assert_eq!(fault(",7g7f"), (SfenMissing, 1));
    // A header with other columns is no record: the file is damaged there.
    for header in ["score,sfen", "sfen,score", "sfen,move,ply", "SFEN,\"Score\""] {
        let file = format!("startpos,\n{header}\nstartpos,7g7f\n");
        let cut = boundaries::cut(FileFormat::Csv, file.as_bytes(), true, true);
        assert_eq!((cut.cuts.len(), cut.whole, cut.damage), (1, 10, Some(Damage::Columns)), "{header}");
    }
    assert_eq!(read(FileFormat::Csv, "startpos,,,,2"), [Err(RecordFault::Result(2))]);
}

#[test]
fn json_faults_name_the_column() {
    let fault = |line: &str| match read(FileFormat::Jsonl, line)[..] {
        [Err(RecordFault::Cell(fault, column))] => (fault, column),
        ref other => panic!("{line}: {other:?}"),
    };
    assert_eq!(fault("{}"), (SfenMissing, 2));
    assert_eq!(fault("["), (Json, 1));
    assert_eq!(fault("{\"sfen\":\"startpos\""), (Json, 19));
    assert_eq!(fault("{\"sfen\":\"startpos\"} x"), (Json, 21));
    assert_eq!(fault("{\"sfen\":\"startpos\",}"), (Json, 20));
    assert_eq!(fault("{\"sfen\":7}"), (Json, 9));
    assert_eq!(fault("{\"sfen\":\"startpos\",\"score\":\"7\"}"), (Json, 28));
    assert_eq!(fault("{\"sfen\":\"startpos\",\"score\":1e3}"), (Number, 28));
    assert_eq!(fault("{\"sfen\":\"startpos\",\"eval\":7}"), (Key, 21));
    assert_eq!(fault("{\"ply\":1,\"ply\":null}"), (Repeated, 11));
    assert_eq!(fault("{\"sfen\":\"start\\qpos\"}"), (Json, 15));
    assert_eq!(fault("{\"sfen\":\"\\ud83d\"}"), (Json, 10));
    assert_eq!(fault("{\"sfen\":\"\\u00\"}"), (Json, 10));
    assert_eq!(fault("{\"sfen\":\"start"), (Json, 15));
    assert_eq!(fault("{\"move\":\"7g7\"}"), (Move(MoveFault::Text), 10));
}

#[test]
fn sfen_faults_have_their_column_in_the_line() {
    for (format, line, column) in [
        (FileFormat::Csv, "4k4/9/9/9/9/9/9/9/4x4 b - 1,7g7f", 20),
        (FileFormat::Csv, "\"4k4/9/9/9/9/9/9/9/4x4 b - 1\",7g7f", 21),
        (FileFormat::Jsonl, "{\"sfen\":\"4k4/9/9/9/9/9/9/9/4x4 b - 1\"}", 29),
    ] {
        let Err(RecordFault::Sfen(error)) = read(format, line)[0] else { panic!("{line}") };
        assert_eq!((error.column, error.found), (column, Some('x')), "{line}");
    }
}

#[test]
fn special_moves_are_written_and_read() {
    for mv in ["none", "null", "resign", "win"] {
        let record = Record { setup: Setup::START, labels: labels(None, mv, None, None) };
        for format in FORMATS {
            assert_eq!(read(format, &written(format, &record)), [Ok(record)], "{format} {mv}");
        }
    }
}

/// Positions of games, of a tsume problem, and without kings, with all labels.
fn records() -> impl Strategy<Value = Record> {
    let sfens = prop::sample::select(vec![
        "startpos",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 102",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "9/9/9/9/9/9/9/9/9 b - 1",
    ]);
    let moves = prop::sample::select(vec!["", "7g7f", "8h2b+", "G*5e", "resign", "none"]);
    let results = prop::sample::select(vec![GameResult::Draw, GameResult::BlackWin, GameResult::WhiteWin]);
    let results = prop::option::of(results);
    (sfens, moves, any::<Option<i16>>(), prop::option::of(1..=u32::MAX), results).prop_map(
        |(text, mv, score, ply, result)| {
            let setup = sfen::parse(text).expect("an SFEN").setup;
            Record { setup, labels: labels(score, mv, ply, result) }
        },
    )
}

proptest! {
    #[test]
    fn written_moves_are_read_back(record in records()) {
        for format in FORMATS {
            let line = written(format, &record);
            prop_assert!(line.len() <= format.longest_record().unwrap(), "{}", line);
            prop_assert_eq!(read(format, &line), [Ok(record)], "{}", line);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in FORMATS {
            let cut = boundaries::cut(format, &bytes, true, true);
            let block = komabako_record::Block::new(bytes.clone(), cut.cuts);
            for index in 0..block.len() {
                let _ = format.decode(block.record(index));
            }
        }
    }

    #[test]
    fn damaged_lines_are_read_or_refused(record in records(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for format in FORMATS {
            let mut line = written(format, &record).into_bytes();
            let at = at.index(line.len());
            line[at] = byte;
            if let Ok(changed) = format.decode(&line) {
                let mut again = Vec::new();
                format.encode(&changed, &mut again).unwrap();
                prop_assert_eq!(format.decode(&again), Ok(changed));
            }
        }
    }
}

#[test]
fn cell_faults_keep_the_name_of_the_move_fault() {
    assert_eq!(RecordFault::Cell(Number, 7).to_string(), "column 7: expected a number in the field's range");
    assert_eq!(RecordFault::Cell(Move(MoveFault::Text), 7).name(), "MOVE_TEXT");
    assert_eq!(RecordFault::Cell(Number, 7).name(), "CELL");
}
