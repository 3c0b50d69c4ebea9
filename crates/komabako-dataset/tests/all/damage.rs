//! Damaged inputs and unwritable outputs: a clear error, nothing lost, nothing left behind.

use std::fs;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use crate::common::{convert_good, convert_with, names, sample, sample_path};
use komabako_dataset::convert::{Job, OnBadRecord};
use komabako_dataset::error::{PlainFault, RecordFault, TailCause};
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{Compression, DatasetError, FileFormat, Input, Output, Step};

const PSV_TO_HCPE: (FileFormat, FileFormat) = (FileFormat::Psv, FileFormat::Hcpe);

#[test]
fn a_truncated_input_is_an_error_unless_salvaged() {
    let (from, to) = PSV_TO_HCPE;
    let psv = sample("sample.psv");
    let cut = &psv[..psv.len() - 15];
    let error = convert_with(from, to, cut, |_| {}).unwrap_err();
    assert_eq!(error.kind(), "truncated");
    let DatasetError::Tail(tail) = error else { panic!("{error}") };
    assert_eq!((tail.records, tail.offset, tail.length), (1999, 1999 * 40, 25));

    let (converted, summary) = convert_with(from, to, cut, |job| job.options.salvage = true).unwrap();
    assert_eq!(converted, sample("sample.hcpe")[..1999 * Hcpe::SIZE]);
    assert_eq!(summary.counts.tails, [*tail]);
}

#[test]
fn comments_are_skipped_but_counted_as_lines() {
    let sfens = &crate::common::sample_sfens()[..2];
    // More comments than a block holds, and a byte order mark, which belongs to no line.
    let comments = "# from a book\n".repeat(200_000);
    let text = format!("\u{feff}{comments}\n{}\n\n  # indented\n{}\r\nwrong\n", sfens[0], sfens[1]);
    let (converted, summary) = convert_good(FileFormat::Sfen, FileFormat::Sfen, text.as_bytes());
    assert_eq!(converted, format!("{}\n{}\n", sfens[0], sfens[1]).as_bytes());
    let [bad] = &summary.counts.samples[..] else { panic!("{:?}", summary.counts.samples) };
    let offset = text.find("wrong").unwrap() as u64;
    assert_eq!((bad.record, bad.line, bad.offset), (2, Some(200_006), offset));
    assert!(bad.to_string().starts_with("input: record 2 (line 200,006, byte "), "{bad}");

    let (_, summary) = convert_good(FileFormat::Psv, FileFormat::Sfen, &[0xff; Psv::SIZE]);
    assert_eq!(summary.counts.samples[0].line, None);
}

#[test]
fn a_truncated_file_is_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("cut.psv");
    let output = directory.path().join("out.hcpe");
    let psv = sample("sample.psv");
    fs::write(&input, &psv[..psv.len() - 1]).unwrap();
    let job = Job::new(vec![Input::path(&input)], Output::path(&output));
    assert_eq!(job.plan().err().unwrap().kind(), "truncated");
    assert_eq!(names(directory.path()), ["cut.psv"]);
}

#[test]
fn truncated_compressed_data_is_distinguished_from_a_whole_file() {
    let psv = sample("sample.psv").repeat(20);
    for compression in [Compression::Zstd, Compression::Gzip, Compression::Xz] {
        let mut encoder = compression.encoder(Vec::new(), 1).unwrap();
        encoder.write_all(&psv).unwrap();
        let packed = encoder.finish().unwrap();
        let cut = &packed[..packed.len() - 10];
        let error = convert_with(FileFormat::Psv, FileFormat::Psv, cut, |_| {}).unwrap_err();
        assert_eq!(error.kind(), "truncated", "{}: {error}", compression.name());

        let salvage = convert_with(FileFormat::Psv, FileFormat::Psv, cut, |job| job.options.salvage = true);
        let (salvaged, summary) = salvage.unwrap();
        assert_eq!(summary.counts.tails[0].cause, TailCause::Compressed);
        assert!(salvaged.len() > 100_000, "{}: {} bytes", compression.name(), salvaged.len());
        assert_eq!(salvaged, psv[..salvaged.len()]);
    }
}

