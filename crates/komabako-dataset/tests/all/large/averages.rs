//! Means of duplicates, the last of them, and records that a reference has: equal to plain groupings, within any limits.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use komabako_dataset::large::{Job, Keep, NotAveraged, Sameness, Unique};
use komabako_dataset::record::Psv;
use komabako_dataset::{
    DatasetError, Field, FileFormat, GameResult, Input, LossKind, MoveReading, Output, Partition, Phase,
    Progress, Step, convert,
};
use komabako_testkit::cases;
use komabako_testkit::setups::Rng;

use super::{PSV, Place, forced_job, run};
use crate::common::games::{blocks, random_games};
use crate::common::{edit_psv, psv_records, sample};

/// Records of the positions of the sample, some of which occur once and most often, with random scores, moves and results.
fn votes(count: usize) -> Vec<u8> {
    let sample = psv_records(&sample("sample.psv"));
    let (once, often) = sample.split_at(300);
    let mut rng = Rng::new(3);
    let mut bytes = Vec::with_capacity(count * PSV);
    for number in 0..count {
        let position = if number < once.len() { once[number] } else { often[rng.below(often.len())] };
        let score = match rng.below(20) {
            0 => [30_000, -31_999, 32_002, i16::MIN][rng.below(4)],
            _ => rng.below(4000) as i16 - 2000,
        };
        // Few moves for each position, and now and then none.
        let best_move = if rng.below(9) == 0 { 0 } else { often[rng.below(7)].best_move };
        let result = rng.below(3) as i8 - 1;
        let record = Psv { score, best_move, result, ply: number as u16, ..position };
        bytes.extend_from_slice(&record.to_bytes());
    }
    bytes
}

/// What a plain grouping says of records: the records of means, and the columns.
struct Grouped {
    records: Vec<u8>,
    counts: Vec<u8>,
    results: Vec<u8>,
    scores: Vec<u8>,
}

/// Groups PSV records by position, or by position and move.
fn group(bytes: &[u8], by: Sameness) -> Grouped {
    let mut order = Vec::new();
    let mut groups: HashMap<(Vec<u8>, u16), Vec<Psv>> = HashMap::new();
    for record in psv_records(bytes) {
        let mv = if by == Sameness::Move { record.best_move } else { 0 };
        let key = (record.position.to_vec(), mv);
        let group = groups.entry(key.clone()).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(record);
    }
    let mut grouped =
        Grouped { records: Vec::new(), counts: Vec::new(), results: Vec::new(), scores: Vec::new() };
    for key in order {
        let group = &groups[&key];
        let scores: Vec<i64> = group
            .iter()
            .filter(|record| record.score != 32_002 && record.score != i16::MIN)
            .map(|record| i64::from(record.score).clamp(-29_999, 29_999))
            .collect();
        let sum: i64 = scores.iter().sum();
        let n = scores.len() as i64;
        let mut mean = group[0];
        if group.len() > 1 {
            if n > 0 {
                // Half away from zero, in whole numbers.
                mean.score = (sum.signum() * ((2 * sum.abs() + n) / (2 * n))) as i16;
            }
            mean.best_move = most(group.iter().map(|record| record.best_move).filter(|&mv| mv != 0))
                .unwrap_or(mean.best_move);
            mean.result = most(group.iter().map(|record| record.result)).unwrap();
        }
        let score = if n == 0 { f32::NAN } else { (sum as f64 / n as f64) as f32 };
        let results: i64 = group.iter().map(|record| i64::from(record.result)).sum();
        grouped.records.extend_from_slice(&mean.to_bytes());
        grouped.counts.extend_from_slice(&(group.len() as u32).to_le_bytes());
        grouped.results.extend_from_slice(&((results as f64 / group.len() as f64) as f32).to_le_bytes());
        grouped.scores.extend_from_slice(&score.to_le_bytes());
    }
    grouped
}

/// The most frequent value; of those that are equally frequent, the one that occurs first.
fn most<T: PartialEq + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    let largest = counts.iter().map(|&(_, count)| count).max()?;
    counts.iter().find(|&&(_, count)| count == largest).map(|&(value, _)| value)
}

