//! Positions in the form of other programs are rewritten in the format's own codec.

use std::fs;

use komabako_codec::packed_sfen::Variant;
use komabako_codec::{PackedSfen, PositionCodec};
use komabako_testkit::vectors;

use super::moves::shuffled;
use super::*;

/// `spec/formats.md` §2.3. The removed pieces are not pawns: those that look like removed pawns are pawns.
#[test]
fn positions_of_variants_become_canonical() {
    let sound = crate::sound::file();
    for (write, change) in
        [(variant_b as fn(&Setup) -> Word, Change::VariantB), (variant_c, Change::VariantC)]
    {
        let damaged = crate::sound::with_positions(&sound, write);
        assert!(!is_clean(&damaged));
        // The handicap positions show that all pawns are present.
        let (repaired, summary) = repair(&damaged, |_| {});
        assert!(repaired == sound, "{change:?}: {summary:?}");
        let differing = damaged.chunks(40).zip(sound.chunks(40)).filter(|(one, other)| one != other).count();
        assert_eq!(summary.changed(), differing as u64);
        assert!(summary.changes[&change] * 2 > summary.changed(), "{summary:?}");
        assert!(is_clean(&repaired));
    }
}

/// Every position is of variant B and leaves zeros, many of them ambiguous; the file is still recognised, by any name.
#[test]
fn old_handicap_positions_are_repaired() {
    let sound = crate::sound::file()[sample("sample.psv").len()..].to_vec();
    let damaged = crate::sound::with_positions(&sound, variant_b);
    assert!(repair(&damaged, |job| job.options.from = None).0 == sound);
    let input = || Input::Stream("input".into(), Box::new(&damaged[..]));
    let report = validate::Job::new(vec![input()]).run(&mut ()).unwrap();
    let faults = &report.files[0].level(validate::Level::Canonical).unwrap().faults;
    assert_eq!(faults["VARIANT_B"] + faults["PHANTOM_PAWNS"], sound.len() as u64 / 40);
}

#[test]
fn phantom_pawns_are_rejected_without_a_choice() {
    let sound = crate::sound::file();
    let damaged = crate::sound::with_positions(&sound, variant_b);
    let refuse = |job: &mut Job| job.phantom_pawns = Some(PhantomPawns::Error);
    let place = place(&damaged);
    let (repaired, summary) = repair_in(place.path(), refuse).unwrap();
    let doubtful = summary.counts.bad["PHANTOM_PAWNS"];
    assert!(doubtful > 0 && summary.counts.bad_total() == doubtful, "{summary:?}");
    assert_eq!(repaired.len() as u64, sound.len() as u64 - 40 * doubtful);
    assert!(is_clean(&repaired));
    // The rejects are unchanged, and can be repaired separately.
    let rejects = fs::read(place.path().join("rejects.psv")).unwrap();
    assert!(rejects.chunks(40).all(|record| damaged.chunks(40).any(|stored| stored == record)));
    let reasons = fs::read_to_string(place.path().join("rejects.psv.reasons.tsv")).unwrap();
    assert_eq!(reasons.lines().filter(|line| line.contains("\tPHANTOM_PAWNS\t")).count() as u64, doubtful);
    let (kept, _) = repair(&rejects, |job| job.phantom_pawns = Some(PhantomPawns::Keep));
    assert!(kept.chunks(40).all(|record| sound.chunks(40).any(|stored| stored == record)));
    let (stripped, summary) = repair(&rejects, |job| job.phantom_pawns = Some(PhantomPawns::Strip));
    assert!(stripped != kept && summary.changes[&Change::PhantomPawns] == summary.counts.written);
    // By themselves they decide nothing, and one position that lacks a pawn makes all of them ambiguous.
    assert_eq!(repair(&rejects, |_| {}).1.counts.bad["PHANTOM_PAWNS"], doubtful);
    let mut pawnless = sample("sample.psv")[..40].to_vec();
    let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b 9Pn".parse().unwrap();
    pawnless[..32].copy_from_slice(&variant_b(&setup));
    pawnless[34..36].fill(0);
    let (_, summary) = repair(&[&damaged[..], &pawnless].concat(), |_| {});
    assert_eq!(summary.counts.bad["PHANTOM_PAWNS"], doubtful);

    let error = refusal(&damaged, |job| {
        refuse(job);
        job.rejects = None;
    });
    assert!(matches!(&error, RepairError::Record(error) if error.fault.name() == "PHANTOM_PAWNS"), "{error}");
}

/// A record whose hands are in an unknown order: a gold of Black's before a pawn.
fn in_other_order(record: &[u8]) -> Vec<u8> {
    let mut record = crate::sound::with_sfen(record, "4k4/9/9/9/9/9/9/9/4K4 b GP");
    record[34..36].fill(0);
    // The hand takes 8 bits, the pawn's 3 first. The board has 79 empty squares, the kings and the side take 15 bits.
    let start = 15 + 79;
    let bit = |record: &[u8], at: usize| record[at / 8] >> (at % 8) & 1;
    let hand: Vec<u8> = (start..start + 8).map(|at| bit(&record, at)).collect();
    let swapped = hand[3..].iter().chain(&hand[..3]);
    for (at, &value) in (start..).zip(swapped) {
        record[at / 8] = record[at / 8] & !(1 << (at % 8)) | value << (at % 8);
    }
    record
}

