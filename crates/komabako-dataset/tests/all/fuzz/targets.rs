//! The fuzz targets for files: detection and records. `fuzz/` compiles this file too.

use std::io::Read;
use std::path::Path;

use komabako_codec::Backend;
use komabako_dataset::convert::{Job, OnBadRecord};
use komabako_dataset::games::check;
use komabako_dataset::move16::{Move16, MoveEncoding, convert};
use komabako_dataset::{
    Batch, Block, Compression, DatasetError, FileFormat, GameResult, Input, Inputs, Output, Record,
    RecordFault, RecordReader, detect, format_of,
};
use komabako_testkit::fuzz::Target;

/// Every target in this file.
pub const TARGETS: &[Target] = &[
    DECOMPRESS,
    DETECT,
    MOVE16,
    READ_COMPACT32,
    READ_COMPACT36,
    READ_CSV,
    READ_EXT36,
    READ_HCPE,
    READ_HCPE2,
    READ_HCPE3,
    READ_JSONL,
    READ_PACK,
    READ_PLAIN,
    READ_PSV,
    READ_PSV_LENIENT,
    READ_SFEN,
    READ_TSV,
    READ_WORDS,
    SNIFF,
];

/// Any bytes as PSV records: each is read and written as the same bytes, or refused.
pub const READ_PSV: Target = Target::new("read_psv", |input| read(FileFormat::Psv, input));
/// Any bytes as PSV records of older programs: each one that can be read becomes a PSV record with the same meaning.
pub const READ_PSV_LENIENT: Target =
    Target::new("read_psv_lenient", |input| read(FileFormat::PsvLenient, input));
/// See [`READ_PSV`].
pub const READ_HCPE: Target = Target::new("read_hcpe", |input| read(FileFormat::Hcpe, input));
/// See [`READ_PSV`].
pub const READ_HCPE2: Target = Target::new("read_hcpe2", |input| read(FileFormat::Hcpe2, input));
/// See [`READ_PSV`].
pub const READ_COMPACT36: Target = Target::new("read_compact36", |input| read(FileFormat::Compact36, input));
/// See [`READ_PSV`].
pub const READ_COMPACT32: Target = Target::new("read_compact32", |input| read(FileFormat::Compact32, input));
/// See [`READ_PSV`].
pub const READ_EXT36: Target = Target::new("read_ext36", |input| read(FileFormat::Ext36, input));
/// Any bytes as bare words in the format that the first byte chooses: see [`READ_PSV`].
pub const READ_WORDS: Target = Target::new("read_words", read_words);
/// Any bytes as lines of SFEN: each record has the same meaning after it is written.
pub const READ_SFEN: Target = Target::new("read_sfen", |input| read(FileFormat::Sfen, input));
/// See [`READ_SFEN`].
pub const READ_PLAIN: Target = Target::new("read_plain", |input| read(FileFormat::Plain, input));
/// See [`READ_SFEN`].
pub const READ_TSV: Target = Target::new("read_tsv", |input| read(FileFormat::Tsv, input));
/// See [`READ_SFEN`].
pub const READ_CSV: Target = Target::new("read_csv", |input| read(FileFormat::Csv, input));
/// See [`READ_SFEN`].
pub const READ_JSONL: Target = Target::new("read_jsonl", |input| read(FileFormat::Jsonl, input));
/// Any bytes as games: every record is read or refused, and the check of games finds every refused game.
/// Compared: every record read separately, and a conversion to the same format, on threads, which keeps the good records.
pub const READ_HCPE3: Target = Target::new("read_hcpe3", |input| check_games(FileFormat::Hcpe3, input))
    .with_comparison(|input| rewrite(FileFormat::Hcpe3, input));
/// See [`READ_HCPE3`].
pub const READ_PACK: Target = Target::new("read_pack", |input| check_games(FileFormat::Pack, input))
    .with_comparison(|input| rewrite(FileFormat::Pack, input));
/// Any two bytes as a move in each encoding, and any bytes as the text of a move.
pub const MOVE16: Target = Target::new("move16", move16);
/// Whether any bytes are in the format that the last byte chooses. Compared: their format among all formats.
pub const DETECT: Target = Target::new("detect", detect_one).with_comparison(detect);
/// The format and compression from the first bytes and the name of a file.
pub const SNIFF: Target = Target::new("sniff", sniff);
/// Any bytes decompressed by the decoder that the first byte chooses.
pub const DECOMPRESS: Target = Target::new("decompress", decompress);

