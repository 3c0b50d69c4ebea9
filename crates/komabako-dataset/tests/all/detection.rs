//! Formats are detected by content, and the evidence is given.

use std::path::PathBuf;

use crate::common::{convert, edit_hcpe, edit_psv, sample};
use komabako_board::{BaseKind, Color, Setup};
use komabako_dataset::detect::{Detection, Evidence, Reason, detect_path};
use komabako_dataset::error::Foreign;
use komabako_dataset::record::{Hcpe, Labels, Psv};
use komabako_dataset::{Compression, DatasetError, FileFormat, Record};
use tempfile::TempDir;

struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn detect(&self, name: &str, bytes: &[u8]) -> Result<Detection, DatasetError> {
        detect_path(&self.write(name, bytes))
    }

    fn format(&self, name: &str, bytes: &[u8]) -> FileFormat {
        self.detect(name, bytes).unwrap().format.unwrap()
    }
}

/// Formats in which nearly any bytes are records.
const RANKS: [FileFormat; 3] = [FileFormat::R238, FileFormat::Compact36, FileFormat::Compact32];

#[test]
fn every_written_format_except_ranks_is_detected_without_a_name() {
    let files = Files::new();
    let psv = sample("sample.psv");
    for format in
        FileFormat::ALL.iter().copied().filter(|format| format.can_write() && !RANKS.contains(format))
    {
        // A single bare word may be valid in two codecs.
        let fewest = if format.record_size() == Some(32) { 20 } else { 1 };
        for records in [fewest, 2000] {
            let bytes = convert(FileFormat::Psv, format, &psv[..records * Psv::SIZE]);
            let expected = match format {
                FileFormat::Hcpe2 => FileFormat::Hcpe,
                FileFormat::Sspfv1Ext => FileFormat::Sspfv1,
                _ => format,
            };
            assert_eq!(files.format("data", &bytes), expected, "{records} records of {format}");
        }
    }
}

#[test]
fn ranks_are_detected_only_by_name() {
    let files = Files::new();
    let psv = sample("sample.psv");
    for format in RANKS {
        let bytes = convert(FileFormat::Psv, format, &psv);
        assert_eq!(files.format(&format!("data.{format}"), &bytes), format);
        assert!(matches!(files.detect("data", &bytes), Err(DatasetError::Unrecognized { .. })), "{format}");
    }
    assert_eq!(
        files.format("data.compact32", &convert(FileFormat::Psv, FileFormat::Hcp, &psv)),
        FileFormat::Hcp
    );
}

/// A record that only the extension can hold makes a file one of the extension.
#[test]
fn file_with_one_king_is_detected_as_the_extension() {
    let files = Files::new();
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1\n".repeat(299) + "8k/9/7S1/9/9/9/9/9/9 b 2G 1\n";
    let words = convert(FileFormat::Sfen, FileFormat::Sspfv1Ext, sfen.as_bytes());
    assert_eq!(files.format("data.sspfv1", &words), FileFormat::Sspfv1Ext);
    assert_eq!(files.format("data", &words), FileFormat::Sspfv1Ext);
}

/// 1520 bytes are 38 records of PSV or 40 of hcpe.
#[test]
fn size_does_not_decide_the_format() {
    let files = Files::new();
    assert_eq!(files.format("data", &sample("sample.psv")[..1520]), FileFormat::Psv);
    assert_eq!(files.format("data", &sample("sample.hcpe")[..1520]), FileFormat::Hcpe);
}

#[test]
fn content_overrides_the_name() {
    let files = Files::new();
    let detection = files.detect("data.pack", &sample("sample.psv")).unwrap();
    assert_eq!(detection.format, Some(FileFormat::Psv));
    assert_eq!(
        detection.why,
        [
            Evidence::Extension(FileFormat::Pack),
            Evidence::Decoded { format: FileFormat::Psv, good: 1000, sampled: 1000 },
            Evidence::Decoded { format: FileFormat::PsvLenient, good: 1000, sampled: 1000 },
            Evidence::Decoded { format: FileFormat::Pack, good: 0, sampled: 1 },
            Evidence::NameIgnored(FileFormat::Pack),
        ]
        .map(Reason::Evidence)
    );
    assert_eq!(files.format("data.psv", &sample("sample.hcpe")), FileFormat::Hcpe);
    assert_eq!(files.format("data.bin", &sample("sample.psv")), FileFormat::Psv);
}

