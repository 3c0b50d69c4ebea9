//! Files that change while a job reads them.

use core::num::{NonZeroU32, NonZeroU64};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::UNIX_EPOCH;

use komabako_dataset::large::Shuffle;
use komabako_dataset::{
    Compression, DatasetError, FileFormat, Input, JobOptions, MoveReading, Output, Progress, Selection, Step,
    convert, diff, kifu, large, mix, repair, scores, split, stats, validate,
};
use komabako_testkit::files::set_modified;
use tempfile::TempDir;

use crate::common::{names, sample};

/// The number of records: 4 MB. A job on one thread has read half of them at the most when it reports its progress first.
const RECORDS: usize = 100_000;
const PSV: u64 = 40;

/// A change by another program.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Truncates the file at the end of a record, where the job has not come yet.
    Truncate,
    /// Truncates it inside a record.
    TruncateInside,
    /// Appends to it.
    Append,
    /// Overwrites a record that was read.
    Overwrite,
}

const CHANGES: [Change; 4] = [Change::Truncate, Change::TruncateInside, Change::Append, Change::Overwrite];

impl Change {
    fn make(self, path: &Path) {
        let mut file = OpenOptions::new().write(true).open(path).unwrap();
        match self {
            Change::Truncate => file.set_len(RECORDS as u64 * PSV * 3 / 4).unwrap(),
            Change::TruncateInside => file.set_len(RECORDS as u64 * PSV * 3 / 4 + 13).unwrap(),
            Change::Append => {
                file = OpenOptions::new().append(true).open(path).unwrap();
                file.write_all(&[0; 40]).unwrap();
            }
            Change::Overwrite => file.write_all(&[0; 40]).unwrap(),
        }
    }
}

/// Makes the change at the first report of progress.
struct Disturbance<'p> {
    input: &'p Path,
    change: Option<Change>,
}

impl Progress for Disturbance<'_> {
    fn update(&mut self, _: &Step) -> ControlFlow<()> {
        if let Some(change) = self.change.take() {
            change.make(self.input);
        }
        ControlFlow::Continue(())
    }
}

fn records() -> Vec<u8> {
    let records = sample("sample.psv");
    records.into_iter().cycle().take(RECORDS * PSV as usize).collect()
}

fn options() -> JobOptions {
    JobOptions { threads: 1, ..JobOptions::default() }
}

/// A job on the input, and with outputs in the directory, if it has any.
type Run = fn(&Path, &Path, &mut dyn Progress) -> Result<(), DatasetError>;

fn inputs(input: &Path) -> Vec<Input<'static>> {
    vec![Input::path(input)]
}

fn converted(
    input: &Path,
    output: Output<'_>,
    change: impl FnOnce(&mut convert::Job),
    progress: &mut dyn Progress,
) -> Result<(), DatasetError> {
    let mut job = convert::Job { options: options(), ..convert::Job::new(inputs(input), output) };
    change(&mut job);
    job.plan()?.run(progress).map(drop)
}

fn selected(
    input: &Path,
    out: &Path,
    select: Selection,
    progress: &mut dyn Progress,
) -> Result<(), DatasetError> {
    converted(input, Output::path(out.join("out.psv")), |job| job.select = select, progress)
}

fn of_large(
    input: &Path,
    out: &Path,
    change: impl FnOnce(&mut large::Job),
    progress: &mut dyn Progress,
) -> Result<(), DatasetError> {
    let mut job = large::Job {
        options: options(),
        delete_inputs: true,
        ..large::Job::new(inputs(input), Output::path(out.join("out.psv")))
    };
    change(&mut job);
    job.plan(&mut ())?.run(progress).map(drop)
}

