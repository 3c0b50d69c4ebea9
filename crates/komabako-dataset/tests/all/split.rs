//! Splits: the parts compared with the whole, and games that are kept whole.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use crate::common::{convert, names, sample, sample_path};
use komabako_dataset::convert::OnBadRecord;
use komabako_dataset::split::{Job, Names, Rule, Summary};
use komabako_dataset::{DatasetError, FileFormat, Input};
use proptest::prelude::*;

const SIZE: usize = 40;

fn number(number: u64) -> NonZeroU64 {
    number.try_into().unwrap()
}

/// Splits the sample into numbered parts, and returns their contents.
fn split(
    directory: &Path,
    rule: Rule,
    change: impl FnOnce(&mut Job),
) -> Result<(Vec<Vec<u8>>, Summary), DatasetError> {
    let names = Names::Pattern(directory.join("part-{}.psv"));
    let mut job = Job::new(vec![Input::path(sample_path("sample.psv"))], rule, names);
    change(&mut job);
    let summary = job.run(&mut ())?;
    let parts = summary.parts.iter().map(|part| fs::read(&part.name).unwrap()).collect();
    Ok((parts, summary))
}

fn records(parts: &[Vec<u8>]) -> Vec<usize> {
    parts.iter().map(|part| part.len() / SIZE).collect()
}

#[test]
fn parts_have_the_requested_records_or_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let sizes = |rule| {
        let (parts, summary) = split(directory.path(), rule, |job| job.options.force = true).unwrap();
        assert!(parts.concat() == sample("sample.psv"));
        assert_eq!(summary.counts.read, 2000);
        records(&parts)
    };
    assert_eq!(sizes(Rule::Records(number(900))), [900, 900, 200]);
    assert_eq!(sizes(Rule::Records(number(2000))), [2000]);
    assert_eq!(sizes(Rule::Bytes(number(39_999))), [999, 999, 2]);
    assert_eq!(sizes(Rule::Parts(number(3))), [666, 667, 667]);
}

#[test]
fn headers_count_as_bytes() {
    for format in [FileFormat::Csv, FileFormat::Tsv] {
        let directory = tempfile::tempdir().unwrap();
        let names = Names::Pattern(directory.path().join("part-{}.txt"));
        let job = Job {
            to: Some(format),
            ..Job::new(vec![Input::path(sample_path("sample.psv"))], Rule::Bytes(number(5_000)), names)
        };
        let parts = job.run(&mut ()).unwrap().parts;
        for part in &parts {
            let content = fs::read(&part.name).unwrap();
            assert!(content.len() <= 5_000 && content.starts_with(format.header()), "{}", content.len());
        }
        assert_eq!(parts.iter().map(|part| part.records).sum::<u64>(), 2000);
    }
}

#[test]
fn compressed_text_is_counted_and_split() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.plain");
    fs::write(&path, convert(FileFormat::Psv, FileFormat::Plain, &sample("sample.psv"))).unwrap();
    let names = Names::Pattern(directory.path().join("part-{}.psv.zst"));
    let summary = Job::new(vec![Input::path(path)], Rule::Parts(number(7)), names).run(&mut ()).unwrap();
    assert_eq!(summary.parts.iter().map(|part| part.records).sum::<u64>(), 2000);
    assert!(summary.parts.iter().all(|part| part.records.abs_diff(286) <= 1));
}

#[test]
fn an_empty_input_gives_empty_parts() {
    let directory = tempfile::tempdir().unwrap();
    for (rule, parts) in [
        (Rule::Records(number(5)), 1),
        (Rule::Parts(number(3)), 3),
        (Rule::Ratio { weights: vec![9, 1], seed: 0 }, 2),
    ] {
        let (contents, _) = split(directory.path(), rule, |job| {
            job.inputs = vec![Input::Stream("empty".into(), Box::new(Cursor::new(b"")))];
            job.options.force = true;
        })
        .unwrap();
        assert_eq!(records(&contents), vec![0; parts]);
    }
}

/// The sample has 20 games; the plies start again with each.
#[test]
fn games_are_found_and_never_cut() {
    let directory = tempfile::tempdir().unwrap();
    for rule in [
        Rule::Records(number(300)),
        Rule::Parts(number(6)),
        Rule::Bytes(number(10_000)),
        Rule::Ratio { weights: vec![3, 1, 1], seed: 5 },
    ] {
        let is_random = matches!(rule, Rule::Ratio { .. });
        let (parts, summary) = split(directory.path(), rule, |job| {
            job.by_game = true;
            job.options.force = true;
        })
        .unwrap();
        assert_eq!(summary.games, Some(20));
        assert_eq!(records(&parts).iter().sum::<usize>(), 2000);
        assert!(is_random || parts.concat() == sample("sample.psv"));
        let ply = |record: &[u8]| u16::from_le_bytes([record[36], record[37]]);
        for part in parts.iter().filter(|part| !part.is_empty()) {
            assert!(ply(&part[..SIZE]) < 10, "a part begins with a game");
        }
    }
}