/// Reads records one by one.
fn read(format: FileFormat, input: &[u8]) {
    let strict = if format == FileFormat::PsvLenient { FileFormat::Psv } else { format };
    let mut reader = RecordReader::new(input, format, "input");
    let mut block = Block::default();
    let mut written = Vec::new();
    let mut records = 0;
    // An error is the end of a stream without a whole number of records.
    while reader.next_block(&mut block).is_ok_and(|is_some| is_some) {
        assert_eq!(block.first_record(), records);
        records += block.len() as u64;
        for index in 0..block.len() {
            let bytes = block.record(index);
            let offset = block.offset(index) as usize;
            assert_eq!(&input[offset..offset + bytes.len()], bytes);
            let Ok(record) = block.decode(format, index) else { continue };
            written.clear();
            if strict.encode(&record, &mut written).is_err() {
                continue;
            }
            if strict != format || format.is_text() {
                let again = strict.decode(&written).expect("it was written");
                assert_eq!(in_text(format, again), in_text(format, record), "{format}");
            } else {
                assert_eq!(written, bytes, "{format}");
            }
        }
    }
    if let Some(size) = format.record_size() {
        assert_eq!(records, (input.len() / size) as u64);
    }
}

/// A record without the values that text writes for unknown fields.
fn in_text(format: FileFormat, mut record: Record) -> Record {
    if format.is_text() {
        let labels = &mut record.labels;
        labels.ply = labels.ply.or(Some(1));
        labels.score = labels.score.or(Some(0));
        labels.best_move = labels.best_move.or(Some(Move16::NONE.into()));
        labels.result = labels.result.or(Some(GameResult::Draw));
    }
    record
}

fn read_words(input: &[u8]) {
    const FORMATS: [FileFormat; 7] = [
        FileFormat::Sspfv1,
        FileFormat::PackedSfen,
        FileFormat::Hcp,
        FileFormat::Nshogi,
        FileFormat::Sspfv1Ext,
        FileFormat::C250,
        FileFormat::R238,
    ];
    let Some((&choice, words)) = input.split_first() else { return };
    read(FORMATS[usize::from(choice) % FORMATS.len()], words);
}

/// Replays every game once.
fn check_games(format: FileFormat, input: &[u8]) {
    let mut reader = RecordReader::new(input, format, "input");
    let mut batch = Batch::new(Backend::detect());
    let mut block = Block::default();
    // An error is the end of a stream that is not made of games.
    while reader.next_block(&mut block).is_ok_and(|is_some| is_some) {
        for range in Batch::ranges(0..block.len()) {
            let count = range.len();
            batch.decode(format, &block, range);
            assert_eq!(batch.labels().0.len() + batch.faults().len(), count);
            for &(index, fault) in batch.faults() {
                let place = block.place(index).expect("a format of games");
                match fault {
                    RecordFault::Game(fault) => assert_eq!(fault.place, place),
                    fault => assert_eq!(fault, RecordFault::Unreached),
                }
            }
        }
    }
}

/// The good records of games and the number of the others.
fn games(format: FileFormat, bytes: &[u8]) -> (Vec<Record>, usize) {
    let mut reader = RecordReader::new(bytes, format, "input");
    let mut good = Vec::new();
    let mut refused = 0;
    let mut block = Block::default();
    // An error is the end of a stream that is not made of games.
    while reader.next_block(&mut block).is_ok_and(|is_some| is_some) {
        let findings = check(format, &block);
        for index in 0..block.len() {
            let place = block.place(index).expect("a format of games");
            match block.decode(format, index) {
                Ok(record) => good.push(record),
                Err(RecordFault::Game(fault)) => {
                    assert_eq!(fault.place, place);
                    assert!(findings.iter().any(|finding| finding.game == place.game), "{fault}");
                    refused += 1;
                }
                Err(fault) => {
                    assert_eq!(fault, RecordFault::Unreached);
                    refused += 1;
                }
            }
        }
    }
    (good, refused)
}

