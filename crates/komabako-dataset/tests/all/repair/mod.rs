//! Repair: deliberate damage is undone byte for byte, sound files stay unchanged, and unrepairable records are
//! set aside with the reason.

mod moves;
mod positions;

use std::fs;
use std::path::Path;

use crate::common::sample;
use komabako_board::{Color, Setup};
use komabako_codec::Word;
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_dataset::move16::MoveEncoding;
use komabako_dataset::repair::{Change, DecidedBy, EncodingStats, Job, Moves, RepairError, Sides, Summary};
use komabako_dataset::{DatasetError, FileFormat, Input, JobOptions, Output, validate};
use komabako_testkit::wild::{variant_b, variant_c};
use proptest::prelude::*;
use tempfile::TempDir;

/// A directory with a file `in.psv`.
fn place(bytes: &[u8]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("in.psv"), bytes).unwrap();
    place
}

/// Repairs `in.psv` into `out.psv`, with unrepairable records in `rejects.psv`.
fn repair_in(place: &Path, change: impl FnOnce(&mut Job)) -> Result<(Vec<u8>, Summary), DatasetError> {
    let output = place.join("out.psv");
    let mut job = Job::new(vec![Input::path(place.join("in.psv"))], Output::path(&output));
    job.options.from = Some(FileFormat::Psv);
    job.options.force = true;
    job.rejects = Some(place.join("rejects.psv"));
    change(&mut job);
    let summary = job.run(&mut ())?;
    Ok((fs::read(output).unwrap(), summary))
}

fn repair(bytes: &[u8], change: impl FnOnce(&mut Job)) -> (Vec<u8>, Summary) {
    repair_in(place(bytes).path(), change).unwrap()
}

/// The error of a file that cannot be repaired.
fn refusal(bytes: &[u8], change: impl FnOnce(&mut Job)) -> RepairError {
    match repair_in(place(bytes).path(), change) {
        Err(error) => error.of_job::<RepairError>().cloned().unwrap_or_else(|| panic!("{error:?}")),
        Ok(summary) => panic!("{summary:?}"),
    }
}

/// The sample without the handicap positions: in game order.
fn games() -> Vec<u8> {
    sample("sample.psv")
}

/// The numbers of the records that were set aside, from the list of reasons.
fn set_aside(place: &Path) -> Vec<usize> {
    let reasons = fs::read_to_string(place.join("rejects.psv.reasons.tsv")).unwrap_or_default();
    reasons.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect()
}

/// The file without some records.
fn without(bytes: &[u8], left_out: &[usize]) -> Vec<u8> {
    let kept = bytes.chunks(40).enumerate().filter(|(index, _)| !left_out.contains(index));
    kept.flat_map(|(_, record)| record.to_vec()).collect()
}

fn is_clean(bytes: &[u8]) -> bool {
    let input = Input::Stream("input".into(), Box::new(bytes));
    let job = validate::Job {
        options: JobOptions { from: Some(FileFormat::Psv), ..JobOptions::default() },
        ..validate::Job::new(vec![input])
    };
    job.run(&mut ()).unwrap().is_clean()
}

#[test]
fn sound_files_are_unchanged() {
    let sound = crate::sound::file();
    for moves in [Moves::Auto, Moves::All(MoveEncoding::YaneuraOu)] {
        let (repaired, summary) = repair(&sound, |job| job.moves = moves);
        assert!(repaired == sound, "{moves:?}");
        assert_eq!((summary.unchanged, summary.changes.len()), (sound.len() as u64 / 40, 0));
    }
    // Padding, ply and scores are not changed.
    let mut odd = sound.clone();
    odd.chunks_mut(40).zip((0..=u8::MAX).cycle()).for_each(|(record, number)| {
        record[39] = number;
        record[36] = record[36].wrapping_mul(7);
        record[32..34].copy_from_slice(&i16::MIN.to_le_bytes());
    });
    assert!(repair(&odd, |_| {}).0 == odd);
    let hcpe = sample("sample.hcpe");
    let place = tempfile::tempdir().unwrap();
    let input = place.path().join("in.hcpe.zst");
    let output = place.path().join("out.hcpe");
    let packed = Output::path(&input);
    komabako_dataset::convert::Job::new(vec![Input::path(crate::common::sample_path("sample.hcpe"))], packed)
        .plan()
        .unwrap()
        .run(&mut ())
        .unwrap();
    let summary = Job::new(vec![Input::path(&input)], Output::path(&output)).run(&mut ()).unwrap();
    assert_eq!(summary.files[0].encoding, Some(MoveEncoding::Apery));
    assert!(fs::read(&output).unwrap() == hcpe);
}

#[test]
fn all_kinds_of_damage_at_once_are_repaired() {
    let sound = crate::sound::file();
    let damaged = crate::sound::with_moves(&sound, |_| MoveEncoding::Apery);
    let positions = crate::sound::with_positions(&sound, variant_c);
    let damaged: Vec<u8> = damaged
        .chunks(40)
        .zip(positions.chunks(40))
        .flat_map(|(one, two)| [&two[..32], &one[32..]].concat())
        .collect();
    for threads in [1, 3] {
        let (repaired, _) = repair(&damaged, |job| job.options.threads = threads);
        assert!(repaired == sound);
    }
}

