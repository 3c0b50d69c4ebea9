//! Repair: what was damaged on purpose comes back byte for byte, what is sound stays so, and what cannot be repaired is
//! set aside with the reason.

mod common;
mod sound;

use std::fs;
use std::path::Path;

use common::sample;
use komabako_board::{Color, Setup};
use komabako_codec::Word;
use komabako_codec::packed_sfen::PhantomPawns;
use komabako_dataset::move16::MoveEncoding;
use komabako_dataset::repair::{Change, Ground, Job, Mixture, Moves, RepairError, Sides, Summary};
use komabako_dataset::{DatasetError, FileFormat, Input, Output, validate};
use komabako_testkit::wild::{variant_b, variant_c};
use proptest::prelude::*;
use tempfile::TempDir;

/// A directory with a file `in.psv`.
fn place(bytes: &[u8]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("in.psv"), bytes).unwrap();
    place
}

/// Repairs `in.psv` into `out.psv`, and what cannot be repaired into `rejects.psv`.
fn repair_in(place: &Path, change: impl FnOnce(&mut Job)) -> Result<(Vec<u8>, Summary), DatasetError> {
    let output = place.join("out.psv");
    let mut job = Job::new(vec![Input::path(place.join("in.psv"))], Output::path(&output));
    job.from = Some(FileFormat::Psv);
    job.force = true;
    job.rejects = Some(place.join("rejects.psv"));
    change(&mut job);
    let summary = job.run(&mut ())?;
    Ok((fs::read(output).unwrap(), summary))
}

fn repair(bytes: &[u8], change: impl FnOnce(&mut Job)) -> (Vec<u8>, Summary) {
    repair_in(place(bytes).path(), change).unwrap()
}

/// Why a file cannot be repaired.
fn refusal(bytes: &[u8], change: impl FnOnce(&mut Job)) -> RepairError {
    match repair_in(place(bytes).path(), change) {
        Err(DatasetError::Repair(error)) => *error,
        other => panic!("{other:?}"),
    }
}

fn is_clean(bytes: &[u8]) -> bool {
    let input = Input::Stream("input".into(), Box::new(bytes));
    let job = validate::Job { from: Some(FileFormat::Psv), ..validate::Job::new(vec![input]) };
    job.run(&mut ()).unwrap().is_clean()
}

#[test]
fn sound_files_stay_as_they_are() {
    let sound = sound::file();
    for moves in [Moves::Auto, Moves::All(MoveEncoding::YaneuraOu)] {
        let (repaired, summary) = repair(&sound, |job| job.moves = moves);
        assert!(repaired == sound, "{moves:?}");
        assert_eq!((summary.unchanged, summary.changes.len()), (sound.len() as u64 / 40, 0));
    }
    // Padding, ply and scores are not touched.
    let mut odd = sound.clone();
    odd.chunks_mut(40).zip((0..=u8::MAX).cycle()).for_each(|(record, number)| {
        record[39] = number;
        record[36] = record[36].wrapping_mul(7);
        record[32..34].copy_from_slice(&i16::MIN.to_le_bytes());
    });
    assert!(repair(&odd, |_| {}).0 == odd);
    let hcpe = sample("sample.hcpe");
    let place = tempfile::tempdir().unwrap();
    let (input, output) = (place.path().join("in.hcpe.zst"), place.path().join("out.hcpe"));
    let packed = Output::path(&input);
    komabako_dataset::convert::Job::new(vec![Input::path(common::sample_path("sample.hcpe"))], packed)
        .plan()
        .unwrap()
        .run(&mut ())
        .unwrap();
    let summary = Job::new(vec![Input::path(&input)], Output::path(&output)).run(&mut ()).unwrap();
    assert_eq!(summary.files[0].encoding, Some(MoveEncoding::Apery));
    assert!(fs::read(&output).unwrap() == hcpe);
}