/// hcpe has no plies: only the boards distinguish games.
#[test]
fn games_are_found_without_plies() {
    let directory = tempfile::tempdir().unwrap();
    let names = Names::Pattern(directory.path().join("{}.hcpe"));
    let job = Job::new(vec![Input::path(sample_path("sample.hcpe"))], Rule::Records(number(500)), names);
    let summary = Job { by_game: true, ..job }.run(&mut ()).unwrap();
    assert_eq!(summary.games, Some(20));
}

/// Plies that were never counted, or restart in the middle of a game, do not divide games.
#[test]
fn games_are_found_despite_wrong_plies() {
    let directory = tempfile::tempdir().unwrap();
    let games = |change: fn(u16) -> u16| {
        let mut psv = sample("sample.psv");
        for record in psv.chunks_exact_mut(SIZE) {
            let ply = u16::from_le_bytes([record[36], record[37]]);
            record[36..38].copy_from_slice(&change(ply).to_le_bytes());
        }
        let (_, summary) = split(directory.path(), Rule::Records(number(500)), |job| {
            job.inputs = vec![Input::Stream("plies".into(), Box::new(Cursor::new(psv)))];
            job.by_game = true;
            job.options.force = true;
        })
        .unwrap();
        summary.games
    };
    assert_eq!(games(|_| 1), Some(20));
    assert_eq!(games(|ply| ply % 8), Some(20));
}

#[test]
fn ratio_is_approximate_and_deterministic() {
    let directory = tempfile::tempdir().unwrap();
    let share = |threads, seed| {
        let rule = Rule::Ratio { weights: vec![8, 1, 1], seed };
        let (parts, _) = split(directory.path(), rule, |job| {
            job.options.threads = threads;
            job.options.force = true;
        })
        .unwrap();
        parts
    };
    let parts = share(1, 3);
    assert!(parts == share(3, 3) && parts != share(1, 4));
    let [train, valid, test] = records(&parts)[..] else { panic!() };
    assert_eq!(train + valid + test, 2000);
    assert!(train.abs_diff(1600) < 80 && valid.abs_diff(200) < 60, "{train} {valid} {test}");
}

/// Every job that writes records asks for the format of its output, given or not.
#[test]
fn outputs_named_like_unsupported_compressions_are_refused() {
    for to in [None, Some(FileFormat::Psv)] {
        let names = Names::Pattern("{}.psv.bz2".into());
        let job = Job::new(vec![Input::path(sample_path("sample.psv"))], Rule::Records(number(500)), names);
        let refused = Job { to, ..job }.plan();
        assert!(matches!(refused, Err(DatasetError::OutputCompression(_))));
    }
}

#[test]
fn names_and_ratios_that_do_not_fit_are_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |rule, names| split(directory.path(), rule, |job| job.names = names).unwrap_err().kind();
    let each = |names: &[&str]| Names::Each(names.iter().map(|name| directory.path().join(name)).collect());
    let ratio = |weights: &[u64]| Rule::Ratio { weights: weights.to_vec(), seed: 0 };
    assert_eq!(refused(ratio(&[1, 1, 1]), each(&["a.psv", "b.psv"])), "part_names");
    assert_eq!(refused(Rule::Records(number(9)), each(&["a.psv"])), "part_names");
    assert_eq!(refused(Rule::Records(number(9)), Names::Pattern("a.psv".into())), "part_names");
    assert_eq!(refused(ratio(&[1, 1]), each(&["a.psv", "a.psv"])), "same_file");
    assert_eq!(refused(ratio(&[1]), each(&["a.txt"])), "output_format");
    assert_eq!(refused(ratio(&[1, 1]), each(&["a.psv", "b.hcpe"])), "part_formats");
    assert_eq!(refused(ratio(&[1, 1]), each(&["a.kmb", "b.hcpe.kmb"])), "part_formats");
    assert_eq!(refused(ratio(&[1, 1]), each(&["a.psv", "b.psv.lz4"])), "output_compression");
    for weights in [&[0, 0][..], &[u64::MAX, 1], &[1; 257]] {
        assert_eq!(refused(ratio(weights), Names::Pattern("{}.psv".into())), "ratio");
    }
    for parts in [Rule::MAX_PARTS + 1, u64::MAX] {
        assert_eq!(refused(Rule::Parts(number(parts)), Names::Pattern("{}.psv".into())), "too_many_parts");
    }
    let stream = split(directory.path(), Rule::Parts(number(2)), |job| {
        job.inputs = vec![Input::Stream("pipe".into(), Box::new(Cursor::new(sample("sample.psv"))))];
    });
    assert_eq!(stream.unwrap_err().kind(), "read_once");
    assert_eq!(names(directory.path()), [] as [&str; 0]);
}

