//! Columns of scores: extracted from records, merged onto them, and mismatches.

use std::fs;
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{convert, convert_with, names, sample, sample_path};
use komabako_dataset::convert::ScoreChange;
use komabako_dataset::scores::{Column, Extraction, Summary, UNKNOWN};
use komabako_dataset::select::Filter;
use komabako_dataset::{
    Compression, DatasetError, Field, FileFormat, Input, JobOptions, Output, Selection, convert as conversion,
};
use proptest::prelude::*;

const SIZE: usize = 40;

fn stream(bytes: &[u8]) -> Input<'_> {
    Input::Stream("stream".into(), Box::new(Cursor::new(bytes)))
}

/// A column in memory.
fn column_of(bytes: &[u8]) -> Result<Column<'static>, DatasetError> {
    Column::open(Input::Stream("column".into(), Box::new(Cursor::new(bytes.to_vec()))))
}

/// The column of some records.
fn extracted(format: FileFormat, bytes: &[u8]) -> Result<(Vec<u8>, Summary), DatasetError> {
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let extraction = Extraction {
        options: JobOptions { from: Some(format), ..JobOptions::default() },
        ..Extraction::new(vec![stream(bytes)], output)
    };
    let summary = extraction.run(&mut ())?;
    Ok((out, summary))
}

/// PSV records with a column merged onto them.
fn merged(psv: &[u8], column: &[u8]) -> Result<Vec<u8>, DatasetError> {
    let column = column_of(column)?;
    convert_with(FileFormat::Psv, FileFormat::Psv, psv, |job| job.scores = ScoreChange::Column(column))
        .map(|(bytes, _)| bytes)
}

fn scores_of(psv: &[u8]) -> Vec<u8> {
    psv.chunks_exact(SIZE).flat_map(|record| [record[32], record[33]]).collect()
}

#[test]
fn extracted_column_does_not_depend_on_the_format() {
    let psv = sample("sample.psv");
    let column = scores_of(&psv);
    for format in
        FileFormat::ALL.iter().copied().filter(|format| format.holds(Field::Score) && format.can_write())
    {
        if format.holds_games() {
            continue;
        }
        let (bytes, summary) = extracted(format, &convert(FileFormat::Psv, format, &psv)).unwrap();
        assert!(bytes == column, "{format}");
        assert_eq!((summary.counts.written, summary.unknown), (2000, 0));
    }
    assert_eq!(extracted(FileFormat::Psv, b"").unwrap().0, b"");
}

#[test]
fn merged_column_replaces_the_scores() {
    let psv = sample("sample.psv");
    let mut column: Vec<u8> = (0..2000_i16).flat_map(i16::to_le_bytes).collect();
    let result = merged(&psv, &column).unwrap();
    assert!(scores_of(&result) == column);
    let others = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.chunks_exact(SIZE).map(|record| [&record[..32], &record[34..]].concat()).collect()
    };
    assert!(others(&result) == others(&psv));
    // A missing score leaves the record's own.
    column[20..22].copy_from_slice(&UNKNOWN.to_le_bytes());
    let result = merged(&psv, &column).unwrap();
    assert_eq!(result[10 * SIZE..11 * SIZE], psv[10 * SIZE..11 * SIZE]);
}

/// Columns never give a record a value that means no score, nor records a column.
#[test]
fn values_that_mean_no_score_are_never_merged_or_extracted() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let mut psv = sample("sample.psv")[..3 * SIZE].to_vec();
    let own = scores_of(&psv);
    let none = [i16::MIN, UNKNOWN, 5].map(i16::to_le_bytes).concat();
    assert_eq!(scores_of(&merged(&psv, &none).unwrap()), [&own[..4], &5_i16.to_le_bytes()].concat());

    let floats = [-40_000.0_f32, 32_002.0, f32::NAN].map(f32::to_le_bytes).concat();
    let numbers = [4_294_967_294, 32_002, u32::MAX].map(u32::to_le_bytes).concat();
    for (name, bytes, first) in [("a.f32", floats, -32_000), ("a.u32", numbers, 32_000_i16)] {
        fs::write(path(name), bytes).unwrap();
        let column = Column::open(Input::path(path(name))).unwrap();
        let change = |job: &mut conversion::Job| job.scores = ScoreChange::Column(column);
        let (bytes, summary) = convert_with(FileFormat::Psv, FileFormat::Psv, &psv, change).unwrap();
        let clamped = [first, 32_000].map(i16::to_le_bytes).concat();
        assert_eq!(scores_of(&bytes), [&clamped[..], &own[4..]].concat(), "{name}");
        assert_eq!((summary.rescaled.clamped, summary.rescaled.changed), (2, 0), "{name}");
    }

    for (record, score) in psv.chunks_exact_mut(SIZE).zip(none.chunks_exact(2)) {
        record[32..34].copy_from_slice(score);
    }
    let (column, summary) = extracted(FileFormat::Psv, &psv).unwrap();
    assert_eq!((column, summary.unknown), ([UNKNOWN, UNKNOWN, 5].map(i16::to_le_bytes).concat(), 2));
    let input = || Input::Stream("input".into(), Box::new(Cursor::new(psv.clone())));
    Extraction::new(vec![input()], Output::path(path("b.f32"))).run(&mut ()).unwrap();
    let column = fs::read(path("b.f32")).unwrap();
    let column = column.as_chunks().0.iter().map(|&score| f32::from_le_bytes(score));
    assert_eq!(
        column.map(|score| (!score.is_nan()).then_some(score)).collect::<Vec<_>>(),
        [None, None, Some(5.0)]
    );
}