/// `spec/formats.md` §2.3. The removed pieces are no pawns: those that look so are.
#[test]
fn positions_of_variants_become_canonical() {
    let sound = sound::file();
    for (write, change) in
        [(variant_b as fn(&Setup) -> Word, Change::VariantB), (variant_c, Change::VariantC)]
    {
        let damaged = sound::with_positions(&sound, write);
        assert!(!is_clean(&damaged));
        // That all pawns are there is seen in the handicap positions without doubt.
        let (repaired, summary) = repair(&damaged, |_| {});
        assert!(repaired == sound, "{change:?}: {summary:?}");
        let differing = damaged.chunks(40).zip(sound.chunks(40)).filter(|(one, other)| one != other).count();
        assert_eq!(summary.changed(), differing as u64);
        assert!(summary.changes[&change] * 2 > summary.changed(), "{summary:?}");
        assert!(is_clean(&repaired));
    }
}

/// Every position is of variant B and leaves zeros, many of them in doubt: still the file is recognised, by any name.
#[test]
fn a_file_of_old_handicap_positions_comes_back() {
    let sound = sound::file()[sample("sample.psv").len()..].to_vec();
    let damaged = sound::with_positions(&sound, variant_b);
    assert!(repair(&damaged, |job| job.from = None).0 == sound);
    let input = || Input::Stream("input".into(), Box::new(&damaged[..]));
    let report = validate::Job::new(vec![input()]).run(&mut ()).unwrap();
    let faults = &report.files[0].level(validate::Level::Canonical).unwrap().faults;
    assert_eq!(faults["VARIANT_B"] + faults["PHANTOM_PAWNS"], sound.len() as u64 / 40);
}

#[test]
fn doubtful_pawns_are_set_aside_unless_it_is_said_what_they_are() {
    let sound = sound::file();
    let damaged = sound::with_positions(&sound, variant_b);
    let refuse = |job: &mut Job| job.phantom_pawns = Some(PhantomPawns::Error);
    let place = place(&damaged);
    let (repaired, summary) = repair_in(place.path(), refuse).unwrap();
    let doubtful = summary.rejected["PHANTOM_PAWNS"];
    assert!(doubtful > 0 && summary.rejected_total() == doubtful, "{summary:?}");
    assert_eq!(repaired.len() as u64, sound.len() as u64 - 40 * doubtful);
    assert!(is_clean(&repaired));
    // What was set aside is as it was, and can be repaired for itself.
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert!(rejects.chunks(40).all(|record| damaged.chunks(40).any(|stored| stored == record)));
    let reasons = fs::read_to_string(place.path().join("rejects.psv.reasons.tsv")).unwrap();
    assert_eq!(reasons.lines().filter(|line| line.contains("\tPHANTOM_PAWNS\t")).count() as u64, doubtful);
    let (kept, _) = repair(&rejects, |job| job.phantom_pawns = Some(PhantomPawns::Keep));
    assert!(kept.chunks(40).all(|record| sound.chunks(40).any(|stored| stored == record)));
    let (stripped, summary) = repair(&rejects, |job| job.phantom_pawns = Some(PhantomPawns::Strip));
    assert!(stripped != kept && summary.changes[&Change::PhantomPawns] == summary.written);
    // By themselves they say nothing, and one position that lacks a pawn makes all doubtful.
    assert_eq!(repair(&rejects, |_| {}).1.rejected["PHANTOM_PAWNS"], doubtful);
    let mut pawnless = sample("sample.psv")[..40].to_vec();
    let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b 9Pn".parse().unwrap();
    pawnless[..32].copy_from_slice(&variant_b(&setup));
    pawnless[34..36].fill(0);
    let (_, summary) = repair(&[&damaged[..], &pawnless].concat(), |_| {});
    assert_eq!(summary.rejected["PHANTOM_PAWNS"], doubtful);

    let error = refusal(&damaged, |job| {
        refuse(job);
        job.rejects = None;
    });
    assert!(matches!(&error, RepairError::Record(error) if error.fault.name() == "PHANTOM_PAWNS"), "{error}");
}

