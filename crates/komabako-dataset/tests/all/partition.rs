//! Partitions of conversions, statistics and validations together equal one job on the whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::games::random_games;
use crate::common::{edit_psv, sample};
use komabako_dataset::convert::OnBadRecord;
use komabako_dataset::select::Filter;
use komabako_dataset::stats::{Figures, MissingParts, Saved, SavedError, SavedFault, SavedPart};
use komabako_dataset::{
    DatasetError, Input, JobOptions, Output, Partition, Selection, convert, stats, validate,
};
use tempfile::TempDir;

/// All partitions of a job that is divided into `parts`.
fn partitions(parts: usize) -> impl Iterator<Item = Partition> {
    (0..parts).map(move |number| format!("{number}/{parts}").parse().expect("a partition"))
}

/// Files in a directory that is removed with this value.
struct Files {
    directory: TempDir,
}

impl Files {
    fn new() -> Files {
        Files { directory: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Converts files to a format in a file with this name.
    fn convert(&self, inputs: &[PathBuf], name: &str) -> PathBuf {
        let path = self.path(name);
        convert(inputs, &path, |_| {}).unwrap();
        path
    }
}

fn inputs(paths: &[PathBuf]) -> Vec<Input<'static>> {
    paths.iter().map(Input::path).collect()
}

fn convert(
    paths: &[PathBuf],
    output: &Path,
    change: impl FnOnce(&mut convert::Job),
) -> Result<convert::Summary, DatasetError> {
    let mut job = convert::Job::new(inputs(paths), Output::path(output));
    job.options.force = true;
    // Blocks depend on the timing of the threads; the result must not.
    job.options.threads = 2;
    change(&mut job);
    job.plan()?.run(&mut ())
}

/// About 30,000 records with different labels, two of them bad: more than two blocks.
fn records() -> Vec<u8> {
    let mut records = sample("sample.psv").repeat(15);
    edit_psv(&mut records, |index, record| record.score = (index * 7 % 3_001) as i16 - 1_500);
    for bad in [13, 20_000] {
        records[40 * bad + 1] ^= 0xff;
    }
    records
}

/// Games of several lengths, including empty ones.
fn packs(seed: u64, count: usize) -> Vec<u8> {
    let empty = random_games(seed, 1, 0).remove(0).to_pack();
    let games = random_games(seed, count, 40);
    let bytes = games.iter().enumerate().flat_map(|(index, game)| match index % 7 {
        0 => [empty.clone(), game.to_pack()].concat(),
        _ => game.to_pack(),
    });
    bytes.chain(empty.clone()).collect()
}

/// The outputs of all partitions, concatenated, are byte for byte the output of the whole job. `each` gets the number of
/// partitions and the records that the whole job and each of them read.
#[track_caller]
fn assert_joined(
    paths: &[PathBuf],
    output: &Path,
    change: impl Fn(&mut convert::Job),
    each: impl Fn(u64, u64, &[u64]),
) {
    let run = |partition: Partition| {
        let summary = convert(paths, output, |job| {
            job.on_bad_record = OnBadRecord::Skip;
            job.partition = partition;
            change(job);
        });
        let summary = summary.unwrap();
        assert_eq!(summary.beyond, 0);
        let counts = summary.counts;
        let totals = [counts.read, counts.written, counts.bad_total(), summary.games];
        (std::fs::read(output).unwrap(), totals)
    };
    let whole = run(Partition::WHOLE);
    for parts in [1, 2, 3, 8] {
        let outputs: Vec<_> = partitions(parts).map(run).collect();
        let joined: Vec<u8> = outputs.iter().flat_map(|output| &output.0).copied().collect();
        assert!(joined == whole.0, "{parts}: {} bytes, not {}", joined.len(), whole.0.len());
        let totals: [u64; 4] =
            std::array::from_fn(|total| outputs.iter().map(|(_, totals)| totals[total]).sum());
        assert_eq!(totals, whole.1, "{parts}");
        let read: Vec<u64> = outputs.iter().map(|(_, [read, ..])| *read).collect();
        each(parts as u64, whole.1[0], &read);
    }
}

/// As [`assert_joined`], and each partition has its share.
#[track_caller]
fn joined_is_whole(paths: &[PathBuf], output: &Path, change: impl Fn(&mut convert::Job)) {
    assert_joined(paths, output, change, |parts, whole, each| {
        assert!(each.iter().all(|&read| read > whole / parts / 2), "{parts}: {each:?}");
    });
}

/// As [`assert_joined`], where a long game may leave a partition without its share.
#[track_caller]
fn joined_games(paths: &[PathBuf], output: &Path, change: impl Fn(&mut convert::Job)) {
    assert_joined(paths, output, change, |_, _, _| {});
}

#[test]
fn joined_conversions_equal_the_whole() {
    let files = Files::new();
    let psv = files.write("a.psv", records());
    let few = files.write("few.psv", &records()[..40 * 7]);
    let empty = files.write("empty.psv", "");
    let good = files.write("good.psv", sample("sample.psv"));
    let packed = files.convert(std::slice::from_ref(&good), "a.psv.zst");
    let text = files.convert(std::slice::from_ref(&good), "a.sfen");
    for (paths, output) in [
        (vec![psv.clone()], "out.hcpe"),
        (vec![few, psv.clone(), empty, packed.clone()], "out.psv"),
        (vec![packed, text.clone(), psv.clone()], "out.jsonl"),
        // The header is in the first partition.
        (vec![text, psv.clone()], "out.csv"),
    ] {
        joined_is_whole(&paths, &files.path(output), |_| {});
    }
    joined_is_whole(std::slice::from_ref(&psv), &files.path("out.psv"), |job| job.copy = true);
}

#[test]
fn joined_filters_equal_the_whole() {
    let files = Files::new();
    let psv = files.write("a.psv", records());
    for expression in ["score > 0 && !in_check", "score < -1490"] {
        joined_is_whole(std::slice::from_ref(&psv), &files.path("out.psv"), |job| {
            let expression = expression.parse().unwrap();
            job.select = Selection::Filter(Filter { expression, invert: false });
            job.copy = true;
        });
    }
}

#[test]
fn games_stay_whole() {
    let files = Files::new();
    let one = files.write("one.pack", packs(1, 300));
    let two = files.write("two.pack", packs(2, 5_000));
    let psv = files.write("a.psv", sample("sample.psv"));
    let both = [one, two];
    joined_is_whole(&both, &files.path("out.pack"), |_| {});
    joined_is_whole(&both, &files.path("out.psv"), |_| {});
    joined_is_whole(&[both[0].clone(), psv.clone(), both[1].clone()], &files.path("out.hcpe"), |_| {});
}

/// Records of games of several lengths, one after the other, some of them bad.
fn records_of_games(files: &Files, name: &str, seed: u64, games: usize) -> PathBuf {
    let pack = files.write("games.pack", packs(seed, games));
    let psv = files.convert(&[pack], name);
    let mut records = std::fs::read(&psv).unwrap();
    for bad in (0..records.len() / 40).step_by(1_009) {
        records[40 * bad + 1] ^= 0xff;
    }
    files.write(name, records)
}

#[test]
fn joined_partitions_of_games_equal_the_whole() {
    let files = Files::new();
    let long = records_of_games(&files, "long.psv", 4, 400);
    let short = records_of_games(&files, "short.psv", 5, 40);
    let pack = files.write("one.pack", packs(1, 300));
    // A game continues from one file into the next, and a partition may begin in its middle.
    let bytes = std::fs::read(&short).unwrap();
    let halves = bytes.split_at(40 * (bytes.len() / 80));
    let halves = [files.write("half.psv", halves.0), files.write("other.psv", halves.1)];
    let compressed =
        files.convert(std::slice::from_ref(&files.write("good.psv", sample("sample.psv"))), "a.psv.zst");
    for output in ["out.pack", "out.hcpe3"] {
        let output = files.path(output);
        joined_games(std::slice::from_ref(&long), &output, |_| {});
        joined_games(&halves, &output, |_| {});
        joined_games(std::slice::from_ref(&compressed), &output, |_| {});
        joined_games(&[short.clone(), pack.clone(), compressed.clone(), long.clone()], &output, |_| {});
        // Records that are left out divide games.
        for expression in ["score > 0", "ply % 40 != 7", "ply < 0"] {
            joined_games(&[short.clone(), pack.clone(), long.clone()], &output, |job| {
                let expression = expression.parse().unwrap();
                job.select = Selection::Filter(Filter { expression, invert: false });
            });
        }
    }
    // Games of one format become the same games in the other, also where two of them are the halves of one.
    joined_games(std::slice::from_ref(&pack), &files.path("out.hcpe3"), |_| {});
    // One game, and then only games of one record each.
    let one = files.write("one.psv", &sample("sample.psv")[..40 * 30]);
    joined_games(&[one], &files.path("out.pack"), |_| {});
    let same = files.write("same.psv", sample("sample.psv")[..40].repeat(50));
    joined_games(&[same], &files.path("out.pack"), |_| {});
}

#[test]
fn selections_that_depend_on_the_whole_are_not_divided() {
    let files = Files::new();
    let psv = files.write("a.psv", sample("sample.psv"));
    let partition = "1/3".parse().unwrap();
    for select in [Selection::Range(3..5), Selection::Last(3), Selection::Sample { count: 3, seed: 1 }] {
        let refused = convert(std::slice::from_ref(&psv), &files.path("out.psv"), |job| {
            job.partition = partition;
            job.select = select;
        });
        assert!(matches!(refused, Err(DatasetError::PartitionUndivided(name)) if name == "1/3"));
    }
    let refused = convert(std::slice::from_ref(&psv), &files.path("out.pack"), |job| {
        let expression = "score > 0".parse().unwrap();
        job.select = Selection::Filter(Filter { expression, invert: false });
        job.scores = convert::ScoreChange::Rescale(convert::Rescale { scale: 2.0, clamp: None, mate: None });
        job.partition = partition;
    });
    assert!(matches!(refused, Err(DatasetError::PartitionUndivided(name)) if name == "1/3"));
    let bytes = sample("sample.psv");
    let stream = || vec![Input::Stream("stream".into(), Box::new(&bytes[..]))];
    let job = stats::Job { partition, ..stats::Job::new(stream()) };
    assert!(matches!(job.plan().err(), Some(DatasetError::ReadOnce(name)) if name == "stream"));
    let job = validate::Job { partition, ..validate::Job::new(stream()) };
    assert!(matches!(job.plan().err(), Some(DatasetError::ReadOnce(name)) if name == "stream"));
    assert!(!files.path("out.psv").exists());
}

/// The statistics of a partition, as they are saved.
fn count(paths: &[PathBuf], partition: Partition, salvage: bool) -> Saved {
    let options = JobOptions { salvage, threads: 2, ..JobOptions::default() };
    let plan = stats::Job { inputs: inputs(paths), partition, options }.plan().unwrap();
    let parts = vec![SavedPart::new(plan.inputs(), partition)];
    Saved { parts, summary: plan.run(&mut ()).unwrap() }
}

/// All figures of the statistics.
fn figures(saved: &Saved) -> String {
    let stats = &saved.summary.stats;
    let mut figures = serde_json::to_value(Figures::new(stats)).unwrap();
    figures["all"] = format!("{stats:?}").into();
    figures.to_string()
}

#[test]
fn merged_statistics_equal_the_whole() {
    let files = Files::new();
    // A truncated file, and enough positions that the sketch no longer keeps every hash.
    let paths = [
        files.write("a.psv", [&records()[..], b"truncated"].concat()),
        files.write("b.pack", packs(3, 3_000)),
    ];
    let whole = count(&paths, Partition::WHOLE, true);
    assert_eq!(whole.summary.counts.tails.len(), 1);
    assert!(whole.summary.counts.bad_total() > 0 && whole.summary.counts.read > 80_000);
    assert!(whole.summary.stats.distinct.estimate().count > 40_000.0);
    for parts in [1, 3, 8] {
        let saved: Vec<PathBuf> = partitions(parts)
            .enumerate()
            .map(|(number, partition)| {
                let path = files.path(&format!("{number}-{parts}.stats"));
                count(&paths, partition, true).write(Output::path(&path), false).unwrap();
                path
            })
            .collect();
        let merged = Saved::merge(&saved).unwrap();
        assert_eq!(figures(&merged), figures(&whole), "{parts}");
        assert_eq!((merged.summary.merged_tails, merged.inputs()), (1, whole.inputs()));
        let counts = |saved: &Saved| (saved.summary.counts.read, saved.summary.counts.bad.clone());
        assert_eq!(counts(&merged), counts(&whole));
        // In any order; and merged statistics can be merged again.
        let (some, others) = saved.split_at(parts / 2);
        let rest = files.path("rest.stats");
        Saved::merge(others).unwrap().write(Output::path(&rest), true).unwrap();
        let mut again = vec![rest];
        again.extend(some.iter().rev().cloned());
        assert_eq!(figures(&Saved::merge(&again).unwrap()), figures(&whole), "{parts}");
    }
}

#[test]
fn saved_statistics_are_checked() {
    let files = Files::new();
    let psv = files.write("a.psv", sample("sample.psv"));
    let saved = count(std::slice::from_ref(&psv), "0/2".parse().unwrap(), false);
    let one = files.path("one.stats");
    let same = files.path("same.stats");
    saved.write(Output::path(&one), false).unwrap();
    saved.write(Output::path(&same), false).unwrap();
    let fault = |paths: &[PathBuf]| match Saved::merge(paths) {
        Err(error) => error.of_job::<SavedError>().map(|error| (error.path.clone(), error.fault.clone())),
        Ok(_) => None,
    };
    assert_eq!(fault(std::slice::from_ref(&one)), None);
    assert_eq!(fault(&[one.clone(), same.clone()]), Some((same.clone(), SavedFault::Twice(one.clone()))));
    assert_eq!(fault(&[one.clone(), psv.clone()]), Some((psv.clone(), SavedFault::Other)));
    // A third of inputs that are counted by halves: some records would be counted twice.
    let third = files.path("third.stats");
    let part = count(std::slice::from_ref(&psv), "2/3".parse().unwrap(), false);
    part.write(Output::path(&third), false).unwrap();
    assert_eq!(fault(&[one.clone(), third.clone()]), Some((third, SavedFault::OtherDivision(one.clone()))));
    let mut bytes = std::fs::read(&one).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    let damaged = files.write("damaged.stats", bytes);
    assert_eq!(fault(std::slice::from_ref(&damaged)), Some((damaged, SavedFault::Damaged)));
    assert!(matches!(Saved::merge(&[files.path("none.stats")]), Err(DatasetError::Open(..))));
}

#[test]
fn missing_parts_are_named() {
    let files = Files::new();
    let [one, other] = ["a.psv", "b.psv"].map(|name| files.write(name, sample("sample.psv")));
    let save = |path: &PathBuf, partition: &str| {
        let name = partition.replace('/', "-") + &path.file_name().unwrap().to_string_lossy();
        let saved = count(std::slice::from_ref(path), partition.parse().unwrap(), false);
        saved.write(Output::path(files.path(&name)), false).unwrap();
        files.path(&name)
    };
    let missing = |paths: &[PathBuf]| -> Vec<(String, Vec<String>)> {
        let named = |missing: &MissingParts| {
            let partitions = missing.partitions.iter().map(Partition::to_string);
            (missing.inputs[0].name.clone(), partitions.collect())
        };
        Saved::merge(paths).unwrap().missing().iter().map(named).collect()
    };
    let mut paths = vec![save(&one, "2/3"), save(&other, "0/1")];
    let of_one = |partitions: &[&str]| {
        let partitions = partitions.iter().map(|&partition| partition.to_owned());
        vec![(one.display().to_string(), partitions.collect())]
    };
    assert_eq!(missing(&paths), of_one(&["0/3", "1/3"]));
    paths.push(save(&one, "0/3"));
    assert_eq!(missing(&paths), of_one(&["1/3"]));
    paths.push(save(&one, "1/3"));
    assert_eq!(missing(&paths), []);
}

/// The number of each finding, by file and level.
fn findings(paths: &[PathBuf], partition: Partition) -> (BTreeMap<String, u64>, BTreeMap<String, Vec<u64>>) {
    let mut job = validate::Job { partition, ..validate::Job::new(inputs(paths)) };
    job.options.threads = 2;
    let report = job.run(&mut ()).unwrap();
    let mut counts = BTreeMap::new();
    let mut first = BTreeMap::new();
    for file in &report.files {
        *counts.entry(file.name.to_string()).or_default() += file.records;
        *counts.entry(format!("{} undecoded", file.name)).or_default() += file.undecoded;
        for level in &file.levels {
            let level_name = format!("{} {}", file.name, level.level.name());
            first.entry(level_name.clone()).or_insert_with(Vec::new).extend(&level.first);
            for (name, count) in &level.faults {
                *counts.entry(format!("{level_name} {name}")).or_default() += count;
            }
        }
    }
    counts.retain(|_, count| *count > 0);
    first.retain(|_, records: &mut Vec<u64>| !records.is_empty());
    (counts, first)
}

#[test]
fn findings_of_partitions_equal_the_whole() {
    let files = Files::new();
    // Games in order whose moves are in another encoding: the next position decides many of them, also across partitions.
    let games = files.write("games.pack", packs(11, 1_500));
    let psv = files.convert(std::slice::from_ref(&games), "games.psv");
    let mut recoded = std::fs::read(&psv).unwrap();
    edit_psv(&mut recoded, |index, record| {
        // Drops in Apery's encoding; an invalid result and an invalid ply.
        if record.best_move & 0x4000 != 0 {
            record.best_move = (record.best_move & 0x7f) | ((record.best_move >> 7 & 0x7f) + 80) << 7;
        }
        if index % 997 == 5 {
            record.ply = 0xffff;
        }
    });
    let mut broken = std::fs::read(&games).unwrap();
    let last = broken.len() - 10;
    broken.truncate(last);
    let paths = [
        files.write("recoded.psv", &recoded),
        files.write("empty.psv", "only a tail"),
        files.write("broken.pack", broken),
        files.write("a.psv", [&records()[..], b"tail"].concat()),
    ];
    let (whole, whole_first) = findings(&paths, Partition::WHOLE);
    let misread: u64 = whole.iter().filter(|(name, _)| name.contains("move")).map(|(_, count)| count).sum();
    assert!(misread > 100, "{whole:?}");
    assert_eq!(whole.iter().filter(|(name, _)| name.contains(" size ")).count(), 3, "{whole:?}");
    for parts in [1, 3, 8, 61] {
        let mut counts = BTreeMap::<String, u64>::new();
        let mut first = BTreeMap::<String, Vec<u64>>::new();
        for partition in partitions(parts) {
            let (found, records) = findings(&paths, partition);
            for (name, count) in found {
                *counts.entry(name).or_default() += count;
            }
            for (name, records) in records {
                first.entry(name).or_default().extend(records);
            }
        }
        assert_eq!(counts, whole, "{parts}");
        // The first ones of the first partitions are the first of all.
        for (level, records) in &whole_first {
            assert_eq!(&first[level][..records.len()], records, "{parts} {level}");
        }
    }
}