#[test]
fn flipped_bits_of_compressed_data_are_reported_and_salvage_keeps_the_start() {
    let psv = sample("sample.psv").repeat(20);
    for compression in [Compression::Zstd, Compression::Gzip, Compression::Xz] {
        let mut encoder = compression.encoder(Vec::new(), 1).unwrap();
        encoder.write_all(&psv).unwrap();
        let sound = encoder.finish().unwrap();
        // In the data, and in the checksum at the end or the index before it.
        for at in [sound.len() / 2, sound.len() - 2] {
            let mut packed = sound.clone();
            packed[at] ^= 0x10;
            // After a flipped bit, records may make no sense.
            let convert = |salvage| {
                convert_with(FileFormat::Psv, FileFormat::Psv, &packed, |job| {
                    job.options.salvage = salvage;
                    job.on_bad_record = OnBadRecord::Skip;
                })
            };
            let error = convert(false).unwrap_err();
            assert_eq!(error.kind(), "damaged", "{}: {error}", compression.name());
            let (_, summary) = convert(true).unwrap();
            assert_eq!(summary.counts.tails[0].cause, TailCause::Corrupt);
            assert!(
                summary.counts.tails[0].records == summary.counts.read && summary.counts.written > 0,
                "{summary:?}"
            );
        }
    }
}

/// A stream that fails to read is not reported as corrupt data.
#[test]
fn read_errors_are_not_reported_as_corruption() {
    struct Failing(io::ErrorKind);
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
    }
    let psv = sample("sample.psv").repeat(20);
    for &compression in Compression::ALL {
        let mut encoder = compression.encoder(Vec::new(), 1).unwrap();
        encoder.write_all(&psv).unwrap();
        let packed = encoder.finish().unwrap();
        // A connection that ends without its farewell fails with the second.
        for kind in [io::ErrorKind::Other, io::ErrorKind::UnexpectedEof] {
            let stream = io::Cursor::new(packed[..packed.len() / 2].to_vec()).chain(Failing(kind));
            let output = Output::Stream("output".into(), Box::new(io::sink()));
            let mut job = Job::new(vec![Input::Stream("input".into(), Box::new(stream))], output);
            job.options.from = Some(FileFormat::Psv);
            job.to = Some(FileFormat::Psv);
            job.options.salvage = true;
            let error = job.plan().unwrap().run(&mut ()).unwrap_err();
            assert_eq!(error.kind(), "read", "{}: {error}", compression.name());
        }
    }
}

/// Records 3, 700 and 1999 are bad, each in a different way.
fn with_bad_records() -> Vec<u8> {
    let mut psv = sample("sample.psv");
    let mut at = |record: usize, byte: usize, value: u8| psv[record * Psv::SIZE + byte] = value;
    at(3, 0, 0xfe); // Black's king on square 127
    at(700, 38, 2); // a result beyond 1
    at(1999, 34, 0x7f); // a move to square 127
    psv
}

#[test]
fn the_first_bad_record_stops_and_is_named() {
    let (from, to) = PSV_TO_HCPE;
    let error = convert_with(from, to, &with_bad_records(), |_| {}).unwrap_err();
    assert_eq!(error.kind(), "record");
    assert!(error.to_string().starts_with("input: record 3 (byte 120): position:"), "{error}");
    let DatasetError::Record(error) = error else { panic!("{error}") };
    assert_eq!((error.record, error.offset, error.fault.name()), (3, 120, "KING_CODE"));
}

#[test]
fn skipped_records_are_counted_by_kind() {
    let (from, to) = PSV_TO_HCPE;
    let (converted, summary) = convert_good(from, to, &with_bad_records());
    let good: Vec<u8> = sample("sample.hcpe")
        .chunks(Hcpe::SIZE)
        .enumerate()
        .filter(|(record, _)| ![3, 700, 1999].contains(record))
        .flat_map(|(_, bytes)| bytes.to_vec())
        .collect();
    assert_eq!(converted, good);
    assert_eq!((summary.counts.read, summary.counts.written, summary.counts.bad_total()), (2000, 1997, 3));
    assert_eq!(
        summary.counts.bad.keys().map(|name| &**name).collect::<Vec<_>>(),
        ["KING_CODE", "MOVE_TO", "RESULT"]
    );
    let places: Vec<_> = summary.counts.samples.iter().map(|error| (error.record, error.offset)).collect();
    assert_eq!(places, [(3, 120), (700, 28_000), (1999, 79_960)]);
}