/// `spec/formats.md` §3.3.
#[test]
fn moves_of_another_encoding_are_rewritten() {
    let sound = sound::file();
    for encoding in [MoveEncoding::LegacyRshogi, MoveEncoding::Apery] {
        let damaged = sound::with_moves(&sound, |_| encoding);
        for moves in [Moves::Auto, Moves::All(encoding)] {
            let (repaired, summary) = repair(&damaged, |job| job.moves = moves);
            assert!(repaired == sound, "{encoding:?}: {summary:?}");
            assert_eq!(summary.files[0].encoding, Some(encoding));
            assert!(summary.changes[&Change::Move] > 500);
        }
    }
}

/// The sample without the handicap positions: in game order.
fn games() -> Vec<u8> {
    sample("sample.psv")
}

/// How the moves were read.
fn mixture(summary: &Summary) -> Mixture {
    summary.files[0].mixture.unwrap_or_else(|| panic!("{summary:?}"))
}

/// A number for a record that is as good as random.
fn scrambled(index: usize) -> usize {
    (index as u32).wrapping_mul(0x9e37_79b9).rotate_left(7) as usize
}

/// The records in another order.
fn shuffled(bytes: &[u8]) -> Vec<u8> {
    let mut records: Vec<_> = bytes.chunks(40).enumerate().collect();
    records.sort_by_key(|&(index, _)| scrambled(index));
    records.into_iter().flat_map(|(_, record)| record.to_vec()).collect()
}

/// The numbers of the records that were set aside, by the list of reasons.
fn set_aside(place: &Path) -> Vec<usize> {
    let reasons = fs::read_to_string(place.join("rejects.psv.reasons.tsv")).unwrap_or_default();
    reasons.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect()
}

/// A record whose hands are in no known order: a gold of Black's before a pawn.
fn in_other_order(record: &[u8]) -> Vec<u8> {
    let mut record = sound::with_sfen(record, "4k4/9/9/9/9/9/9/9/4K4 b GP");
    record[34..36].fill(0);
    // What is in hand takes 8 bits, 3 of the pawn first. The board has 79 empty squares, the kings and the side 15 bits.
    let start = 15 + 79;
    let bit = |record: &[u8], at: usize| record[at / 8] >> (at % 8) & 1;
    let hand: Vec<u8> = (start..start + 8).map(|at| bit(&record, at)).collect();
    let swapped = hand[3..].iter().chain(&hand[..3]);
    for (at, &value) in (start..).zip(swapped) {
        record[at / 8] = record[at / 8] & !(1 << (at % 8)) | value << (at % 8);
    }
    record
}

/// A flipped bit can leave a position with hands in some order: only a file full of them has been written so.
#[test]
fn an_order_of_hands_that_no_program_has_is_damage() {
    let sound = games();
    let odd = in_other_order(&sound[..40]);
    let place = place(&[&sound[..4000], &odd].concat());
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    assert!(repaired == sound[..4000]);
    assert_eq!(summary.rejected, [("VARIANT_OTHER", 1)].into());
    let many = [sound[..4000].to_vec(), odd.repeat(10)].concat();
    let (repaired, summary) = repair(&many, |_| {});
    assert_eq!(summary.changes, [(Change::VariantOther, 10)].into());
    assert!(repaired.len() == many.len() && is_clean(&repaired));
}

/// The file without some records.
fn without(bytes: &[u8], left_out: &[usize]) -> Vec<u8> {
    let kept = bytes.chunks(40).enumerate().filter(|(index, _)| !left_out.contains(index));
    kept.flat_map(|(_, record)| record.to_vec()).collect()
}

#[test]
fn mixed_moves_in_game_order_come_back() {
    let sound = games();
    let sets: [&[MoveEncoding]; 4] = {
        use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};
        [&[YaneuraOu, Apery], &[YaneuraOu, LegacyRshogi], &[LegacyRshogi, Apery], &MoveEncoding::ALL]
    };
    for set in sets {
        let mixed = sound::with_moves(&sound, |index| set[scrambled(index) % set.len()]);
        assert!(!is_clean(&mixed));
        for moves in [Moves::Auto, Moves::Mixed] {
            let (repaired, summary) = repair(&mixed, |job| job.moves = moves);
            assert!(repaired == sound, "{set:?}: {summary:?}");
            let mixture = mixture(&summary);
            assert!(mixture.encodings.iter().eq(MoveEncoding::ALL.into_iter().filter(|it| set.contains(it))));
            assert_eq!(
                mixture.read().map(|(_, count)| count).sum::<u64>(),
                summary.files[0].votes.unwrap().telling()
            );
            assert_eq!(mixture.decided_by(Ground::TieBreak), 0);
        }
    }
    let mixed = sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index) % 3]);
    let (_, summary) = repair(&mixed, |_| {});
    assert!(mixture(&summary).decided_by(Ground::NextPosition) > 10, "{summary:?}");
}

