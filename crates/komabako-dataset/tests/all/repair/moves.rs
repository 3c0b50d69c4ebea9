//! Moves in other encodings are rewritten in the format's own, or set aside.

use super::*;

/// `spec/formats.md` §3.3.
#[test]
fn moves_of_another_encoding_are_rewritten() {
    let sound = crate::sound::file();
    for encoding in [MoveEncoding::LegacyRshogi, MoveEncoding::Apery] {
        let damaged = crate::sound::with_moves(&sound, |_| encoding);
        for moves in [Moves::Auto, Moves::All(encoding)] {
            let (repaired, summary) = repair(&damaged, |job| job.moves = moves);
            assert!(repaired == sound, "{encoding:?}: {summary:?}");
            assert_eq!(summary.files[0].encoding, Some(encoding));
            assert!(summary.changes[&Change::Move] > 500);
        }
    }
}

/// The counts of how the moves were read.
fn mixture(summary: &Summary) -> EncodingStats {
    summary.files[0].encoding_stats.unwrap_or_else(|| panic!("{summary:?}"))
}

/// A pseudorandom number for a record.
fn scrambled(index: usize) -> usize {
    (index as u32).wrapping_mul(0x9e37_79b9).rotate_left(7) as usize
}

/// The records in another order.
pub(super) fn shuffled(bytes: &[u8]) -> Vec<u8> {
    let mut records: Vec<_> = bytes.chunks(40).enumerate().collect();
    records.sort_by_key(|&(index, _)| scrambled(index));
    records.into_iter().flat_map(|(_, record)| record.to_vec()).collect()
}

#[test]
fn mixed_moves_in_game_order_are_restored() {
    let sound = games();
    let sets: [&[MoveEncoding]; 4] = {
        use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};
        [&[YaneuraOu, Apery], &[YaneuraOu, LegacyRshogi], &[LegacyRshogi, Apery], &MoveEncoding::ALL]
    };
    for set in sets {
        let mixed = crate::sound::with_moves(&sound, |index| set[scrambled(index) % set.len()]);
        assert!(!is_clean(&mixed));
        for moves in [Moves::Auto, Moves::Mixed] {
            let (repaired, summary) = repair(&mixed, |job| job.moves = moves);
            assert!(repaired == sound, "{set:?}: {summary:?}");
            let mixture = mixture(&summary);
            assert!(mixture.encodings.iter().eq(MoveEncoding::ALL.into_iter().filter(|it| set.contains(it))));
            assert_eq!(
                mixture.read().map(|(_, count)| count).sum::<u64>(),
                summary.files[0].votes.unwrap().encoding_dependent()
            );
            assert_eq!(mixture.decided_by(DecidedBy::TieBreak), 0);
        }
    }
    let mixed = crate::sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index) % 3]);
    let (_, summary) = repair(&mixed, |_| {});
    assert!(mixture(&summary).decided_by(DecidedBy::NextPosition) > 10, "{summary:?}");
}

/// Without order, only legality decides: ambiguous moves are set aside, and nothing else is changed.
#[test]
fn undecided_moves_are_rejected_or_read_by_tie_break() {
    let sound = shuffled(&crate::sound::file());
    let mixed = crate::sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index) % 3]);
    let place = place(&mixed);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert_eq!(summary.counts.bad, [("MOVE_AMBIGUOUS".into(), left_out.len() as u64)].into());
    assert!((10..100).contains(&left_out.len()), "{}", left_out.len());
    assert!(repaired == without(&sound, &left_out));
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert_eq!(rejects.len() + repaired.len(), mixed.len());

    let (repaired, summary) = repair(&mixed, |job| job.tie_break = Some(MoveEncoding::Apery));
    let ties = mixture(&summary).decided_by(DecidedBy::TieBreak);
    assert_eq!(ties + summary.counts.bad_total(), left_out.len() as u64);
    assert!(ties > summary.counts.bad_total() && is_clean(&repaired));
    let error = refusal(&mixed, |job| job.rejects = None);
    assert!(
        matches!(&error, RepairError::Record(error) if error.fault.name() == "MOVE_AMBIGUOUS"),
        "{error}"
    );
}

/// A file joined from files in several encodings, in no order within them.
#[test]
fn neighbouring_moves_decide_within_runs_of_one_encoding() {
    let sound = shuffled(&crate::sound::file());
    let third = sound.len() / 40 / 3;
    let stretch = |index: usize| MoveEncoding::ALL[(index / third).min(2)];
    let mixed = crate::sound::with_moves(&sound, stretch);
    let place = place(&mixed);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert!(repaired == without(&sound, &left_out));
    // At a change of the encoding, the neighbouring moves decide nothing.
    let asked = 32 * 12;
    assert!(left_out.iter().all(|index| (index % third).min(third - index % third) < asked), "{left_out:?}");
    assert!(mixture(&summary).decided_by(DecidedBy::Neighbours) > left_out.len() as u64, "{summary:?}");
}