/// The move is not examined if it is not written.
#[test]
fn position_with_a_bad_move_is_still_read() {
    let (_, summary) = convert_good(FileFormat::Psv, FileFormat::Sspfv1, &with_bad_records());
    assert_eq!((summary.counts.written, summary.counts.bad_total()), (1998, 2));
}

#[test]
fn collected_records_are_the_input_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let bad = directory.path().join("bad.psv");
    let psv = with_bad_records();
    let collect = |job: &mut Job| job.on_bad_record = OnBadRecord::Collect(bad.clone());
    let (_, summary) = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, collect).unwrap();
    assert_eq!(summary.counts.written, 1997);
    let records: Vec<u8> = [3, 700, 1999].into_iter().flat_map(|at| psv[at * 40..][..40].to_vec()).collect();
    assert_eq!(fs::read(&bad).unwrap(), records);
    let reasons = fs::read_to_string(directory.path().join("bad.psv.reasons.tsv")).unwrap();
    let columns: Vec<Vec<&str>> = reasons.lines().map(|line| line.split('\t').take(4).collect()).collect();
    assert_eq!(
        columns,
        [
            ["input", "record", "offset", "fault"],
            ["input", "3", "120", "KING_CODE"],
            ["input", "700", "28000", "RESULT"],
            ["input", "1999", "79960", "MOVE_TO"],
        ]
    );

    let again = convert_with(FileFormat::Psv, FileFormat::Hcpe, &psv, collect).unwrap_err();
    assert_eq!(again.kind(), "exists");
}

#[test]
fn no_file_is_created_without_bad_records() {
    let directory = tempfile::tempdir().unwrap();
    let collect = |job: &mut Job| job.on_bad_record = OnBadRecord::Collect(directory.path().join("bad.sfen"));
    convert_with(FileFormat::Sfen, FileFormat::Hcp, b"startpos\n", collect).unwrap();
    assert!(names(directory.path()).is_empty());
    let lines = b"startpos\n  lnsg \n\nstartpos\nx";
    convert_with(FileFormat::Sfen, FileFormat::Hcp, lines, collect).unwrap();
    assert_eq!(fs::read_to_string(directory.path().join("bad.sfen")).unwrap(), "lnsg\nx\n");
}

#[test]
fn handicap_positions_are_refused_by_formats_without_a_box() {
    let lines =
        b"startpos\nlnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n4k4/9/9/9/9/9/9/9/9 b - 1\n";
    for (to, written) in [(FileFormat::Nshogi, 1), (FileFormat::Sspfv1, 1), (FileFormat::Psv, 2)] {
        let (_, summary) = convert_good(FileFormat::Sfen, to, lines);
        assert_eq!(summary.counts.written, written, "{to}");
        assert_eq!(summary.counts.bad.contains_key("PIECE_REMOVED"), written == 1);
        assert_eq!(summary.counts.bad_total(), 3 - written);
    }
}

#[test]
fn special_moves_and_large_plies_are_refused_if_they_do_not_fit() {
    let block = |mv: &str, ply: &str| format!("sfen startpos\nmove {mv}\nscore 1\nply {ply}\nresult 0\ne\n");
    let plain = [block("win", "1"), block("null", "65536"), block("resign", "9")].concat();
    let (_, summary) = convert_good(FileFormat::Plain, FileFormat::Hcpe, plain.as_bytes());
    assert_eq!((summary.counts.written, summary.counts.bad["MOVE_NO_SPECIAL"]), (1, 2));
    let (_, summary) = convert_good(FileFormat::Plain, FileFormat::Psv, plain.as_bytes());
    assert_eq!((summary.counts.written, summary.counts.bad["PLY"]), (2, 1));
}