fn averaging(inputs: &[&Path], out: &Path, by: Sameness) -> Job<'static> {
    let mut job = forced_job(inputs, out);
    job.options.moves = MoveReading::AsIs;
    job.unique =
        Some(Unique { by, keep: Keep::Mean, columns: Some(out.with_extension("")), ..Default::default() });
    job
}

fn check(out: &Path, grouped: &Grouped, case: &str) {
    assert!(fs::read(out).unwrap() == grouped.records, "{case}");
    let column = |end: &str| fs::read(out.with_extension(end)).unwrap();
    assert!(column("count.u32") == grouped.counts, "{case}");
    assert!(column("result.f32") == grouped.results, "{case}");
    assert!(column("score.f32") == grouped.scores, "{case}");
}

#[test]
fn means_are_those_of_a_plain_grouping() {
    let place = Place::new();
    let records = votes(cases::scaled(1_000_000));
    let input = place.file("in.psv", &records);
    let out = place.path("out.psv");
    for (by, parts, memory) in [
        (Sameness::Position, None, None),
        (Sameness::Position, Some(5), None),
        (Sameness::Move, Some(3), None),
        (Sameness::Position, None, Some(72 << 20)),
    ] {
        let mut job = averaging(&[&input], &out, by);
        job.limits.parts = parts;
        job.limits.memory = memory;
        let summary = run(job).unwrap();
        let grouped = group(&records, by);
        check(&out, &grouped, &format!("{by:?} {parts:?} {memory:?}"));
        assert_eq!(summary.counts.written, grouped.records.len() as u64 / PSV as u64);
        assert_eq!(summary.duplicates, records.len() as u64 / PSV as u64 - summary.counts.written);
    }
    let names = ["in.psv", "out.count.u32", "out.psv", "out.result.f32", "out.score.f32"];
    assert_eq!(place.names(), names);
}

/// Another format of the output than of the inputs, one of which is another's copy; text; and a shuffle.
#[test]
fn means_are_written_in_any_format_and_order() {
    let place = Place::new();
    let records = votes(6_000);
    let input = place.file("in.psv", &records);
    let grouped = group(&records, Sameness::Position);
    let psv = psv_records(&grouped.records);
    for name in ["out.hcpe", "out.csv", "out.psv"] {
        let out = place.path(name);
        let mut job = averaging(&[&input], &out, Sameness::Position);
        job.limits.parts = Some(2);
        run(job).unwrap();
        let format = FileFormat::from_extension(out.extension().unwrap().to_str().unwrap()).unwrap();
        let mut read = Vec::new();
        for block in blocks(format, &fs::read(&out).unwrap()) {
            for index in 0..block.len() {
                let labels = block.decode(format, index).unwrap().labels;
                read.push((labels.score.unwrap_or(32_002), labels.best_move.map(|mv| mv.decode().unwrap())));
            }
        }
        let expected: Vec<_> = psv
            .iter()
            .map(|record| (record.score, record.labels().unwrap().best_move.map(|mv| mv.decode().unwrap())))
            .collect();
        assert_eq!(read.len(), expected.len(), "{name}");
        for ((score, mv), (own, other)) in read.iter().zip(&expected) {
            assert_eq!(score, own, "{name}");
            assert_eq!(mv.unwrap_or_default(), other.unwrap_or_default(), "{name}");
        }
    }
    let out = place.path("shuffled.psv");
    let mut job = averaging(&[&input], &out, Sameness::Position);
    job.shuffle = super::shuffle(7);
    let unique = job.unique.as_mut().unwrap();
    unique.columns = None;
    run(job).unwrap();
    let mut shuffled: Vec<Vec<u8>> = fs::read(&out).unwrap().chunks(PSV).map(<[u8]>::to_vec).collect();
    let mut expected: Vec<Vec<u8>> = grouped.records.chunks(PSV).map(<[u8]>::to_vec).collect();
    assert!(shuffled != expected);
    shuffled.sort_unstable();
    expected.sort_unstable();
    assert!(shuffled == expected);
}