/// A flipped bit can leave a position with hands in some order: only a file full of them was written that way.
#[test]
fn unknown_order_of_hands_is_damage() {
    let sound = games();
    let odd = in_other_order(&sound[..40]);
    let place = place(&[&sound[..4000], &odd].concat());
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    assert!(repaired == sound[..4000]);
    assert_eq!(summary.counts.bad, [("VARIANT_OTHER".into(), 1)].into());
    let many = [sound[..4000].to_vec(), odd.repeat(10)].concat();
    let (repaired, summary) = repair(&many, |_| {});
    assert_eq!(summary.changes, [(Change::VariantOther, 10)].into());
    assert!(repaired.len() == many.len() && is_clean(&repaired));
}

/// The positions of hcpe in records of PSV, with its moves too.
#[test]
fn positions_in_another_codec_are_rewritten() {
    let sound = games();
    let apery = crate::sound::with_moves(&sound, |_| MoveEncoding::Apery);
    for labels in [&sound, &apery] {
        let (repaired, summary) = repair(&in_hcp(labels), |_| {});
        assert!(repaired == sound, "{summary:?}");
        assert!(summary.changes[&Change::Codec] > 1900, "{summary:?}");
    }
}

/// Without moves a third of them make sense in both codecs; the file as a whole shows the right one.
#[test]
fn positions_in_another_codec_without_moves_are_rewritten() {
    let without_moves = |mut records: Vec<u8>| {
        records.chunks_mut(40).for_each(|record| record[34..36].fill(0));
        records
    };
    let sound = without_moves(games());
    let damaged = without_moves(in_hcp(&games()));
    assert!(repair(&sound, |_| {}).0 == sound);
    assert!(repair(&damaged, |_| {}).0 == sound);
    // In a file with both, the positions before and after decide.
    let half = [&sound[..40 * 1000], &damaged[40 * 1000..]].concat();
    let place = place(&half);
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert_eq!(summary.counts.bad, [("CODEC_AMBIGUOUS".into(), left_out.len() as u64)].into());
    assert!(left_out.len() < 400 && repaired == without(&sound, &left_out), "{summary:?}");
}

