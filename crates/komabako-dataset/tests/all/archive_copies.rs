//! What copies of archives keep besides records, and archives to which others are added.

use std::fs;
use std::io::Read;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::thread;

use komabako_archive::{
    Codec, Column, Encoding, Header, Index, IndexEntry, Source as ArchiveSource, encode_block,
};
use komabako_dataset::archive::{Archiving, Summary};
use komabako_dataset::convert::{Job, Rescale, ScoreChange};
use komabako_dataset::large::Shuffle;
use komabako_dataset::select::Mask;
use komabako_dataset::{
    Compression, DatasetError, FileFormat, Input, Note, Output, Selection, detect, large, mix, repair, split,
};
use tempfile::TempDir;

use crate::common::{names, sample};

/// A directory, and the records of the sample.
struct Place {
    directory: TempDir,
    psv: Vec<u8>,
}

impl Place {
    fn new() -> Place {
        Place { directory: TempDir::new().unwrap(), psv: sample("sample.psv") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// An archive in blocks of 100 records, with a header and users' columns after each block.
    fn archive(&self, name: &str, header: &Header, columns: &[&str]) -> PathBuf {
        let mut bytes = header.to_bytes().unwrap();
        let mut index = Index::default();
        for records in self.psv.chunks(100 * 40) {
            let first = index.records();
            let records_of_block = (records.len() / 40) as u32;
            index.blocks.push(IndexEntry { offset: bytes.len() as u64, first, records: records_of_block });
            bytes.extend(encode_block(ArchiveSource::Psv, records, first, &Encoding::new(Codec::Columns)));
            for &column in columns {
                let column = Column { name: column.into(), width: 2, values: vec![5; records.len() / 20] };
                bytes.extend(column.to_block(first, records_of_block).unwrap());
            }
        }
        bytes.extend(index.to_end(bytes.len() as u64).unwrap());
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

fn header(metadata: &str) -> Header {
    Header { metadata: metadata.into(), ..Header::new(ArchiveSource::Psv) }
}

fn input(path: &Path) -> Vec<Input<'static>> {
    vec![Input::path(path)]
}

/// What a reader of all of an archive finds, and the records.
fn read(path: &Path) -> (Summary, Vec<u8>) {
    let (detection, mut content) = detect::open(Input::path(path), None).unwrap();
    let mut records = Vec::new();
    content.read_to_end(&mut records).unwrap();
    (detection.archive.unwrap().summary(), records)
}

fn metadata(path: &Path) -> serde_json::Value {
    let (summary, _) = read(path);
    let [metadata] = &summary.metadata[..] else { panic!("{summary:?}") };
    serde_json::from_slice(metadata).unwrap()
}

/// Converts a file to another, and returns the notes.
fn convert(
    input: Vec<Input>,
    output: &Path,
    change: impl FnOnce(&mut Job),
) -> Result<Vec<Note>, DatasetError> {
    let mut job = Job::new(input, Output::path(output));
    job.options.force = true;
    change(&mut job);
    Ok(job.plan()?.run(&mut ())?.counts.notes)
}

fn left_out(names: &[&str]) -> Vec<Note> {
    vec![Note::Metadata(names.iter().map(|&name| name.into()).collect())]
}

#[test]
fn a_copy_keeps_what_the_header_says() {
    let place = Place::new();
    let text = r#"{"note":"駒","program":"other 1.0","x-engine":{"nodes":800,"eval":123456789012345678901234567890},"score":{"unit":"cp"}}"#;
    let original = place.archive("a.kmb", &header(text), &[]);
    let copy = place.path("b.kmb");
    assert_eq!(convert(input(&original), &copy, |_| {}).unwrap(), []);
    let (summary, records) = read(&copy);
    assert!(records == place.psv);
    // Numbers stay as they were written, whatever a program could hold.
    let kept = String::from_utf8(summary.metadata[0].clone()).unwrap();
    for part in [
        r#""note":"駒""#,
        r#""x-engine":{"nodes":800,"eval":123456789012345678901234567890}"#,
        r#""program":"komabako "#,
    ] {
        assert!(kept.contains(part), "{kept}");
    }
    // From a stream, and a range.
    let bytes = fs::read(&original).unwrap();
    let stream = vec![Input::Stream("input".into(), Box::new(&bytes[..]))];
    convert(stream, &copy, |job| job.select = Selection::Range(5..500)).unwrap();
    assert_eq!(read(&copy).0.metadata, summary.metadata);

    // What is not true any more, or of some records only, is named.
    let rescale =
        |job: &mut Job| job.scores = ScoreChange::Rescale(Rescale { scale: 2.0, clamp: None, mate: None });
    assert_eq!(convert(input(&original), &copy, rescale).unwrap(), left_out(&["score"]));
    assert_eq!(metadata(&copy)["note"], "駒");
    assert_eq!(metadata(&copy)["score"], serde_json::Value::Null);
    let to_hcpe = |job: &mut Job| job.to = Some(FileFormat::Hcpe);
    assert_eq!(convert(input(&original), &copy, to_hcpe).unwrap(), left_out(&["score"]));
    let other = place.archive("other.kmb", &header(r#"{"note":"駒","score":{"unit":"wp"}}"#), &[]);
    let both = || vec![Input::path(&original), Input::path(&other)];
    assert_eq!(convert(both(), &copy, |_| {}).unwrap(), left_out(&["score", "x-engine"]));
    assert_eq!(metadata(&copy)["note"], "駒");
    fs::write(place.path("plain.psv"), &place.psv).unwrap();
    let with_plain = vec![Input::path(&other), Input::path(place.path("plain.psv"))];
    assert_eq!(convert(with_plain, &copy, |_| {}).unwrap(), left_out(&["note", "score"]));

    // Metadata that is none.
    let broken = place.archive("broken.kmb", &Header { metadata: vec![0xff, 0], ..header("") }, &[]);
    let notes = convert(input(&broken), &copy, |_| {}).unwrap();
    assert_eq!(notes, left_out(&[""]));
    assert!(notes[0].to_string().ends_with("left out: ?"), "{}", notes[0]);
    // An output that is no archive has none of it.
    let all = left_out(&["note", "score", "x-engine"]);
    assert_eq!(convert(input(&original), &place.path("c.psv"), |_| {}).unwrap(), all);
}

/// Every job that writes records keeps the metadata, and that the order was given up; and names the columns that it leaves out.
#[test]
fn every_job_keeps_headers_and_names_columns() {
    let place = Place::new();
    let sealed = Header { order_lost: true, ..header(r#"{"note":"n"}"#) };
    let original = place.archive("a.kmb", &sealed, &["mark", "深い評価値"]);
    assert_eq!(read(&original).0.columns.len(), 2);
    let columns = [Note::Columns(vec!["mark".into(), "深い評価値".into()])];
    let out = place.path("out.kmb");
    let to = || Output::path(&out);
    let shuffle = Some(Shuffle { seed: 1, phased: false });
    let shuffled = large::Job { shuffle, ..large::Job::new(input(&original), to()) };
    let ratio = split::Rule::Ratio { weights: vec![1], seed: 1 };
    let names = split::Names::Each(vec![out.clone()]);
    let check = |job: &str, notes: &[Note]| {
        assert_eq!(notes, columns, "{job}");
        let (summary, records) = read(&out);
        assert!(summary.order_lost && summary.columns.is_empty(), "{job}");
        assert_eq!(records.len(), place.psv.len(), "{job}");
        assert_eq!(metadata(&out)["note"], "n", "{job}");
        fs::remove_file(&out).unwrap();
    };
    check("convert", &convert(input(&original), &out, |_| {}).unwrap());
    check("shuffle", &shuffled.plan(&mut ()).unwrap().run(&mut ()).unwrap().counts.notes);
    let job = split::Job::new(input(&original), ratio, names);
    check("split", &job.plan().unwrap().run(&mut ()).unwrap().counts.notes);
    let job = mix::Job::new(vec![(Input::path(&original), NonZeroU32::MIN)], to(), 1);
    check("mix", &job.plan().unwrap().run(&mut ()).unwrap().counts.notes);
    let job = repair::Job::new(input(&original), to());
    check("repair", &job.plan().unwrap().run(&mut ()).unwrap().counts.notes);
    // No more are columns a part of a plain file; and a reader of some records need not come to them.
    let [column] = columns;
    let noted = [left_out(&["note"]), vec![column]].concat();
    for select in [
        Selection::All,
        Selection::Range(0..10),
        Selection::Range(150..160),
        Selection::Sample { count: 3, seed: 1 },
        Selection::Last(7),
    ] {
        let copied = |job: &mut Job| {
            job.select = select;
            job.copy = true;
        };
        assert_eq!(convert(input(&original), &place.path("b.psv"), copied).unwrap(), noted);
    }
}

/// An archive is not deleted if the output lacks something that it has.
#[test]
fn archives_with_metadata_or_columns_are_not_deleted() {
    let place = Place::new();
    for (text, columns, output, is_kept) in [
        (r#"{"note":"n"}"#, &[][..], "out.psv", true),
        (r#"{"note":"n"}"#, &[], "out.kmb", false),
        ("{}", &["mark"], "out.kmb", true),
        (r#"{"program":"other 1.0"}"#, &[], "out.psv", false),
    ] {
        let archive = place.archive("a.kmb", &header(text), columns);
        let unique = Some(large::Unique { by: large::Sameness::Record, ..Default::default() });
        for (unique, shuffle) in [(unique, None), (None, Some(Shuffle { seed: 1, phased: false }))] {
            fs::copy(&archive, place.path("in.kmb")).unwrap();
            let inputs = input(&place.path("in.kmb"));
            let job = large::Job::new(inputs, Output::path(place.path(output)));
            let mut job = large::Job { unique, shuffle, delete_inputs: true, ..job };
            job.options.force = true;
            assert_eq!(job.plan(&mut ()).unwrap().run(&mut ()).unwrap().kept_inputs, is_kept, "{text}");
            assert_eq!(place.path("in.kmb").exists(), is_kept, "{text} {columns:?} {output}");
        }
    }
}

/// A mask or a column goes by the numbers of records, which are others once the order is given up.
#[test]
fn numbers_of_an_archive_without_order_are_noted() {
    let place = Place::new();
    let original = place.archive("a.kmb", &Header { order_lost: true, ..header("{}") }, &[]);
    let scores = place.path("a.i16");
    fs::write(&scores, [0; 4000]).unwrap();
    let noted = [Note::Order(vec![original.display().to_string()])];
    let out = place.path("out.psv");
    let merge = |job: &mut Job| {
        let column = komabako_dataset::scores::Column::open(Input::path(&scores));
        job.scores = ScoreChange::Column(column.unwrap());
    };
    assert_eq!(convert(input(&original), &out, merge).unwrap(), noted);
    let mask = |job: &mut Job| job.select = Selection::Mask(Mask::from_bytes(vec![0xff; 250]));
    assert_eq!(convert(input(&original), &out, mask).unwrap(), noted);
    assert_eq!(convert(input(&original), &out, |_| {}).unwrap(), []);
    let ordered = place.archive("b.kmb", &header("{}"), &[]);
    assert_eq!(convert(input(&ordered), &out, mask).unwrap(), []);
}

#[test]
fn an_archive_grows_by_a_member() {
    let place = Place::new();
    let out = place.path("all.kmb");
    let psv = place.path("a.psv");
    fs::write(&psv, &place.psv).unwrap();
    let append = |to: &Path, change: fn(&mut Job)| {
        convert(input(&psv), to, |job| {
            job.options.force = false;
            job.append = true;
            change(job);
        })
    };
    // The first time it is written.
    for times in 1..=3 {
        append(&out, |job| job.compression = Some(Compression::Archive(Archiving::FAST))).unwrap();
        let (summary, records) = read(&out);
        assert_eq!((summary.members, summary.records), (times, 2000 * times as u64));
        assert!(records == place.psv.repeat(times));
    }
    // What exists is kept where the new member cannot be written, and nothing is left behind.
    let before = fs::read(&out).unwrap();
    let hcpe = |job: &mut Job| job.to = Some(FileFormat::Hcpe);
    assert_eq!(append(&out, hcpe).unwrap_err().kind(), "other_format");
    assert_eq!(append(&psv, |_| {}).unwrap_err().kind(), "same_file");
    let plain = place.path("plain.psv");
    fs::write(&plain, &place.psv).unwrap();
    assert_eq!(append(&plain, |_| {}).unwrap_err().kind(), "not_appended");
    assert_eq!(append(&place.path("new.psv"), |_| {}).unwrap_err().kind(), "not_appended");
    let damaged = place.path("damaged.kmb");
    fs::write(&damaged, &before[..before.len() - 1]).unwrap();
    assert_eq!(append(&damaged, |_| {}).unwrap_err().kind(), "not_appended");
    let cut = place.path("cut.psv");
    fs::write(&cut, [&place.psv[..], &[0xff; 40]].concat()).unwrap();
    let bad = convert(input(&cut), &out, |job| {
        job.append = true;
        job.compression = None;
    });
    assert_eq!(bad.unwrap_err().kind(), "record");
    assert!(fs::read(&out).unwrap() == before);
    assert_eq!(names(place.directory.path()), ["a.psv", "all.kmb", "cut.psv", "damaged.kmb", "plain.psv"]);
    // An archive of hcpe takes hcpe without being asked.
    let hcpe = place.path("hcpe.kmb");
    convert(input(&psv), &hcpe, |job| job.to = Some(FileFormat::Hcpe)).unwrap();
    append(&hcpe, |_| {}).unwrap();
    assert!(read(&hcpe).1 == sample("sample.hcpe").repeat(2));
}

/// Each record is either in the archive, or its job has failed.
#[test]
fn jobs_that_add_to_one_archive_at_once_lose_nothing() {
    let place = Place::new();
    let out = place.path("all.kmb");
    let psv = place.path("a.psv");
    fs::write(&psv, &place.psv).unwrap();
    let add = || {
        convert(input(&psv), &out, |job| {
            job.options.force = false;
            job.append = true;
            job.compression = Some(Compression::Archive(Archiving::FAST));
        })
    };
    add().unwrap();
    let added = thread::scope(|scope| {
        let jobs = [(); 4].map(|()| scope.spawn(add));
        let done = jobs.map(|job| job.join().unwrap());
        for error in done.iter().filter_map(|done| done.as_ref().err()) {
            // Wine 8 and older Windows do not replace a file that another job is reading.
            let refused = ["in_use", "altered", "appeared", "write"];
            assert!(refused[..if cfg!(windows) { 4 } else { 2 }].contains(&error.kind()), "{error}");
        }
        done.iter().flatten().count()
    });
    assert!(added > 0 && read(&out).1 == place.psv.repeat(1 + added));
    let other = fs::File::options().read(true).write(true).open(&out).unwrap();
    if cfg!(unix) {
        other.lock().unwrap();
    }
    assert_eq!(add().unwrap_err().kind(), "in_use");
    drop(other);
    add().unwrap();
    if cfg!(unix) {
        assert_eq!(names(place.directory.path()), ["a.psv", "all.kmb"]);
    }
}