/// Without order, only legality tells: what it leaves open is set aside and nothing else is touched.
#[test]
fn what_nothing_decides_is_set_aside_or_read_as_asked() {
    let sound = shuffled(&sound::file());
    let mixed = sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index) % 3]);
    let place = place(&mixed);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert_eq!(summary.rejected, [("MOVE_AMBIGUOUS", left_out.len() as u64)].into());
    assert!((10..100).contains(&left_out.len()), "{}", left_out.len());
    assert!(repaired == without(&sound, &left_out));
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert_eq!(rejects.len() + repaired.len(), mixed.len());

    let (repaired, summary) = repair(&mixed, |job| job.tie_break = Some(MoveEncoding::Apery));
    let ties = mixture(&summary).decided_by(Ground::TieBreak);
    assert_eq!(ties + summary.rejected_total(), left_out.len() as u64);
    assert!(ties > summary.rejected_total() && is_clean(&repaired));
    let error = refusal(&mixed, |job| job.rejects = None);
    assert!(
        matches!(&error, RepairError::Record(error) if error.fault.name() == "MOVE_AMBIGUOUS"),
        "{error}"
    );
}

/// A file put together of files in several encodings, in no order within them.
#[test]
fn in_stretches_of_one_encoding_the_moves_around_decide() {
    let sound = shuffled(&sound::file());
    let third = sound.len() / 40 / 3;
    let stretch = |index: usize| MoveEncoding::ALL[(index / third).min(2)];
    let mixed = sound::with_moves(&sound, stretch);
    let place = place(&mixed);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert!(repaired == without(&sound, &left_out));
    // Where the encoding changes the moves around say nothing.
    let asked = 32 * 12;
    assert!(left_out.iter().all(|index| (index % third).min(third - index % third) < asked), "{left_out:?}");
    assert!(mixture(&summary).decided_by(Ground::Neighbours) > left_out.len() as u64, "{summary:?}");
}

/// Neither the bounds of blocks nor the threads decide anything: blocks have 13,107 records.
#[test]
fn mixed_moves_do_not_depend_on_blocks_and_threads() {
    let sound = games();
    let padding = sound.repeat(7);
    let part = |start: usize| [&padding[40 * start..], &sound].concat();
    let repaired = |start: usize, threads| {
        let sound = part(start);
        let mixed = sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index + start) % 3]);
        let place = place(&mixed);
        let (repaired, summary) = repair_in(place.path(), |job| job.threads = threads).unwrap();
        let left_out = set_aside(place.path());
        assert!(repaired == without(&sound, &left_out), "{start}");
        let left_out: Vec<usize> = left_out.into_iter().map(|index| index + start).collect();
        (left_out, summary.read + start as u64)
    };
    let expected = repaired(0, 1);
    assert_eq!(repaired(0, 4), expected);
    // The bound falls on every record of a stretch that has open ones in turn.
    let bounds = (800..1200).step_by(23);
    bounds.for_each(|start| {
        let (left_out, read) = repaired(start, 2);
        let tail: Vec<usize> = expected.0.iter().copied().filter(|&index| index >= start).collect();
        assert_eq!((left_out, read), (tail, expected.1), "{start}");
    });
}