/// If half are, each is read separately: by which codec makes sense, or else by the game.
#[test]
fn file_of_two_codecs_is_repaired() {
    let sound = games();
    let hcp = in_hcp(&sound);
    let half = [&sound[..40 * 1000], &hcp[40 * 1000..]].concat();
    let in_turn: Vec<u8> =
        (0..2000).flat_map(|index| [&sound, &hcp][index % 2][40 * index..][..40].to_vec()).collect();
    for mixed in [half, in_turn] {
        let place = place(&mixed);
        let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
        let left_out = set_aside(place.path());
        assert!(left_out.len() < 5 && repaired == without(&sound, &left_out), "{summary:?}");
        assert!(summary.changes[&Change::Codec] > 950, "{summary:?}");
    }
    // If the records are in no order, those that make sense in both codecs are set aside.
    let sound = shuffled(&sound);
    let hcp = shuffled(&hcp);
    let place = place(&[&sound[..40 * 1000], &hcp[40 * 1000..]].concat());
    let (repaired, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert_eq!(summary.counts.bad, [("CODEC_AMBIGUOUS".into(), left_out.len() as u64)].into());
    assert!((2..60).contains(&left_out.len()) && repaired == without(&sound, &left_out), "{summary:?}");
}

/// A few that make sense only in another codec may also be damage: they are set aside under that name.
#[test]
fn a_few_positions_in_another_codec_are_set_aside() {
    let sound = games();
    let few = [&sound[..40 * 500], &in_hcp(&sound)[40 * 1000..40 * 1009]].concat();
    let (repaired, summary) = repair(&few, |_| {});
    assert_eq!(summary.counts.bad, [("CODEC_HCP".into(), 9)].into());
    assert!(repaired == sound[..40 * 500]);
}

/// Records of the sample with the positions of hcpe.
fn in_hcp(records: &[u8]) -> Vec<u8> {
    let hcpe = sample("sample.hcpe");
    records
        .chunks(40)
        .zip(hcpe.chunks(38))
        .flat_map(|(psv, hcpe)| [&hcpe[..32], &psv[32..]].concat())
        .collect()
}

/// Variant B's space of removed pawns reads as pawns in Black's hand, and where it is the last thing off the board, the word
/// is sound in another variant, or canonical.
#[test]
fn variant_b_words_without_pawns_are_not_read_as_another_variant() {
    let sound = crate::sound::without_pawns();
    let damaged = crate::sound::with_positions(&sound, variant_b);
    let read = |record: &[u8]| {
        PackedSfen::new().unpack_lenient(record.first_chunk().unwrap(), PhantomPawns::Error).unwrap()
    };
    let with_rival = || damaged.chunks(40).map(read).filter(|read| read.rival.is_some());
    let of = |variant| with_rival().filter(|read| read.variant == variant).count();
    let canonical = of(Variant::A);
    assert!(canonical > 100 && of(Variant::C) > 100 && of(Variant::Other) > 10);
    let repaired = |policy| {
        let place = place(&damaged);
        let (repaired, summary) = repair_in(place.path(), |job| job.phantom_pawns = policy).unwrap();
        (repaired, set_aside(place.path()), summary.counts.bad)
    };
    for (policy, doubtful) in [(None, canonical), (Some(PhantomPawns::Error), with_rival().count())] {
        let (repaired, left_out, rejected) = repaired(policy);
        assert_eq!(rejected, [("PHANTOM_PAWNS".into(), doubtful as u64)].into());
        assert!(repaired == without(&sound, &left_out), "{policy:?}");
    }
    // Black has no pawn in hand.
    assert!(repaired(Some(PhantomPawns::Strip)).0 == sound);

    // Beside words of variant C a canonical word is read as such, and the others are uncertain.
    let others = crate::sound::with_positions(&games(), variant_c);
    let both = [&damaged[..], &others].concat();
    let place = place(&both);
    let (_, summary) = repair_in(place.path(), |_| {}).unwrap();
    let left_out = set_aside(place.path());
    assert_eq!(summary.counts.bad, [("PHANTOM_PAWNS".into(), left_out.len() as u64)].into());
    let is_certain = |index: &usize| {
        let read = read(&both[40 * index..]);
        read.rival.is_none() || read.variant == Variant::A
    };
    assert!(left_out.len() >= with_rival().count() - canonical && !left_out.iter().any(is_certain));
}

/// Without words of variant B, ambiguous ones are of C.
#[test]
fn words_of_variant_c_are_unambiguous() {
    let sound = games();
    let damaged = crate::sound::with_positions(&sound, variant_c);
    assert!(repair(&damaged, |_| {}).0 == sound);
    let (_, summary) = repair(&damaged, |job| job.phantom_pawns = Some(PhantomPawns::Error));
    assert!(summary.counts.bad["PHANTOM_PAWNS"] > 0 && summary.counts.bad.len() == 1, "{summary:?}");
}

/// Words of SSPFv1's extension with the pieces off the board in another order, which the format's author allows. They are
/// recognised by themselves.
#[test]
fn words_of_the_extension_become_canonical() {
    let place = tempfile::tempdir().unwrap();
    let [input, output, rejects] =
        ["in.dat", "out.sspfv1-ext", "rejects"].map(|name| place.path().join(name));
    let words: Vec<u8> = vectors::lenient().flat_map(|(word, ..)| word).collect();
    fs::write(&input, &words).unwrap();
    let report = validate::Job::new(vec![Input::path(&input)]).run(&mut ()).unwrap();
    let level = |level| &report.files[0].level(level).unwrap().faults;
    let not_canonical = vectors::lenient().filter(|(word, _, canonical)| word != canonical).count() as u64;
    assert_eq!(level(validate::Level::Canonical)["TAIL_ORDER"], not_canonical);
    // The positions are random: no game can be played from many of them.
    let unplayable: u64 = level(validate::Level::Rules).values().sum();

    let mut job = Job::new(vec![Input::path(&input)], Output::path(&output));
    job.rejects = Some(rejects);
    let summary = job.run(&mut ()).unwrap();
    assert_eq!(summary.changes.keys().collect::<Vec<_>>(), [&Change::TailOrder]);
    assert!(summary.counts.bad.keys().all(|name| name.starts_with("POSITION_")), "{summary:?}");
    assert_eq!((summary.counts.bad_total(), summary.counts.read), (unplayable, words.len() as u64 / 32));
    let canonical: Vec<_> = vectors::lenient().map(|(.., canonical)| canonical).collect();
    let repaired = fs::read(&output).unwrap();
    assert!(repaired.chunks(32).all(|word| canonical.iter().any(|known| known == word)));
    assert!(summary.changed() > 20, "{summary:?}");
}

#[test]
fn the_fields_of_ext36_are_found() {
    let place = tempfile::tempdir().unwrap();
    let [psv, ext36, output] = ["in.psv", "in.ext36", "out.ext36"].map(|name| place.path().join(name));
    let sound = crate::sound::file();
    fs::write(&psv, &sound).unwrap();
    komabako_dataset::convert::Job::new(vec![Input::path(&psv)], Output::path(&ext36))
        .plan()
        .unwrap()
        .run(&mut ())
        .unwrap();
    let sound = fs::read(&ext36).unwrap();
    let flip = |score| {
        let mut job = Job::new(vec![Input::path(&ext36)], Output::path(&output));
        job.flip_score = score;
        job.options.force = true;
        job.run(&mut ()).unwrap();
        fs::read(&output).unwrap()
    };
    assert!(flip(None) == sound);
    let field = |record: &[u8], at: usize| i16::from_le_bytes([record[at], record[at + 1]]);
    for (one, other) in sound.chunks(36).zip(flip(Some(Sides::Both)).chunks(36)) {
        assert_eq!(one[..34], other[..34]);
        assert_eq!(field(one, 34), -field(other, 34));
    }
}