#[test]
fn faults_of_plain_text_name_the_line() {
    let error =
        |block: &str| convert_with(FileFormat::Plain, FileFormat::Psv, block.as_bytes(), |_| {}).unwrap_err();
    for (block, fault) in [
        ("sfen startpos\nscore x\ne\n", RecordFault::Plain(PlainFault::Number, 2)),
        ("sfen startpos\nscore 40000\ne\n", RecordFault::Plain(PlainFault::Number, 2)),
        ("sfen startpos\nmove 7g7f\nmove 7g7f\ne\n", RecordFault::Plain(PlainFault::Repeated, 3)),
        ("sfen startpos\neval 3\ne\n", RecordFault::Plain(PlainFault::Key, 2)),
        ("move 7g7f\ne\n", RecordFault::Plain(PlainFault::SfenMissing, 2)),
        ("sfen startpos\nresult 3\ne\n", RecordFault::Result(3)),
    ] {
        let DatasetError::Record(error) = error(block) else { panic!("{block}") };
        assert_eq!(error.fault, fault, "{block}");
    }
    assert_eq!(error("sfen startpos\n").kind(), "truncated");
}

#[test]
fn an_existing_output_is_overwritten_only_by_force() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.hcpe");
    fs::write(&output, "precious").unwrap();
    let job = |force| {
        let mut job = Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&output));
        job.options.force = force;
        job
    };
    assert_eq!(job(false).plan().err().unwrap().kind(), "exists");
    assert_eq!(fs::read(&output).unwrap(), b"precious");

    let plan = job(true).plan().unwrap();
    let cancelled = plan.run(&mut |_: &Step| ControlFlow::Break(())).unwrap_err();
    assert_eq!(cancelled.kind(), "cancelled");
    assert_eq!(fs::read(&output).unwrap(), b"precious");
    assert_eq!(names(directory.path()), ["out.hcpe"]);

    job(true).plan().unwrap().run(&mut ()).unwrap();
    assert_eq!(fs::read(&output).unwrap(), sample("sample.hcpe"));
    assert_eq!(names(directory.path()), ["out.hcpe"]);
}

/// Between planning and the end, another program creates the output.
#[test]
fn an_output_that_appears_meanwhile_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.hcpe");
    let job = Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&output));
    let plan = job.plan().unwrap();
    let appear = |_: &Step| {
        fs::write(&output, "theirs").unwrap();
        ControlFlow::Continue(())
    };
    assert_eq!(plan.run(&mut { appear }).unwrap_err().kind(), "appeared");
    assert_eq!(fs::read(&output).unwrap(), b"theirs");
    // Ours too.
    assert_eq!(names(directory.path()), ["out.hcpe", "out.hcpe.complete"]);
    assert_eq!(fs::read(directory.path().join("out.hcpe.complete")).unwrap(), sample("sample.hcpe"));
}

#[test]
fn a_failed_conversion_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("bad.psv");
    fs::write(&input, with_bad_records()).unwrap();
    let job = Job::new(vec![Input::path(&input)], Output::path(directory.path().join("out.hcpe")));
    assert_eq!(job.plan().unwrap().run(&mut ()).unwrap_err().kind(), "record");
    assert_eq!(names(directory.path()), ["bad.psv"]);
    assert_eq!(fs::read(&input).unwrap(), with_bad_records());
}

#[test]
fn an_input_is_never_the_output() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.psv");
    fs::write(&path, sample("sample.psv")).unwrap();
    let mut job = Job::new(vec![Input::path(&path)], Output::path(directory.path().join("./a.psv")));
    job.options.force = true;
    assert_eq!(job.plan().err().unwrap().kind(), "same_file");

    let mut job = Job::new(vec![Input::path(&path)], Output::path(directory.path().join("b.psv")));
    job.on_bad_record = OnBadRecord::Collect(directory.path().join("b.psv"));
    assert_eq!(job.plan().err().unwrap().kind(), "same_file");
    assert_eq!(fs::read(&path).unwrap(), sample("sample.psv"));
}