/// A stream that counts the bytes read from it.
struct Counted<'a>(Cursor<Vec<u8>>, &'a AtomicUsize);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer).inspect(|&read| {
            self.1.fetch_add(read, Ordering::Relaxed);
        })
    }
}

/// The resources of a job are reported, and may be refused, before a compressed column is read.
#[test]
fn a_compressed_column_is_not_read_before_the_job() {
    let column: Vec<u8> = (0..2000_u16).flat_map(|score| (score * 15).to_le_bytes()).collect();
    let mut encoder = Compression::Xz.encoder(Vec::new(), 1).unwrap();
    std::io::Write::write_all(&mut encoder, &column).unwrap();
    let packed = encoder.finish().unwrap();
    let read = AtomicUsize::new(0);
    let input = Input::Stream("column".into(), Box::new(Counted(Cursor::new(packed), &read)));
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let mut job = conversion::Job::new(vec![Input::path(sample_path("sample.psv"))], output);
    job.scores = ScoreChange::Column(Column::open(input).unwrap());
    let plan = job.plan().unwrap();
    // The head of the stream shows its compression.
    assert!(read.load(Ordering::Relaxed) <= Compression::HEAD);
    plan.run(&mut ()).unwrap();
    assert!(scores_of(&out) == column);
}

#[test]
fn a_column_in_a_file_may_be_compressed() {
    let directory = tempfile::tempdir().unwrap();
    let psv = sample("sample.psv").repeat(20);
    let column: Vec<u8> = (0..40_000_u16).flat_map(|score| (score % 30_000).to_le_bytes()).collect();
    let plain = directory.path().join("a.i16");
    fs::write(&plain, &column).unwrap();
    let packed = directory.path().join("a.i16.zst");
    let mut encoder = Compression::Zstd.encoder(fs::File::create(&packed).unwrap(), 1).unwrap();
    std::io::Write::write_all(&mut encoder, &column).unwrap();
    encoder.finish().unwrap();
    for path in [plain, packed] {
        let scores = ScoreChange::Column(Column::open(Input::path(path)).unwrap());
        let (bytes, _) =
            convert_with(FileFormat::Psv, FileFormat::Psv, &psv, |job| job.scores = scores).unwrap();
        assert!(scores_of(&bytes) == column);
    }
}

#[test]
fn a_column_is_never_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let column = directory.path().join("a.i16");
    fs::write(&column, [0; 4000]).unwrap();
    let job = conversion::Job {
        to: Some(FileFormat::Psv),
        scores: ScoreChange::Column(Column::open(Input::path(&column)).unwrap()),
        options: JobOptions { force: true, ..JobOptions::default() },
        ..conversion::Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&column))
    };
    assert!(matches!(job.plan().map(drop), Err(DatasetError::SameFile(path)) if path == column));
}

#[test]
fn filters_see_the_merged_scores() {
    let psv = sample("sample.psv");
    let column: Vec<u8> = (0..2000_i16).flat_map(i16::to_le_bytes).collect();
    let column = column_of(&column).unwrap();
    let (bytes, _) = convert_with(FileFormat::Psv, FileFormat::Psv, &psv, |job| {
        job.scores = ScoreChange::Column(column);
        job.copy = true;
        job.select =
            Selection::Filter(Filter { expression: "score >= 1990".parse().unwrap(), invert: false });
    })
    .unwrap();
    assert_eq!(scores_of(&bytes), (1990..2000_i16).flat_map(i16::to_le_bytes).collect::<Vec<_>>());
}

#[test]
fn different_lengths_are_an_error() {
    let psv = sample("sample.psv");
    for scores in [0, 1999, 2001] {
        let error = merged(&psv, &vec![0; 2 * scores as usize]).unwrap_err();
        assert!(
            matches!(error, DatasetError::ScoreCount { scores: found, records: 2000, .. } if found == scores)
        );
    }
    assert!(matches!(merged(&psv, &[0; 3999]), Err(DatasetError::ScoreSize { size: 3999, each: 2, .. })));
    // For a file this is known before anything is written.
    let directory = tempfile::tempdir().unwrap();
    let output = Output::path(directory.path().join("a.psv"));
    let mut job = komabako_dataset::convert::Job::new(vec![Input::path(sample_path("sample.psv"))], output);
    let column = directory.path().join("a.i16");
    fs::write(&column, [0; 6]).unwrap();
    job.scores = ScoreChange::Column(Column::open(Input::path(column)).unwrap());
    assert!(matches!(job.plan(), Err(DatasetError::ScoreCount { scores: 3, .. })));
    assert_eq!(names(directory.path()), ["a.i16"]);
}