/// The number of parts is not known beforehand, so that an input may have the name of one.
#[test]
fn a_part_never_overwrites_an_input() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("part-003.psv");
    fs::write(&input, sample("sample.psv")).unwrap();
    let refused = split(directory.path(), Rule::Records(number(500)), |job| {
        job.inputs = vec![Input::path(&input)];
        job.options.force = true;
    });
    assert!(matches!(refused, Err(DatasetError::SameFile(path)) if path == input));
    assert_eq!(names(directory.path()), ["part-003.psv"]);
    assert!(fs::read(&input).unwrap() == sample("sample.psv"));
}

#[test]
fn failed_split_leaves_no_part() {
    let directory = tempfile::tempdir().unwrap();
    let mut bad = sample("sample.psv");
    bad[1900 * SIZE + 1] ^= 0xff;
    let run = |on_error: OnBadRecord| {
        split(directory.path(), Rule::Records(number(500)), |job| {
            job.inputs = vec![Input::Stream("bad".into(), Box::new(Cursor::new(bad.clone())))];
            job.by_game = true;
            job.on_bad_record = on_error;
        })
    };
    assert!(matches!(run(OnBadRecord::Stop), Err(DatasetError::Record(error)) if error.record == 1900));
    assert_eq!(names(directory.path()), [] as [&str; 0]);
    fs::write(directory.path().join("part-003.psv"), "precious").unwrap();
    assert!(matches!(run(OnBadRecord::Skip), Err(DatasetError::Exists(_))));
    assert_eq!(names(directory.path()), ["part-003.psv"]);
    fs::remove_file(directory.path().join("part-003.psv")).unwrap();
    let (parts, summary) = run(OnBadRecord::Skip).unwrap();
    assert_eq!((records(&parts).iter().sum::<usize>(), summary.counts.bad["KING_CODE"]), (1999, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn consecutive_parts_join_to_the_whole(size in 20..3000_u64, by_game: bool, kind in 0..3) {
        let directory = tempfile::tempdir().unwrap();
        let rule = match kind {
            0 => Rule::Records(number(size)),
            1 => Rule::Bytes(number(size * 17)),
            _ => Rule::Parts(number(size % 50 + 1)),
        };
        let (parts, _) = split(directory.path(), rule, |job| job.by_game = by_game).unwrap();
        prop_assert!(parts.concat() == sample("sample.psv"));
        let expected: Vec<PathBuf> = (1..=parts.len())
            .map(|part| format!("part-{part:03}.psv").into())
            .collect();
        prop_assert_eq!(names(directory.path()).iter().map(PathBuf::from).collect::<Vec<_>>(), expected);
    }
}

/// Whether their number is known beforehand or not: `--force` would destroy what another program has just written.
#[test]
fn parts_that_appear_while_the_job_runs_are_not_advised_to_be_overwritten() {
    for rule in [Rule::Records(number(900)), Rule::Parts(number(3))] {
        let directory = tempfile::tempdir().unwrap();
        let part = |number: u64| directory.path().join(format!("part-00{number}.psv"));
        let plan = |rule: &Rule| {
            let names = Names::Pattern(directory.path().join("part-{}.psv"));
            Job::new(vec![Input::path(sample_path("sample.psv"))], rule.clone(), names).plan()
        };
        let planned = plan(&rule).unwrap();
        fs::write(part(2), "precious").unwrap();
        let ran = planned.run(&mut ());
        assert!(matches!(ran, Err(DatasetError::Appeared(path)) if path == part(2)));
        let again = plan(&rule).and_then(|plan| plan.run(&mut ()));
        assert!(matches!(again, Err(DatasetError::Exists(path)) if path == part(2)));
        assert_eq!((fs::read(part(2)).unwrap(), names(directory.path()).len()), (b"precious".to_vec(), 1));
    }
}