#[test]
fn a_missing_directory_and_a_missing_input_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("missing/out.hcpe");
    let job = Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(&output));
    let error = job.plan().err().unwrap();
    assert_eq!(error.kind(), "create");
    assert!(error.to_string().contains("out.hcpe"), "{error}");
    let job = Job::new(vec![Input::path(&output)], Output::path(directory.path().join("out.hcpe")));
    assert_eq!(job.plan().err().unwrap().kind(), "open");
}

#[test]
fn formats_that_cannot_be_written_are_refused() {
    let job = |to: &str| Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(to.to_owned()));
    let mut lenient = job("a.psv");
    lenient.to = Some(FileFormat::PsvLenient);
    assert_eq!(lenient.plan().err().unwrap().kind(), "read_only_format");
    assert_eq!(job("a.dat").plan().err().unwrap().kind(), "output_format");
    let mut mixed = job("a.sfen");
    mixed.inputs.push(Input::path(sample_path("sample.hcpe")));
    mixed.on_bad_record = OnBadRecord::Collect("bad".into());
    assert_eq!(mixed.plan().err().unwrap().kind(), "mixed_formats");
}

/// Accepts this many bytes and is then full.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error_in_every_compression() {
    for &compression in Compression::ALL {
        for room in [0, 2_000] {
            let output = Output::Stream("disk".into(), Box::new(Disk(room)));
            let mut job = Job::new(vec![Input::path(sample_path("sample.psv"))], output);
            job.to = Some(FileFormat::Hcpe);
            job.compression = Some(compression);
            let error = job.plan().unwrap().run(&mut ()).unwrap_err();
            assert_eq!(error.kind(), "write", "{compression:?} with room for {room}");
        }
    }
}

/// A device is written to, not replaced.
#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_directly() {
    let job = |path: &str| {
        let mut job = Job::new(vec![Input::path(sample_path("sample.psv"))], Output::path(path.to_owned()));
        job.to = Some(FileFormat::Hcpe);
        job
    };
    assert_eq!(job("/dev/full").plan().unwrap().run(&mut ()).unwrap_err().kind(), "write");
    assert_eq!(job("/dev/null").plan().unwrap().run(&mut ()).unwrap().counts.written, 2000);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn empty_inputs_make_outputs_without_records() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("nothing");
    let output = directory.path().join("out.hcpe");
    fs::write(&input, "").unwrap();
    let job = Job::new(vec![Input::path(&input)], Output::path(&output));
    let summary = job.plan().unwrap().run(&mut ()).unwrap();
    assert_eq!((summary.counts.read, summary.counts.written), (0, 0));
    assert_eq!(fs::read(&output).unwrap(), b"");
    for &from in FileFormat::ALL {
        for to in FileFormat::ALL.iter().copied().filter(|format| format.can_write()) {
            let (out, summary) = convert_good(from, to, b"");
            assert!(out == to.header() && summary.counts.read == 0, "{from} to {to}");
        }
    }
}

/// A report is neither incomplete nor written over an input.
#[test]
fn report_is_written_atomically_and_overwrites_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let report = directory.path().join("report.html");
    let input = directory.path().join("a.psv");
    fs::write(&input, sample("sample.psv")).unwrap();
    let inputs = [Input::path(&input)];
    let kind = |result: Result<(), DatasetError>| result.map_err(|error| error.kind());
    assert_eq!(kind(Output::path(&input).check(&inputs, true)), Err("same_file"));
    assert_eq!(kind(Output::path(&report).check(&inputs, false)), Ok(()));
    assert_eq!(kind(Output::path(&report).write(b"first", false)), Ok(()));
    assert_eq!(kind(Output::path(&report).check(&inputs, false)), Err("exists"));
    assert_eq!(kind(Output::path(&report).write(b"second", false)), Err("exists"));
    assert_eq!(fs::read(&report).unwrap(), b"first");
    assert_eq!(kind(Output::path(&report).write(b"second", true)), Ok(()));
    assert_eq!(fs::read(&report).unwrap(), b"second");
    assert_eq!(names(directory.path()), ["a.psv", "report.html"]);
    assert_eq!(kind(Output::path(directory.path().join("no/such")).write(b"", false)), Err("create"));
}