/// Converts games to their own format: the good records make games that are read as the same records.
///
/// # Panics
/// If they are not.
pub fn rewrite(format: FileFormat, input: &[u8]) {
    // A stream that begins like compressed data is treated as such.
    if Compression::from_magic(input) != Compression::None {
        return;
    }
    let (good, _) = games(format, input);
    let mut written = Vec::new();
    let stream = Input::Stream("input".into(), Box::new(input));
    let mut job = Job::new(vec![stream], Output::Stream("output".into(), Box::new(&mut written)));
    job.options.from = Some(format);
    job.to = Some(format);
    job.options.threads = 1;
    job.on_bad_record = OnBadRecord::Skip;
    job.options.salvage = true;
    let plan = match job.plan() {
        // A stream that begins like an archive or another known kind is refused as such.
        Err(DatasetError::Unsupported { .. }) => return,
        plan => plan.expect("streams need no looking at"),
    };
    let summary = plan.run(&mut ()).expect("memory holds it");
    assert_eq!(summary.counts.written, good.len() as u64, "{format}");
    let (again, refused) = games(format, &written);
    assert_eq!(refused, 0, "{format}");
    let said = |records: &[Record]| records.iter().map(said).collect::<Vec<_>>();
    assert_eq!(said(&again), said(&good), "{format}");
}

/// A record without the data that writing a game may change: why it ended, and in hcpe3 the ply, counted from its start.
fn said(record: &Record) -> Record {
    let mut record = *record;
    record.labels.extras = Default::default();
    record.labels.ply = None;
    record
}

fn move16(input: &[u8]) {
    if let Some(&bytes) = input.first_chunk() {
        let bits = u16::from_le_bytes(bytes);
        for encoding in MoveEncoding::ALL {
            let Ok(mv) = encoding.decode(bits) else { continue };
            assert_eq!(encoding.encode(mv), Ok(bits), "{mv} in {encoding:?}");
            assert_eq!(Move16::from_label(&mv.to_string()), Ok(mv));
            for to in MoveEncoding::ALL {
                let converted = convert(bits, encoding, to);
                assert_eq!(converted, to.encode(mv));
                assert!(converted.is_err() || convert(converted.unwrap(), to, encoding) == Ok(bits));
            }
        }
    }
    let Ok(text) = str::from_utf8(input) else { return };
    let mv = Move16::from_label(text).ok();
    assert!(mv.is_none_or(|mv| mv.to_string() == text), "{text} is read as {mv:?}");
    assert_eq!(mv.filter(|mv| mv.is_well_formed()), text.parse().ok(), "{text}");
}

fn detect_one(input: &[u8]) {
    let Some((&choice, content)) = input.split_last() else { return };
    let format = FileFormat::ALL[usize::from(choice) % FileFormat::ALL.len()];
    let found = detect::among(content, &[format]);
    assert!(found.is_none_or(|found| found == format && !content.is_empty()), "{format}: {found:?}");
}

fn detect(input: &[u8]) {
    let stream = Input::Stream("input".into(), Box::new(input));
    if let Ok(inputs) = Inputs::examine(vec![stream], None, true) {
        let detection = inputs.sources()[0].detection();
        assert_eq!(detection.compression, Compression::from_magic(input));
        assert!(detection.format.is_some() || input.is_empty() || detection.compression != Compression::None);
    }
}

fn sniff(input: &[u8]) {
    let compression = Compression::from_magic(input);
    assert_eq!(compression, Compression::from_magic(&input[..input.len().min(Compression::HEAD)]));
    let Ok(name) = str::from_utf8(input) else { return };
    let path = Path::new(name);
    if let Some(extension) = Compression::from_path(path).extension() {
        assert!(name.len() > extension.len());
    }
    let (Some(format), Some(file_name)) = (format_of(path), path.file_name()) else { return };
    if Compression::from_path(path) == Compression::None {
        let compressed = Path::new(file_name).with_added_extension("zst");
        assert_eq!(format_of(&compressed), Some(format));
    }
}

fn decompress(input: &[u8]) {
    const MOST: u64 = 1 << 12;
    let Some((&choice, bytes)) = input.split_first() else { return };
    let compression = Compression::ALL[usize::from(choice) % Compression::ALL.len()];
    let Ok(decoder) = compression.decoder(bytes) else { return };
    let mut content = Vec::new();
    // A few bytes may expand to gigabytes.
    let outcome = decoder.take(MOST).read_to_end(&mut content);
    if compression == Compression::None {
        assert!(outcome.is_ok() && content == bytes[..bytes.len().min(MOST as usize)]);
    }
}