#[test]
fn name_decides_if_the_content_fits_two_formats() {
    let files = Files::new();
    // Only pawns in the hands, for which PackedSfen and HCP agree.
    let mut bytes = Vec::new();
    FileFormat::PackedSfen
        .encode(&Record { setup: pawns_in_hand(), labels: Labels::default() }, &mut bytes)
        .unwrap();
    for format in [FileFormat::PackedSfen, FileFormat::Hcp] {
        assert!(format.decode(&bytes).is_ok());
        assert_eq!(files.format(&format!("data.{format}"), &bytes), format);
    }
    let hcpe = sample("sample.hcpe");
    assert_eq!(files.format("data.hcpe2", &hcpe), FileFormat::Hcpe2);
}

#[test]
fn flags_of_hcpe2_are_detected() {
    let files = Files::new();
    let mut hcpe2 = sample("sample.hcpe");
    edit_hcpe(&mut hcpe2[17 * Hcpe::SIZE..18 * Hcpe::SIZE], |_, record| record.result |= 0x04);
    assert_eq!(files.format("data.hcpe", &hcpe2), FileFormat::Hcpe2);
}

/// PSV with hands in rshogi's order: R B G S N L P.
#[test]
fn other_orders_of_the_hands_are_detected() {
    let files = Files::new();
    let psv = sample("sample.psv");
    let turned = with_hands_turned(&psv);
    let differing = turned.chunks(Psv::SIZE).zip(psv.chunks(Psv::SIZE)).filter(|(a, b)| a != b).count();
    assert!(differing > 100, "{differing} records have hands of several kinds");
    let detection = files.detect("data.psv", &turned).unwrap();
    assert_eq!(detection.format, Some(FileFormat::PsvLenient), "{:?}", detection.why);
    assert_eq!(convert(FileFormat::PsvLenient, FileFormat::Psv, &turned), psv);
}

#[test]
fn content_of_compressed_files_is_examined() {
    let files = Files::new();
    for compression in [Compression::Zstd, Compression::Gzip, Compression::Xz] {
        let mut encoder = compression.encoder(Vec::new(), 1).unwrap();
        std::io::Write::write_all(&mut encoder, &sample("sample.hcpe")).unwrap();
        let detection = files.detect("data", &encoder.finish().unwrap()).unwrap();
        assert_eq!((detection.compression, detection.format), (compression, Some(FileFormat::Hcpe)));
        assert_eq!(detection.why[0], Reason::Compressed(compression));
    }
}

#[test]
fn empty_files_fit_every_format() {
    let files = Files::new();
    for (name, format) in
        [("a.psv", Some(FileFormat::Psv)), ("a.pack.zst", Some(FileFormat::Pack)), ("a", None)]
    {
        let detection = files.detect(name, b"").unwrap();
        assert_eq!(
            (detection.format, detection.why.last()),
            (format, Some(&Reason::Evidence(Evidence::Empty)))
        );
    }
}

#[test]
fn truncated_end_does_not_hide_the_format() {
    let files = Files::new();
    let psv = sample("sample.psv");
    assert_eq!(files.format("data", &psv[..psv.len() - 7]), FileFormat::Psv);
    assert_eq!(files.format("data.psv", &psv[..47]), FileFormat::Psv);
    assert_eq!(files.format("data.psv", &psv[..7]), FileFormat::Psv);
}