#[test]
fn signs_change_only_on_request() {
    let sound = crate::sound::file();
    let flip = |bytes: &[u8], score, result| {
        repair(bytes, |job| (job.flip_score, job.flip_result) = (score, result))
    };
    for sides in [Sides::Both, Sides::Only(Color::Black), Sides::Only(Color::White)] {
        let (flipped, summary) = flip(&sound, Some(sides), None);
        assert!(flipped != sound && summary.changes.keys().eq([&Change::Score]));
        assert!(flip(&flipped, Some(sides), None).0 == sound);
        let (flipped, summary) = flip(&sound, None, Some(sides));
        assert!(flipped != sound && summary.changes.keys().eq([&Change::Result]));
        assert!(flip(&flipped, None, Some(sides)).0 == sound);
    }
    let (flipped, _) = flip(&sound, Some(Sides::Only(Color::White)), None);
    for (one, other) in crate::sound::records(&sound).zip(crate::sound::records(&flipped)) {
        let sign = if one.side_to_move() == Color::White { -1 } else { 1 };
        assert_eq!(one.score * sign, other.score);
    }
}

#[test]
fn files_of_other_formats_are_refused_by_name() {
    let hcpe = sample("sample.hcpe");
    for length in [hcpe.len(), hcpe.len() - 38] {
        let error = refusal(&hcpe[..length], |_| {});
        let is_named = |found| matches!(&error, RepairError::OtherFormat { found: it, .. } if *it == found);
        assert!(is_named(FileFormat::Hcpe), "{error}");
    }
    let error = refusal(b"startpos\n", |job| job.options.from = None);
    assert!(matches!(error, RepairError::Converts { .. } | RepairError::Format(_)), "{error}");
    let stream = Input::Stream("standard input".into(), Box::new(&hcpe[..]));
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let error = Job::new(vec![stream], output).run(&mut ()).unwrap_err();
    assert!(matches!(error.of_job(), Some(RepairError::Stream(_))), "{error}");
}

#[test]
fn unrepairable_record_stops_the_job_or_is_rejected() {
    let mut psv = sample("sample.psv");
    psv[40 * 3 + 1] ^= 0xff;
    psv[40 * 5 + 38] = 3;
    psv[40 * 7 + 34..][..2].copy_from_slice(&[0x7f, 0]);
    let place = place(&psv);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    assert_eq!(
        summary.counts.bad,
        [("KING_CODE".into(), 1), ("MOVE_TO".into(), 1), ("RESULT".into(), 1)].into()
    );
    assert_eq!((summary.counts.read, summary.counts.written, summary.changed()), (2000, 1997, 0));
    let sound = sample("sample.psv");
    let kept = [&sound[..120], &sound[160..200], &sound[240..280], &sound[320..]].concat();
    assert!(repaired == kept);
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert!(rejects == [&psv[120..160], &psv[200..240], &psv[280..320]].concat());

    let place = self::place(&psv);
    assert!(repair_in(place.path(), |job| job.rejects = None).is_err());
    assert_eq!(crate::common::names(place.path()), ["in.psv"]);
    psv.pop();
    fs::write(place.path().join("in.psv"), &psv).unwrap();
    assert!(matches!(repair_in(place.path(), |_| {}), Err(DatasetError::Tail(_))));
    let (_, summary) = repair_in(place.path(), |job| job.options.salvage = true).unwrap();
    assert_eq!((summary.counts.read, summary.counts.tails.len()), (1999, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// After any damage, the output is clean at the levels that repair is responsible for, and repairing it again changes
    /// nothing.
    #[test]
    fn repaired_file_validates_clean(
        damage in proptest::collection::vec((0..8000_usize, any::<u8>()), 0..40),
        moves in proptest::sample::select(vec![Moves::All(MoveEncoding::YaneuraOu), Moves::Mixed]),
    ) {
        use validate::Level;
        let mut psv = sample("sample.psv")[..8000].to_vec();
        damage.into_iter().for_each(|(at, byte)| psv[at] = byte);
        let (repaired, summary) = repair(&psv, |job| job.moves = moves);
        prop_assert_eq!(summary.counts.read, 200);
        prop_assert_eq!(summary.counts.written + summary.counts.bad_total(), 200);
        let input = Input::Stream("input".into(), Box::new(&repaired[..]));
        let levels =
            [Level::Size, Level::Codec, Level::Inventory, Level::Canonical, Level::Rules, Level::Move].into_iter();
        let job = validate::Job { options: JobOptions { from: Some(FileFormat::Psv), ..JobOptions::default() }, levels: levels.collect(), ..validate::Job::new(vec![input]) };
        prop_assert!(job.run(&mut ()).unwrap().is_clean());
        prop_assert_eq!(&repair(&repaired, |job| job.moves = moves).0, &repaired);
    }
}