const JOBS: [(&str, Run); 16] = [
    ("convert", |input, out, progress| {
        converted(input, Output::path(out.join("out.hcpe")), |_| (), progress)
    }),
    ("copy", |input, out, progress| {
        converted(input, Output::path(out.join("out.psv")), |job| job.copy = true, progress)
    }),
    ("convert with salvage", |input, out, progress| {
        converted(input, Output::path(out.join("out.hcpe")), |job| job.options.salvage = true, progress)
    }),
    ("convert to a stream", |input, _, progress| {
        let output = Output::Stream("output".into(), Box::new(std::io::sink()));
        converted(input, output, |job| job.to = Some(FileFormat::Hcpe), progress)
    }),
    ("slice", |input, out, progress| selected(input, out, Selection::Range(100..99_000), progress)),
    ("tail", |input, out, progress| selected(input, out, Selection::Last(99_000), progress)),
    ("sample", |input, out, progress| {
        selected(input, out, Selection::Sample { count: 1_000, seed: 1 }, progress)
    }),
    ("split", |input, out, progress| {
        let names = split::Names::Pattern(out.join("out-{}.psv"));
        let job =
            split::Job::new(inputs(input), split::Rule::Records(NonZeroU64::new(30_000).unwrap()), names);
        split::Job { options: options(), ..job }.plan()?.run(progress).map(drop)
    }),
    ("mix", |input, out, progress| {
        let weighted = vec![(Input::path(input), NonZeroU32::MIN)];
        let job = mix::Job::new(weighted, Output::path(out.join("out.psv")), 1);
        mix::Job { options: options(), ..job }.plan()?.run(progress).map(drop)
    }),
    ("repair", |input, out, progress| {
        let job = repair::Job::new(inputs(input), Output::path(out.join("out.psv")));
        repair::Job { options: options(), ..job }.plan()?.run(progress).map(drop)
    }),
    ("stats", |input, _, progress| {
        let job = stats::Job { options: options(), ..stats::Job::new(inputs(input)) };
        job.plan()?.run(progress).map(drop)
    }),
    ("validate", |input, _, progress| {
        let job = validate::Job { options: options(), ..validate::Job::new(inputs(input)) };
        job.run(progress).map(drop)
    }),
    ("scores", |input, out, progress| {
        let job = scores::Extraction::new(inputs(input), Output::path(out.join("out.i16")));
        scores::Extraction { options: options(), ..job }.plan()?.run(progress).map(drop)
    }),
    ("diff", |input, out, progress| {
        let mut job = diff::Job::new(Input::path(input), Input::path(input));
        job.only_a = Some(out.join("out.psv"));
        job.options = options();
        job.run(progress).map(drop)
    }),
    ("dedup", |input, out, progress| {
        let unique = large::Unique { by: large::Sameness::Record, ..Default::default() };
        of_large(input, out, |job| job.unique = Some(unique), progress)
    }),
    ("shuffle", |input, out, progress| {
        of_large(input, out, |job| job.shuffle = Some(Shuffle { seed: 1, phased: false }), progress)
    }),
];