#[test]
fn what_is_not_mixed_stays_whole() {
    let sound = sound::file();
    for bytes in [&sound, &shuffled(&sound)] {
        let (repaired, summary) = repair(bytes, |job| job.moves = Moves::Mixed);
        assert!(repaired == *bytes);
        assert!(mixture(&summary).encodings.iter().eq([MoveEncoding::YaneuraOu]));
    }
    // Unknown moves say nothing.
    let zeros = |bytes: &[u8]| -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes.chunks_mut(40).step_by(3).for_each(|record| record[34..36].fill(0));
        bytes
    };
    assert!(repair(&zeros(&sound), |_| {}).0 == zeros(&sound));
    let mixed = sound::with_moves(&games(), |index| MoveEncoding::ALL[index % 2 * 2]);
    assert!(repair(&zeros(&mixed), |_| {}).0 == zeros(&games()));
}

/// The drop of a rook in B is that of a gold in C: of one move alone nobody knows which it is.
#[test]
fn one_move_alone_is_not_guessed() {
    let mut record = sound::with_sfen(&sound::misread()[..40], "4k4/9/9/9/9/9/9/9/4K4 b GR");
    record[34..36].copy_from_slice(&0x2ba8_u16.to_le_bytes());
    let (repaired, summary) = repair(&record, |job| job.moves = Moves::Mixed);
    assert!(repaired.is_empty());
    assert_eq!(summary.rejected, [("MOVE_AMBIGUOUS", 1)].into());
}