/// A mean is a position of its own, and its inputs are not deleted: they have the games.
#[test]
fn means_of_games_lose_the_games() {
    let place = Place::new();
    let psv = place.file("in.psv", sample("sample.psv"));
    let input = place.path("in.hcpe3");
    let games = convert::Job::new(vec![Input::path(psv)], Output::path(&input));
    games.plan().unwrap().run(&mut ()).unwrap();
    let mut job = averaging(&[&input], &place.path("out.hcpe3"), Sameness::Position);
    job.delete_inputs = true;
    let summary = run(job).unwrap();
    let lost: Vec<_> = summary.losses.iter().map(|lost| (lost.loss.field, lost.loss.kind)).collect();
    assert_eq!(lost, [Field::Games, Field::EndFlags].map(|field| (field, LossKind::Dropped)));
    assert!(summary.kept_inputs && input.exists());
}

/// Stops a job at the given report of a phase.
struct Stop(Phase, usize);

impl Progress for Stop {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase == self.0 {
            if self.1 == 0 {
                return ControlFlow::Break(());
            }
            self.1 -= 1;
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn interrupted_averaging_resumes_to_the_same_bytes() {
    let place = Place::new();
    let records = votes(100_000);
    let input = place.file("in.psv", &records);
    let out = place.path("out.psv");
    let job = |resume| {
        let mut job = Job { resume, ..averaging(&[&input], &out, Sameness::Position) };
        job.options.force = false;
        job.limits.parts = Some(3);
        job
    };
    let grouped = group(&records, Sameness::Position);
    let mut resumed = 0;
    for phase in [Phase::Keys, Phase::FindDuplicates, Phase::Write] {
        for left in 0..2 {
            let stopped = job(false).plan(&mut ()).unwrap().run(&mut Stop(phase, left));
            assert!(matches!(stopped, Err(DatasetError::Cancelled)), "{phase:?} {left}");
            assert_eq!(place.names().iter().filter(|name| name.ends_with("32")).count(), 0);
            if place.path(".out.psv.komabako").exists() {
                let mut other = job(true);
                other.unique.as_mut().unwrap().keep = Keep::Last;
                other.unique.as_mut().unwrap().columns = None;
                assert!(matches!(run(other), Err(DatasetError::Changed { .. })));
            }
            resumed += usize::from(run(job(true)).unwrap().resumed);
            check(&out, &grouped, &format!("{phase:?} {left}"));
            for name in ["out.psv", "out.count.u32", "out.result.f32", "out.score.f32"] {
                fs::remove_file(place.path(name)).unwrap();
            }
            assert_eq!(place.names(), ["in.psv"]);
        }
    }
    assert!(resumed >= 3, "{resumed}");
}

#[test]
fn partitions_have_the_means_of_the_whole() {
    let place = Place::new();
    let records = votes(20_000);
    let input = place.file("in.psv", &records);
    let out = place.path("out.psv");
    let grouped = group(&records, Sameness::Position);
    let rows = |records: &[u8], counts: &[u8]| {
        let counts = counts.chunks(4).map(<[u8]>::to_vec);
        records.chunks(PSV).map(<[u8]>::to_vec).zip(counts).collect::<Vec<_>>()
    };
    let mut joined = Vec::new();
    for number in 0..3 {
        let mut job = averaging(&[&input], &out, Sameness::Position);
        job.partition = format!("{number}/3").parse::<Partition>().unwrap();
        job.limits.parts = Some(2);
        let summary = run(job).unwrap();
        assert_eq!(summary.counts.written + summary.duplicates + summary.other_parts, 20_000);
        let counts = fs::read(place.path("out.count.u32")).unwrap();
        joined.extend(rows(&fs::read(&out).unwrap(), &counts));
    }
    let mut whole = rows(&grouped.records, &grouped.counts);
    joined.sort_unstable();
    whole.sort_unstable();
    assert!(joined == whole);
}

#[test]
fn the_last_of_equal_records_is_kept_in_its_place() {
    let place = Place::new();
    let records = votes(20_000);
    let input = place.file("in.psv", &records);
    let reference = place.file("reference.psv", &records[..PSV * 50]);
    for (by, name) in [(Sameness::Position, "out.psv"), (Sameness::Record, "out.csv")] {
        let out = place.path(name);
        let kept = |parts| {
            let mut job = forced_job(&[&input], &out);
            job.options.moves = MoveReading::AsIs;
            job.limits.parts = parts;
            let references = if by == Sameness::Position { vec![reference.clone()] } else { Vec::new() };
            job.unique = Some(Unique { by, keep: Keep::Last, references, ..Default::default() });
            run(job).unwrap();
            fs::read(&out).unwrap()
        };
        let records = psv_records(&records);
        if by == Sameness::Record {
            // All of them have different plies.
            assert_eq!(kept(Some(3)).split(|&byte| byte == b'\n').count(), records.len() + 2);
            continue;
        }
        let left_out: Vec<_> = records[..50].iter().map(|record| record.position).collect();
        let mut last = HashMap::new();
        for (number, record) in records.iter().enumerate() {
            last.insert(record.position, number);
        }
        let mut expected = Vec::new();
        for (number, record) in records.iter().enumerate() {
            if last[&record.position] == number && !left_out.contains(&record.position) {
                expected.extend_from_slice(&record.to_bytes());
            }
        }
        for parts in [None, Some(4)] {
            assert!(kept(parts) == expected, "{parts:?}");
        }
    }
}

#[test]
fn records_that_no_reference_has_are_all_kept() {
    let place = Place::new();
    let records = votes(20_000);
    let input = place.file("in.psv", &records);
    let reference = place.file("reference.psv", &records[..PSV * 700]);
    let out = place.path("out.psv");
    let held: Vec<_> = psv_records(&records[..PSV * 700]).iter().map(|record| record.position).collect();
    let mut expected = Vec::new();
    for record in psv_records(&records) {
        if !held.contains(&record.position) {
            expected.extend_from_slice(&record.to_bytes());
        }
    }
    for parts in [None, Some(3)] {
        let mut job = forced_job(&[&input], &out);
        job.options.moves = MoveReading::AsIs;
        job.limits.parts = parts;
        let references = vec![reference.clone()];
        job.unique = Some(Unique { keep: Keep::All, references, ..Default::default() });
        let plan = job.plan(&mut ()).unwrap();
        let summary = plan.run(&mut ()).unwrap();
        assert!(fs::read(&out).unwrap() == expected, "{parts:?}");
        assert_eq!(summary.duplicates, 20_000 - summary.counts.written);
    }
}

/// A position of hcpe3 becomes a game whose candidates have the sums of their visits.
#[test]
fn visits_of_equal_positions_are_added_up() {
    let place = Place::new();
    let games: Vec<u8> = random_games(9, 300, 6).iter().flat_map(|game| game.to_hcpe3()).collect();
    let input = place.file("in.hcpe3", &games);
    let out = place.path("out.hcpe3");
    // By position: the number of records, the results, and the visits of each move.
    type Known = (u32, Vec<GameResult>, Vec<(u16, u32)>);
    let mut order = Vec::new();
    let mut known: HashMap<String, Known> = HashMap::new();
    for block in blocks(FileFormat::Hcpe3, &games) {
        for index in 0..block.len() {
            let record = block.decode(FileFormat::Hcpe3, index).unwrap();
            let position = record.setup.to_string();
            let (count, results, visits) = known.entry(position.clone()).or_default();
            if *count == 0 {
                order.push(position);
            }
            *count += 1;
            results.push(record.labels.result.unwrap());
            let bits = record.labels.best_move.unwrap().bits;
            match visits.iter_mut().find(|(known, _)| *known == bits) {
                Some((_, visits)) => *visits += 1,
                None => visits.push((bits, 1)),
            }
        }
    }
    for parts in [None, Some(3)] {
        let mut job = averaging(&[&input], &out, Sameness::Position);
        job.limits.parts = parts;
        run(job).unwrap();
        let mut read = Vec::new();
        let counts = fs::read(place.path("out.count.u32")).unwrap();
        let mut counts = counts.as_chunks().0.iter().map(|count| u32::from_le_bytes(*count));
        for block in blocks(FileFormat::Hcpe3, &fs::read(&out).unwrap()) {
            for game in block.games() {
                assert_eq!(game.moves, 1);
                let record = block.decode(FileFormat::Hcpe3, game.first).unwrap();
                let position = record.setup.to_string();
                let (count, results, visits) = &known[&position];
                assert_eq!(counts.next(), Some(*count));
                assert_eq!(record.labels.result, most(results.iter().copied()));
                let played = visits.iter().flat_map(|&(mv, visits)| vec![mv; visits as usize]);
                assert_eq!(Some(record.labels.best_move.unwrap().bits), most(played));
                let candidates = komabako_dataset::games::candidates(game.bytes).next().unwrap();
                let candidates: Vec<_> = candidates
                    .iter()
                    .map(|&[low, high, first, second]| {
                        (u16::from_le_bytes([low, high]), u32::from(u16::from_le_bytes([first, second])))
                    })
                    .collect();
                assert_eq!(&candidates, visits);
                read.push(position);
            }
        }
        assert!(read == order && counts.next().is_none());
        assert!(known.values().any(|(count, ..)| *count > 20));
    }
}

#[test]
fn columns_need_means_in_order() {
    let place = Place::new();
    let mut records = sample("sample.psv");
    edit_psv(&mut records, |_, record| record.score = 7);
    let input = place.file("in.psv", records);
    let out = place.path("out.psv");
    let refused = |change: &dyn Fn(&mut Job)| {
        let mut job = averaging(&[&input], &out, Sameness::Position);
        change(&mut job);
        run(job).unwrap_err().of_job::<NotAveraged>().copied()
    };
    let keeps_first = |job: &mut Job| job.unique.as_mut().unwrap().keep = Keep::First;
    assert_eq!(refused(&keeps_first), Some(NotAveraged::Kept));
    assert_eq!(refused(&|job| job.unique.as_mut().unwrap().by = Sameness::Record), Some(NotAveraged::Kept));
    assert_eq!(refused(&|job| job.shuffle = super::shuffle(1)), Some(NotAveraged::Shuffled));
    // A column that exists, or that would replace the input.
    fs::write(place.path("out.count.u32"), "mine").unwrap();
    let mut job = averaging(&[&input], &out, Sameness::Position);
    job.options.force = false;
    assert!(matches!(run(job), Err(DatasetError::Exists(path)) if path.ends_with("out.count.u32")));
    assert_eq!(fs::read(place.path("out.count.u32")).unwrap(), b"mine");
    let input = place.file("x.count.u32", fs::read(&input).unwrap());
    let mut job = averaging(&[&input], &out, Sameness::Position);
    job.options.from = Some(FileFormat::Psv);
    job.unique.as_mut().unwrap().columns = Some(place.path("x"));
    assert!(matches!(run(job), Err(DatasetError::SameFile(_))));
}

/// A job that resumes replaces no file that it has not written.
#[test]
fn columns_that_exist_are_not_replaced_unasked() {
    let place = Place::new();
    let input = place.file("in.psv", votes(100));
    let mine = place.file("out.count.u32", "mine");
    let mut job = averaging(&[&input], &place.path("out.psv"), Sameness::Position);
    job.options.force = false;
    job.resume = true;
    assert!(matches!(run(job), Err(DatasetError::Exists(path)) if path == mine));
    assert_eq!((fs::read(&mine).unwrap(), place.names().len()), (b"mine".to_vec(), 2));
}

/// If one of the outputs cannot be written, none gets its name, and a later run writes all of them.
#[cfg(target_os = "linux")]
#[test]
fn no_output_is_named_before_all_are_written() {
    let place = Place::new();
    let records = votes(1000);
    let input = place.file("in.psv", &records);
    let out = place.path("out.psv");
    let full = place.path("out.score.f32");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let of = |resume| Job { resume, ..averaging(&[&input], &out, Sameness::Position) };
    assert!(matches!(run(of(false)), Err(DatasetError::Write(..))));
    assert_eq!(place.names(), [".out.psv.komabako", "in.psv", "out.score.f32"]);
    fs::remove_file(full).unwrap();
    assert!(run(of(true)).unwrap().resumed);
    check(&out, &group(&records, Sameness::Position), "resumed");
    assert_eq!(place.names().len(), 5);
}