#[track_caller]
fn is_altered(result: Result<(), DatasetError>, input: &Path, what: &str) {
    match result {
        Err(DatasetError::Altered(path)) => assert_eq!(path, input, "{what}"),
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn a_change_of_an_input_is_an_error_of_every_job() {
    let place = TempDir::new().unwrap();
    let input = place.path().join("in.psv");
    let out = place.path().join("out");
    let content = records();
    fs::create_dir(&out).unwrap();
    for (name, run) in JOBS {
        // Every job reads its inputs with the same reader: not every change is tried with every job.
        let changes = if name == "convert" { &CHANGES[..] } else { &[Change::Truncate, Change::Append] };
        for &change in changes {
            fs::write(&input, &content).unwrap();
            let mut disturbance = Disturbance { input: &input, change: Some(change) };
            is_altered(run(&input, &out, &mut disturbance), &input, &format!("{name}, {change:?}"));
            assert!(input.exists() && names(&out).is_empty(), "{name}, {change:?}: {:?}", names(&out));
        }
        fs::write(&input, &content).unwrap();
        run(&input, &out, &mut ()).unwrap();
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
}

/// A compressed file that is truncated ends early, which `--salvage` would accept.
#[test]
fn a_change_of_a_compressed_input_is_an_error() {
    let place = TempDir::new().unwrap();
    let input = place.path().join("in.hcpe.gz");
    let out = place.path().join("out.psv");
    // Random moves, since the sample repeats itself and would be compressed to less than one buffer.
    let mut noise = 1_u64;
    let mut content = records();
    for record in content.chunks_exact_mut(PSV as usize) {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        record[32..34].copy_from_slice(&((noise >> 52) as i16).to_le_bytes());
    }
    let mut encoder = Compression::Gzip.encoder(File::create(&input).unwrap(), 1).unwrap();
    encoder.write_all(&content).unwrap();
    encoder.finish().unwrap();
    let size = fs::metadata(&input).unwrap().len();
    for salvage in [false, true] {
        let mut truncate = |_: &Step| {
            OpenOptions::new().write(true).open(&input).unwrap().set_len(size - 100).unwrap();
            ControlFlow::Continue(())
        };
        let set = |job: &mut convert::Job| {
            job.options.salvage = salvage;
            job.options.from = Some(FileFormat::Psv);
        };
        let result = converted(&input, Output::path(&out), set, &mut truncate);
        is_altered(result, &input, &format!("salvage {salvage}"));
        assert!(!out.exists());
    }
}

/// Between the examination of an input and its reading there may be hours, in which other inputs are read.
#[test]
fn an_input_that_changes_before_its_turn_is_an_error() {
    let place = TempDir::new().unwrap();
    let [first, second, out] = ["a.psv", "b.psv", "out.hcpe"].map(|name| place.path().join(name));
    fs::write(&first, records()).unwrap();
    for replace in [false, true] {
        fs::write(&second, sample("sample.psv")).unwrap();
        let mut disturb = |_: &Step| {
            if replace {
                let other = place.path().join("other");
                fs::write(&other, &sample("sample.psv")[40..]).unwrap();
                fs::rename(other, &second).unwrap();
            } else {
                OpenOptions::new().write(true).open(&second).unwrap().set_len(40).unwrap();
            }
            ControlFlow::Continue(())
        };
        let job = convert::Job::new(vec![Input::path(&first), Input::path(&second)], Output::path(&out));
        let result = convert::Job { options: options(), ..job }.plan().unwrap().run(&mut disturb);
        is_altered(result.map(drop), &second, &format!("replaced: {replace}"));
        assert_eq!(names(place.path()), ["a.psv", "b.psv"]);
    }
}

/// A change that leaves no other trace than the time of the file.
fn touch(path: &Path) {
    set_modified(path, UNIX_EPOCH).unwrap();
}

fn append(path: &Path) {
    File::options().append(true).open(path).unwrap().write_all(b"/\n").unwrap();
}

fn truncate(path: &Path) {
    File::options().write(true).open(path).unwrap().set_len(100).unwrap();
}

const GAME: &str = "PI\n+\n+7776FU\n-3334FU\n%TORYO\n/\n";

#[test]
fn a_file_of_games_that_changes_is_a_failure() {
    let place = TempDir::new().unwrap();
    let input = place.path().join("games.csa");
    for change in [truncate, append, touch] {
        fs::write(&input, GAME.repeat(20)).unwrap();
        let file = kifu::Sources::find(std::slice::from_ref(&input), false).unwrap().next().unwrap();
        let mut change = Some(change);
        let flow = file.read(kifu::ReadOptions::default(), |found| match found {
            kifu::Found::Failed(error) => ControlFlow::Break(error),
            _ => {
                change.take().into_iter().for_each(|change| change(&input));
                ControlFlow::Continue(())
            }
        });
        is_altered(flow.break_value().map_or(Ok(()), Err), &input, "games");
    }
}

#[test]
fn an_archive_of_games_that_changes_is_an_error() {
    let place = TempDir::new().unwrap();
    let [input, out] = ["games.zip", "out.psv"].map(|name| place.path().join(name));
    let mut zip = zip::ZipWriter::new(File::create(&input).unwrap());
    // More than are read before the first report of progress.
    for member in 0..500 {
        zip.start_file(format!("{member}.csa"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(GAME.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let content = fs::read(&input).unwrap();
    for change in [truncate, append, touch] {
        fs::write(&input, &content).unwrap();
        let mut disturb = |_: &Step| {
            change(&input);
            ControlFlow::Continue(())
        };
        let job = kifu::Job::new(vec![input.clone()], Output::path(&out));
        let result = kifu::Job { threads: 1, ..job }.run(&mut disturb);
        is_altered(result.map(drop), &input, "archive");
        assert_eq!(names(place.path()), ["games.zip"]);
    }
}

/// The repair on the fly opens the file again.
#[test]
fn an_input_that_changes_before_its_repair_is_an_error() {
    let place = TempDir::new().unwrap();
    let input = place.path().join("in.hcpe");
    let out = place.path().join("out.psv");
    let content = crate::common::convert(FileFormat::Psv, FileFormat::Hcpe, &sample("sample.psv"));
    // Moves of PSV in a file of hcpe.
    let moves: Vec<_> =
        sample("sample.psv").chunks_exact(40).map(|record| [record[34], record[35]]).collect();
    let mut content = content;
    content.chunks_exact_mut(38).zip(moves).for_each(|(record, bits)| record[34..36].copy_from_slice(&bits));
    fs::write(&input, &content).unwrap();
    let repaired = |change: bool| {
        let mut job = convert::Job::new(inputs(&input), Output::path(&out));
        job.options = JobOptions { moves: MoveReading::Repaired, ..options() };
        let plan = job.plan()?;
        assert_eq!(plan.inputs().repaired().len(), 1);
        if change {
            OpenOptions::new().write(true).open(&input).unwrap().set_len(38 * 100).unwrap();
        }
        plan.run(&mut ()).map(drop)
    };
    repaired(false).unwrap();
    fs::remove_file(&out).unwrap();
    match repaired(true) {
        Err(DatasetError::Read { error, .. }) => {
            let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
            assert!(matches!(cause, Some(DatasetError::Altered(path)) if *path == input), "{error:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(!out.exists());
}

#[test]
fn a_column_of_scores_that_changes_is_an_error() {
    let place = TempDir::new().unwrap();
    let [input, column, out] = ["in.psv", "in.i16", "out.psv"].map(|name| place.path().join(name));
    fs::write(&input, records()).unwrap();
    fs::write(&column, vec![0; RECORDS * 2]).unwrap();
    let mut overwrite = |_: &Step| {
        OpenOptions::new().write(true).open(&column).unwrap().write_all(&[1, 0]).unwrap();
        ControlFlow::Continue(())
    };
    let scores = scores::Column::open(Input::path(&column)).unwrap();
    let result = converted(
        &input,
        Output::path(&out),
        |job| job.scores = convert::ScoreChange::Column(scores),
        &mut overwrite,
    );
    is_altered(result, &column, "column");
    assert!(!out.exists());
}

/// The files of a Linux kernel have a size of 4096 bytes and less content.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_ends_before_its_size_is_an_error() {
    let input = Path::new("/sys/kernel/mm/transparent_hugepage/enabled");
    if !input.exists() {
        return;
    }
    let place = TempDir::new().unwrap();
    for (name, run) in JOBS {
        // 4096 bytes end inside a record, which is another error.
        match run(input, place.path(), &mut ()) {
            Err(_) => assert!(names(place.path()).is_empty(), "{name}"),
            Ok(()) => panic!("{name}"),
        }
    }
    for from in [FileFormat::Psv, FileFormat::Hcpe, FileFormat::Compact32] {
        is_altered(komabako_dataset::sample_check::examine(input, Some(from)).map(drop), input, from.name());
    }
}