/// A move that is legal in the encoding of all the others, but only another leads on.
#[test]
fn the_next_position_outweighs_the_sample() {
    let (sound, misread) = (games(), sound::misread());
    let mut mended = misread.clone();
    mended[34..36].copy_from_slice(&0x8182_u16.to_le_bytes());
    assert!(is_clean(&mended) && !is_clean(&misread));
    // Far from the stretches that are sampled, and where a block ends.
    for before in [0, 13_106, 33_033] {
        let padding = sound.repeat(34);
        let around = |middle: &[u8]| [&padding[..40 * before], middle, &padding[40 * before..]].concat();
        for threads in [1, 3] {
            let (repaired, summary) = repair(&around(&misread), |job| {
                (job.moves, job.threads) = (Moves::Mixed, threads);
            });
            assert!(repaired == around(&mended), "{before}: {summary:?}");
            assert_eq!(summary.changes, [(Change::Move, 1)].into());
        }
    }
    // One alone decides nothing for the others, and is not passed over.
    let error = refusal(&misread, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
}

/// A few moves in another encoding do not make a file mixed, and numbers in the place of moves no encoding.
#[test]
fn what_the_sample_does_not_decide_is_refused() {
    let sound = games();
    let few = sound::with_moves(&sound[..40 * 100], |index| MoveEncoding::ALL[index / 85 * 2]);
    let error = refusal(&few, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
    assert!(error.to_string().contains("have each move decided by itself"), "{error}");
    assert!(repair(&few, |job| job.moves = Moves::Mixed).0 == sound[..40 * 100]);
    let mut noise = sound;
    noise.chunks_mut(40).enumerate().for_each(|(index, record)| {
        record[34..36].copy_from_slice(&(scrambled(index) as u16).to_le_bytes());
    });
    let error = refusal(&noise, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
}

/// The positions of hcpe in records of PSV, with its moves too.
#[test]
fn positions_in_another_codec_are_rewritten() {
    let sound = games();
    let hcpe = sample("sample.hcpe");
    let apery = sound::with_moves(&sound, |_| MoveEncoding::Apery);
    for labels in [&sound, &apery] {
        let records = labels.chunks(40).zip(hcpe.chunks(38));
        let damaged: Vec<u8> = records.flat_map(|(psv, hcpe)| [&hcpe[..32], &psv[32..]].concat()).collect();
        let (repaired, summary) = repair(&damaged, |_| {});
        assert!(repaired == sound, "{summary:?}");
        assert!(summary.changes[&Change::Codec] > 1900, "{summary:?}");
        // A few by themselves are set aside.
        let few = [&sound[..40 * 500], &damaged[40 * 1500..]].concat();
        let (repaired, summary) = repair(&few, |job| job.moves = Moves::All(MoveEncoding::YaneuraOu));
        assert!(summary.rejected["CODEC_HCP"] > 450, "{summary:?}");
        assert!(repaired.starts_with(&sound[..40 * 500]));
    }
}

#[test]
fn all_kinds_of_damage_at_once_are_repaired() {
    let sound = sound::file();
    let damaged = sound::with_moves(&sound, |_| MoveEncoding::Apery);
    let positions = sound::with_positions(&sound, variant_c);
    let damaged: Vec<u8> = damaged
        .chunks(40)
        .zip(positions.chunks(40))
        .flat_map(|(one, two)| [&two[..32], &one[32..]].concat())
        .collect();
    for threads in [1, 3] {
        let (repaired, _) = repair(&damaged, |job| job.threads = threads);
        assert!(repaired == sound);
    }
}

#[test]
fn signs_change_only_when_asked() {
    let sound = sound::file();
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
    for (one, other) in sound::records(&sound).zip(sound::records(&flipped)) {
        let sign = if one.side_to_move() == Color::White { -1 } else { 1 };
        assert_eq!(one.score.get() * sign, other.score.get());
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
    let error = refusal(b"startpos\n", |job| job.from = None);
    assert!(matches!(error, RepairError::Converts { .. } | RepairError::Format(_)), "{error}");
    let stream = Input::Stream("standard input".into(), Box::new(&hcpe[..]));
    let mut out = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut out));
    let error = Job::new(vec![stream], output).run(&mut ()).unwrap_err();
    assert!(
        matches!(&error, DatasetError::Repair(error) if matches!(**error, RepairError::Stream(_))),
        "{error}"
    );
}

#[test]
fn what_cannot_be_repaired_stops_the_job_or_is_set_aside() {
    let mut psv = sample("sample.psv");
    psv[40 * 3 + 1] ^= 0xff;
    psv[40 * 5 + 38] = 3;
    psv[40 * 7 + 34..][..2].copy_from_slice(&[0x7f, 0]);
    let place = place(&psv);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    assert_eq!(summary.rejected, [("KING_CODE", 1), ("MOVE_TO", 1), ("RESULT", 1)].into());
    assert_eq!((summary.read, summary.written, summary.changed()), (2000, 1997, 0));
    let sound = sample("sample.psv");
    let kept = [&sound[..120], &sound[160..200], &sound[240..280], &sound[320..]].concat();
    assert!(repaired == kept);
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert!(rejects == [&psv[120..160], &psv[200..240], &psv[280..320]].concat());

    let place = self::place(&psv);
    assert!(repair_in(place.path(), |job| job.rejects = None).is_err());
    assert_eq!(common::names(place.path()), ["in.psv"]);
    psv.pop();
    fs::write(place.path().join("in.psv"), &psv).unwrap();
    assert!(matches!(repair_in(place.path(), |_| {}), Err(DatasetError::Tail(_))));
    let (_, summary) = repair_in(place.path(), |job| job.salvage = true).unwrap();
    assert_eq!((summary.read, summary.tails.len()), (1999, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is damaged, what comes out is clean at the levels that repair answers for, and repairing it again changes
    /// nothing.
    #[test]
    fn what_is_repaired_is_clean(
        damage in proptest::collection::vec((0..8000_usize, any::<u8>()), 0..40),
        moves in proptest::sample::select(vec![Moves::All(MoveEncoding::YaneuraOu), Moves::Mixed]),
    ) {
        use validate::Level;
        let mut psv = sample("sample.psv")[..8000].to_vec();
        damage.into_iter().for_each(|(at, byte)| psv[at] = byte);
        let (repaired, summary) = repair(&psv, |job| job.moves = moves);
        prop_assert_eq!(summary.read, 200);
        prop_assert_eq!(summary.written + summary.rejected_total(), 200);
        let input = Input::Stream("input".into(), Box::new(&repaired[..]));
        let levels =
            [Level::Size, Level::Codec, Level::Inventory, Level::Canonical, Level::Rules, Level::Move].into_iter();
        let job = validate::Job { from: Some(FileFormat::Psv), levels: levels.collect(), ..validate::Job::new(vec![input]) };
        prop_assert!(job.run(&mut ()).unwrap().is_clean());
        prop_assert_eq!(&repair(&repaired, |job| job.moves = moves).0, &repaired);
    }
}