#[test]
fn foreign_files_are_named() {
    let files = Files::new();
    let sbk = [&b"\x0a\x04name\x12\x00\x1a\x20\x08\x00\x11"[..], &[7; 8], b"\x1d\0\0\0\0 "].concat();
    let foreign: [(&[u8], Foreign); 30] = [
        (b"7z\xbc\xaf\x27\x1c\0\x04", Foreign::SevenZip),
        (b"\x21\x67-lh5-\x10\x20\0\0", Foreign::Lzh),
        (b"Rar!\x1a\x07\x01\0", Foreign::Rar),
        (b"PK\x03\x04\x14\0\0\x08\x08\0abcdef", Foreign::Zip),
        (b"PK\x03\x04\x0a\0\0\0\0\0abcdef", Foreign::Zip),
        (&sbk, Foreign::Sbk),
        (b"\x1a\x0a\x10\xff\x8f\x03\x18\x07", Foreign::Sbk),
        (b"[Sente \"A\"]\n[Gote \"B\"]\n1.P7g-7f 2.P3c-3d\n", Foreign::Psn),
        (b"[Name \"A\"]\r\n[Email \"\"]\r\n\r\n1. P7g-7f P3c-3d\r\n", Foreign::Psn),
        (b"\xef\xbb\xbf\n[Event \"x\"]\n[Variant \"shogi\"]\n\n1. P-7f P-3d *\n", Foreign::Pgn),
        (b"\xef\xbb\xbf#YANEURAOU-DB2016 1.00\r\nsfen startpos\r\n", Foreign::YaneuraOuBook),
        (b"SBN2\x10\0\0\0", Foreign::Sbinpack),
        (b"SAZ2\x02\0", Foreign::Sazpack),
        (b"YANE-BINBOOK-V1\0\0\0", Foreign::Ybb),
        (b"#YANEURAOU-DB2016 1.00\nsfen startpos\n", Foreign::YaneuraOuBook),
        (b"sfen startpos\r\n7g7f none 0 32\r\n", Foreign::YaneuraOuBook),
        (b"sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h 5a5b -32 8 1\n", Foreign::YaneuraOuBook),
        (b"SQLite format 3\0\x10\0", Foreign::Sqlite),
        (b"PAR1\0\0", Foreign::Parquet),
        (b"V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n", Foreign::Csa),
        (b"'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\n", Foreign::Csa),
        ("手合割：平手\n".as_bytes(), Foreign::Kif),
        ("先手：A\n後手：B\n".as_bytes(), Foreign::Kif),
        // The same line in Shift-JIS, after other lines.
        (b"# comment\r\n\x90\xe6\x8e\xe8\x81\x46A\r\n", Foreign::Kif),
        (b"# ---- Kifu for Windows V7 V7.50 ----\r\n", Foreign::Kif),
        (br#"{"header":{},"initial":{"preset":"HIRATE"},"moves":[{}]}"#, Foreign::Jkf),
        (b"position startpos moves 7g7f 3c3d\nposition startpos moves 2g2f\n", Foreign::Usi),
        (b"<< BEGIN Game_Summary\r\n<< Protocol_Version:1.2\r\n", Foreign::ServerLog),
        (b"startpos moves 7g7f 3c3d\n", Foreign::Usi),
        (b"startpos\nstartpos moves 7g7f\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h\n", Foreign::Usi),
    ];
    for (bytes, kind) in foreign {
        let error = files.detect("data.psv.bak", bytes).unwrap_err();
        assert_eq!(error.kind(), "unsupported", "{kind:?}");
        assert!(matches!(error, DatasetError::Unsupported { what, .. } if what == kind), "{kind:?}: {error}");
    }
    let noise: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert_eq!(files.detect("data", &noise).unwrap_err().kind(), "unrecognized");
    assert_eq!(files.detect("data.psv", &noise).unwrap_err().kind(), "unrecognized");
    assert_eq!(files.detect("data.sfen", b"hello\nworld\n").unwrap_err().kind(), "unrecognized");
}

/// Kings, and every pawn in Black's hand; the other pieces on the board.
fn pawns_in_hand() -> Setup {
    let mut setup = Setup::START;
    for (square, piece) in Setup::START.pieces() {
        if BaseKind::of(piece.to_parts().0) == BaseKind::Pawn {
            setup.clear(square);
        }
    }
    setup.set_hand_count(Color::Black, BaseKind::Pawn, 18).unwrap();
    setup
}

/// The records with Black's and White's hands written in the order R B G S N L P, as rshogi does.
fn with_hands_turned(psv: &[u8]) -> Vec<u8> {
    let mut psv = psv.to_vec();
    edit_psv(&mut psv, |_, record| {
        let setup = FileFormat::PackedSfen.decode(&record.position).unwrap().setup;
        let mut bits = Vec::new();
        for color in [Color::Black, Color::White] {
            for kind in BaseKind::SFEN_HAND {
                for _ in 0..setup.hand(color).count(kind) {
                    push_hand_code(&mut bits, kind, color == Color::White);
                }
            }
        }
        let start = 256 - bits.len();
        for (at, bit) in bits.into_iter().enumerate() {
            let at = start + at;
            record.position[at / 8] = record.position[at / 8] & !(1 << (at % 8)) | u8::from(bit) << (at % 8);
        }
    });
    psv
}

/// The code of a piece in a hand, `spec/formats.md` §2.1.
fn push_hand_code(bits: &mut Vec<bool>, kind: BaseKind, white: bool) {
    let prefix = match kind {
        BaseKind::Pawn => "00",
        BaseKind::Lance => "1000",
        BaseKind::Knight => "1010",
        BaseKind::Silver => "1100",
        BaseKind::Gold => "1110",
        BaseKind::Bishop => "111100",
        BaseKind::Rook => "111110",
        BaseKind::King => panic!("kings are in no hand"),
    };
    bits.extend(prefix.bytes().map(|bit| bit == b'1').chain([white]));
}