/// Neither the bounds of blocks nor the threads matter: blocks have 13,107 records.
#[test]
fn mixed_moves_do_not_depend_on_blocks_and_threads() {
    let sound = games();
    let padding = sound.repeat(7);
    let part = |start: usize| [&padding[40 * start..], &sound].concat();
    let repaired = |start: usize, threads| {
        let sound = part(start);
        let mixed = crate::sound::with_moves(&sound, |index| MoveEncoding::ALL[scrambled(index + start) % 3]);
        let place = place(&mixed);
        let (repaired, summary) = repair_in(place.path(), |job| job.options.threads = threads).unwrap();
        let left_out = set_aside(place.path());
        assert!(repaired == without(&sound, &left_out), "{start}");
        let left_out: Vec<usize> = left_out.into_iter().map(|index| index + start).collect();
        (left_out, summary.counts.read + start as u64)
    };
    let expected = repaired(0, 1);
    assert_eq!(repaired(0, 4), expected);
    // The bound falls on each record in turn of a stretch with ambiguous ones.
    let bounds = (800..1200).step_by(23);
    bounds.for_each(|start| {
        let (left_out, read) = repaired(start, 2);
        let tail: Vec<usize> = expected.0.iter().copied().filter(|&index| index >= start).collect();
        assert_eq!((left_out, read), (tail, expected.1), "{start}");
    });
}

#[test]
fn unmixed_file_is_read_in_one_encoding() {
    let sound = crate::sound::file();
    for bytes in [&sound, &shuffled(&sound)] {
        let (repaired, summary) = repair(bytes, |job| job.moves = Moves::Mixed);
        assert!(repaired == *bytes);
        assert!(mixture(&summary).encodings.iter().eq([MoveEncoding::YaneuraOu]));
    }
    // Unknown moves are no evidence.
    let zeros = |bytes: &[u8]| -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes.chunks_mut(40).step_by(3).for_each(|record| record[34..36].fill(0));
        bytes
    };
    assert!(repair(&zeros(&sound), |_| {}).0 == zeros(&sound));
    let mixed = crate::sound::with_moves(&games(), |index| MoveEncoding::ALL[index % 2 * 2]);
    assert!(repair(&zeros(&mixed), |_| {}).0 == zeros(&games()));
}

/// A rook's drop in B has the bits of a gold's drop in C: a single move cannot be decided.
#[test]
fn single_ambiguous_move_is_not_guessed() {
    let mut record = crate::sound::with_sfen(&crate::sound::misread()[..40], "4k4/9/9/9/9/9/9/9/4K4 b GR");
    record[34..36].copy_from_slice(&0x2ba8_u16.to_le_bytes());
    let (repaired, summary) = repair(&record, |job| job.moves = Moves::Mixed);
    assert!(repaired.is_empty());
    assert_eq!(summary.counts.bad, [("MOVE_AMBIGUOUS".into(), 1)].into());
}

/// A move that is legal in the encoding of all the others, but only in another leads to the next position.
#[test]
fn the_next_position_outweighs_the_sample() {
    let sound = games();
    let misread = crate::sound::misread();
    let mut mended = misread.clone();
    mended[34..36].copy_from_slice(&0x8182_u16.to_le_bytes());
    assert!(is_clean(&mended) && !is_clean(&misread));
    // Far from the stretches that are sampled, and at the end of a block.
    for before in [0, 13_106, 33_033] {
        let padding = sound.repeat(34);
        let around = |middle: &[u8]| [&padding[..40 * before], middle, &padding[40 * before..]].concat();
        for threads in [1, 3] {
            let (repaired, summary) = repair(&around(&misread), |job| {
                job.moves = Moves::Mixed;
                job.options.threads = threads;
            });
            assert!(repaired == around(&mended), "{before}: {summary:?}");
            assert_eq!(summary.changes, [(Change::Move, 1)].into());
        }
    }
    // A single one decides nothing for the others, but is not ignored.
    let error = refusal(&misread, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
}

/// A few moves in another encoding do not make a file mixed, and random numbers instead of moves have no encoding.
#[test]
fn undecided_sample_is_refused() {
    let sound = games();
    let few = crate::sound::with_moves(&sound[..40 * 100], |index| MoveEncoding::ALL[index / 85 * 2]);
    let error = refusal(&few, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
    assert!(repair(&few, |job| job.moves = Moves::Mixed).0 == sound[..40 * 100]);
    let mut noise = sound;
    noise.chunks_mut(40).enumerate().for_each(|(index, record)| {
        record[34..36].copy_from_slice(&(scrambled(index) as u16).to_le_bytes());
    });
    let error = refusal(&noise, |_| {});
    assert!(matches!(error, RepairError::Undecided { .. }), "{error}");
}