#[test]
fn formats_without_scores_are_refused_and_missing_scores_counted() {
    let sfens = convert(FileFormat::Psv, FileFormat::Sfen, &sample("sample.psv"));
    assert!(matches!(extracted(FileFormat::Sfen, &sfens), Err(DatasetError::FieldMissing(_, Field::Score))));
    let column = column_of(&[0; 4000]).unwrap();
    let merged = convert_with(FileFormat::Psv, FileFormat::Hcp, &sample("sample.psv"), |job| {
        job.scores = ScoreChange::Column(column);
    });
    assert!(matches!(merged, Err(DatasetError::FieldMissing(_, Field::Score))));
    let (bytes, summary) =
        extracted(FileFormat::Plain, b"sfen startpos\nscore 7\ne\nsfen startpos\ne\n").unwrap();
    assert_eq!((bytes, summary.unknown), ([7_i16, UNKNOWN].map(i16::to_le_bytes).concat(), 1));
}

/// A column of `f32` holds the same scores, compressed too; one of `u32` is only read.
#[test]
fn columns_have_the_width_that_their_names_tell() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let psv = sample("sample.psv");
    let scores: Vec<i16> =
        scores_of(&psv).as_chunks().0.iter().map(|score| i16::from_le_bytes(*score)).collect();
    for name in ["a.f32", "b.F32.zst"] {
        let input = vec![Input::path(sample_path("sample.psv"))];
        Extraction::new(input, Output::path(path(name))).run(&mut ()).unwrap();
        let mut column = Vec::new();
        Compression::from_path(&path(name))
            .decoder(fs::File::open(path(name)).unwrap())
            .unwrap()
            .read_to_end(&mut column)
            .unwrap();
        let read: Vec<f32> = column.as_chunks().0.iter().map(|score| f32::from_le_bytes(*score)).collect();
        assert!(read.iter().zip(&scores).all(|(&read, &score)| read == f32::from(score)), "{name}");
        assert_eq!(read.len(), scores.len());
        let column = Column::open(Input::path(path(name))).unwrap();
        let zero = psv.chunks(SIZE).flat_map(|record| [&record[..32], &[0, 0], &record[34..]].concat());
        let zero: Vec<u8> = zero.collect();
        let change = |job: &mut conversion::Job| job.scores = ScoreChange::Column(column);
        assert!(convert_with(FileFormat::Psv, FileFormat::Psv, &zero, change).unwrap().0 == psv, "{name}");
    }
    let extraction =
        Extraction::new(vec![Input::path(sample_path("sample.psv"))], Output::path(path("a.u32")));
    assert!(matches!(extraction.run(&mut ()), Err(DatasetError::ScoreSign(_))));

    let three = &psv[..3 * SIZE];
    let given = |name: &str, bytes: &[u8]| {
        fs::write(path(name), bytes).unwrap();
        let column = Column::open(Input::path(path(name)))?;
        assert_eq!(column.scores(), Some(3));
        let change = |job: &mut conversion::Job| job.scores = ScoreChange::Column(column);
        Ok(scores_of(&convert_with(FileFormat::Psv, FileFormat::Psv, three, change)?.0))
    };
    let floats = [f32::NAN, -2.5, 1e9].map(f32::to_le_bytes).concat();
    let numbers = [u32::MAX, 7, 70_000].map(u32::to_le_bytes).concat();
    for (name, bytes, rest) in [("c.f32", floats, [-3, 32_000]), ("c.u32", numbers, [7, 32_000])] {
        let expected = [scores[0], rest[0], rest[1]].map(i16::to_le_bytes).concat();
        assert_eq!(given(name, &bytes).unwrap(), expected, "{name}");
        let short = given(name, &bytes[1..]);
        assert!(matches!(short, Err(DatasetError::ScoreSize { size: 11, each: 4, .. })), "{name}");
    }
}

#[test]
fn a_bad_record_is_an_error() {
    let mut psv = sample("sample.psv");
    psv[1234 * SIZE + 1] ^= 0xff;
    assert!(
        matches!(extracted(FileFormat::Psv, &psv), Err(DatasetError::Record(error)) if error.record == 1234)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn merged_scores_are_extracted_unchanged(scores in prop::collection::vec(-32000..32000_i16, 0..2000)) {
        let psv = &sample("sample.psv")[..scores.len() * SIZE];
        let column: Vec<u8> = scores.into_iter().flat_map(i16::to_le_bytes).collect();
        let result = merged(psv, &column).unwrap();
        prop_assert!(extracted(FileFormat::Psv, &result).unwrap().0 == column);
    }
}
