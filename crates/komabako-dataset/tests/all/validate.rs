//! Validation: sound files are clean, and each kind of damage is reported at its level.

use std::collections::BTreeMap;

use crate::common::{sample, sample_path};
use komabako_board::Color;
use komabako_dataset::move16::MoveEncoding;
use komabako_dataset::validate::{Diagnosis, FileReport, Finding, Job, Level, Levels, Report, WrongField};
use komabako_dataset::{FileFormat, Input, JobOptions};
use komabako_testkit::wild::{variant_b, variant_c};
use proptest::prelude::*;

fn validate_with(format: FileFormat, bytes: &[u8], change: impl FnOnce(&mut Job)) -> FileReport {
    let input = Input::Stream("input".into(), Box::new(bytes));
    let mut job =
        Job { options: JobOptions { from: Some(format), ..JobOptions::default() }, ..Job::new(vec![input]) };
    change(&mut job);
    let Report { mut files, .. } = job.run(&mut ()).unwrap();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

fn validate(format: FileFormat, bytes: &[u8]) -> FileReport {
    validate_with(format, bytes, |_| {})
}

/// The findings: the name of each fault with its number, by level.
fn found(report: &FileReport) -> BTreeMap<(Level, &'static str), u64> {
    let faults = |level: &komabako_dataset::validate::LevelReport| {
        let level_name = level.level;
        let faults = level.faults.clone().into_iter();
        faults.map(move |(name, count)| ((level_name, name), count)).collect::<Vec<_>>()
    };
    report.levels.iter().flat_map(faults).collect()
}

#[test]
fn sound_files_are_clean_in_every_format() {
    let sound = crate::sound::file();
    let report = validate(FileFormat::Psv, &sound);
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.records as usize, report.undecoded), (sound.len() / 40, 0));
    let writable =
        FileFormat::ALL.iter().copied().filter(|format| format.can_write() && !format.holds_games());
    for format in writable.filter(|format| format.holds(komabako_dataset::Field::RemovedPieces)) {
        let report = validate(format, &crate::common::convert(FileFormat::Psv, format, &sound));
        assert!(report.is_clean(), "{format}: {report:?}");
        assert_eq!(report.records as usize, sound.len() / 40, "{format}");
        for color in [Color::Black, Color::White] {
            let held = format.holds(komabako_dataset::Field::Result);
            let correlation = report.convention.correlation(color);
            assert_eq!(correlation.is_some_and(|figure| figure > 0.3), held, "{format}: {correlation:?}");
        }
    }
}

#[test]
fn every_label_is_judged_at_its_level() {
    let mut psv = sample("sample.psv");
    let mut put = |record: usize, at: usize, bytes: &[u8]| {
        psv[40 * record + at..][..bytes.len()].copy_from_slice(bytes);
    };
    put(3, 32, &i16::MIN.to_le_bytes());
    put(4, 32, &32_002_i16.to_le_bytes());
    put(5, 32, &(-32_001_i16).to_le_bytes());
    put(6, 32, &32_000_i16.to_le_bytes());
    put(7, 38, &[7]);
    put(8, 39, &[1]);
    put(9, 36, &u16::MAX.to_le_bytes());
    put(10, 36, &15_u16.to_le_bytes());
    put(11, 36, &[0, 0]);
    put(12, 1, &[0xff]);
    put(13, 34, &[0x7f, 0xff]);
    put(14, 34, &[0, 0]);
    // A bad result hides nothing: this move is the opponent's.
    put(15, 38, &[2]);
    put(15, 34, &[0x81, 0]);
    psv.truncate(psv.len() - 1);
    let report = validate(FileFormat::Psv, &psv);
    assert_eq!(
        found(&report)
            .into_iter()
            .map(|((level, name), count)| (level.name(), name, count))
            .collect::<Vec<_>>(),
        [
            ("size", "TRUNCATED", 1),
            ("codec", "KING_CODE", 1),
            ("move", "MOVE_PASS", 1),
            ("move", "MOVE_TO", 1),
            ("score", "SCORE_NONE", 2),
            ("score", "SCORE_RANGE", 1),
            ("result", "PADDING", 1),
            ("result", "RESULT", 2),
            ("ply", "PLY_PARITY", 1),
            ("ply", "PLY_RANGE", 1),
        ]
    );
    assert_eq!((report.records, report.undecoded), (1999, 1));
    let scores = report.level(Level::Score).unwrap();
    assert_eq!((scores.bad, &scores.first[..]), (3, &[3, 4, 5][..]));
    let example = scores.example.as_ref().unwrap();
    assert_eq!((example.record, example.offset), (3, 120));
    assert_eq!(example.setup.unwrap(), crate::common::sample_sfens()[3].parse().unwrap());
    assert_eq!(example.finding, Finding::NoScore(i16::MIN));
    assert_eq!(report.tails[0].length, 39);
}

#[test]
fn only_requested_levels_are_reported() {
    let mut psv = sample("sample.psv");
    psv[39] = 1;
    psv[40 + 32..][..2].copy_from_slice(&i16::MIN.to_le_bytes());
    let only = |level: Level| {
        let levels: Levels = [level].into_iter().collect();
        validate_with(FileFormat::Psv, &psv, |job| job.levels = levels)
    };
    assert!(only(Level::Move).is_clean());
    assert_eq!(only(Level::Move).levels.len(), 1);
    assert_eq!(found(&only(Level::Score)), [((Level::Score, "SCORE_NONE"), 1)].into());
    assert_eq!(only(Level::Stream).levels.len(), 0);
}

#[test]
fn fail_fast_stops_at_the_first_finding() {
    let mut psv = sample("sample.psv").repeat(20);
    for record in [21_000, 22_000, 30_000] {
        psv[40 * record + 38] = 9;
    }
    let input = Input::Stream("input".into(), Box::new(&psv[..]));
    let job = Job {
        options: JobOptions { from: Some(FileFormat::Psv), threads: 2, ..JobOptions::default() },
        fail_fast: true,
        ..Job::new(vec![input])
    };
    let report = job.run(&mut ()).unwrap();
    assert!(report.stopped);
    assert_eq!(report.files[0].records, 21_001);
    assert_eq!(found(&report.files[0]), [((Level::Result, "RESULT"), 1)].into());
}

/// `spec/formats.md` §2.3.
#[test]
fn positions_of_older_programs_are_named() {
    let sound = crate::sound::file();
    for (write, name) in [(variant_b as fn(&_) -> _, "VARIANT_B"), (variant_c, "VARIANT_C")] {
        let damaged = crate::sound::with_positions(&sound, write);
        let changed = damaged.chunks(40).zip(sound.chunks(40)).filter(|(one, other)| one != other).count();
        for format in [FileFormat::Psv, FileFormat::PsvLenient] {
            let report = validate(format, &damaged);
            let found = found(&report);
            let doubtful = found.get(&(Level::Canonical, "PHANTOM_PAWNS")).copied().unwrap_or(0);
            let others = found.keys().filter(|(level, _)| *level != Level::Canonical).count();
            assert_eq!(others, 0, "{name}: {found:?}");
            assert_eq!(report.level(Level::Canonical).unwrap().bad, changed as u64);
            assert!(found[&(Level::Canonical, name)] > 5 * doubtful, "{found:?}");
            assert!(matches!(report.diagnoses[..], [Diagnosis::Variants(_)]), "{:?}", report.diagnoses);
        }
    }
}

/// `spec/formats.md` §3.3.
#[test]
fn moves_in_other_encodings_are_named() {
    let sound = crate::sound::file();
    let encoding_dependent =
        crate::sound::records(&sound).filter(|record| record.best_move & 0xc000 != 0).count() as u64;
    for (encoding, own_name) in [(MoveEncoding::LegacyRshogi, "_B"), (MoveEncoding::Apery, "_C")] {
        let report = validate(FileFormat::Psv, &crate::sound::with_moves(&sound, |_| encoding));
        let found = found(&report);
        assert!(
            found.keys().all(|(level, name)| *level == Level::Move && name.starts_with("MOVE_ENCODING_"))
        );
        assert!(found.contains_key(&(Level::Move, &*format!("MOVE_ENCODING{own_name}"))), "{found:?}");
        let [Diagnosis::OtherEncoding { encoding_dependent: counted, other }] = report.diagnoses[..] else {
            panic!("{:?}", report.diagnoses)
        };
        assert_eq!(counted, encoding_dependent);
        // A few promotions are legal drops in another encoding.
        assert!(
            other <= encoding_dependent && other * 100 > encoding_dependent * 98,
            "{other} of {encoding_dependent}"
        );
    }
    let mixed = crate::sound::with_moves(&sound, |index| MoveEncoding::ALL[index % 3]);
    let report = validate(FileFormat::Psv, &mixed);
    let [Diagnosis::OtherEncoding { encoding_dependent: counted, other }] = report.diagnoses[..] else {
        panic!()
    };
    assert_eq!(counted, encoding_dependent);
    assert!(
        (encoding_dependent / 2..encoding_dependent * 3 / 4).contains(&other),
        "{other} of {encoding_dependent}"
    );
    let example = report.level(Level::Move).unwrap().example.as_ref().unwrap();
    let Finding::OtherEncoding(other) = &example.finding else { panic!("{}", example.finding) };
    assert!(other.moves().all(|(encoding, _)| encoding != MoveEncoding::YaneuraOu));
}

/// The next record's position shows which move was meant, also across the end of a block, which has 13,107 records.
#[test]
fn misread_legal_move_is_found_by_the_next_position() {
    let misread = crate::sound::misread();
    for (before, threads) in [(0, 1), (10, 2), (13_106, 1), (13_106, 3), (13_107, 2)] {
        let padding = sample("sample.psv").repeat(7);
        let bytes = [&padding[..40 * before], &misread, &padding[..40 * 5]].concat();
        let report = validate_with(FileFormat::Psv, &bytes, |job| job.options.threads = threads);
        assert_eq!(found(&report), [((Level::Move, "MOVE_ENCODING_BY_NEXT"), 1)].into());
        let level = report.level(Level::Move).unwrap();
        let example = level.example.as_ref().unwrap();
        assert_eq!((&level.first[..], example.record), (&[before as u64][..], before as u64));
        assert_eq!((example.offset, example.best_move.unwrap().bits), (40 * before as u64, 0x4182));
        let Finding::Misread(misread) = &example.finding else { panic!("{}", example.finding) };
        assert_eq!([misread.read(), misread.played()].map(|mv| mv.to_string()), ["N*1c", "1d1c+"]);
        assert_eq!(misread.encodings().to_string(), "B, C");
        assert!(matches!(report.diagnoses[..], [Diagnosis::OtherEncoding { other: 1, .. }]));
        let stopped = validate_with(FileFormat::Psv, &bytes, |job| job.fail_fast = true);
        assert_eq!(stopped.records, before as u64 + 1);
    }
    // Nothing comes after the last record, nor in another order.
    assert!(validate(FileFormat::Psv, &misread[..40]).is_clean());
    assert!(validate(FileFormat::Psv, &[&misread[40..], &misread[..40]].concat()).is_clean());
    // After a reply that was left out.
    let left_out =
        [&misread[..40], &crate::sound::with_sfen(&misread[40..], "9/4k4/8+S/9/9/9/9/9/4K4 b N")].concat();
    assert_eq!(
        found(&validate(FileFormat::Psv, &left_out)),
        [((Level::Move, "MOVE_ENCODING_BY_NEXT"), 1)].into()
    );
}

/// A gold's drop in C has the same bits as a rook's drop in B.
#[test]
fn next_position_distinguishes_drops() {
    let moves = [(0x2ba8_u16, "4k4/9/9/9/4R4/9/9/9/4K4 w G"), (0x2ba8, "4k4/9/9/9/4G4/9/9/9/4K4 w R")];
    let faults = moves.map(|(bits, next)| {
        let record = |sfen: &str, bits: u16| {
            let mut record =
                crate::common::convert(FileFormat::Sfen, FileFormat::Hcp, format!("{sfen} 1\n").as_bytes());
            record.extend([0, 0]);
            record.extend(bits.to_le_bytes());
            record.extend([0, 0]);
            record
        };
        let hcpe = [record("4k4/9/9/9/9/9/9/9/4K4 b GR", bits), record(next, 0)].concat();
        validate(FileFormat::Hcpe, &hcpe).level(Level::Move).unwrap().bad
    });
    assert_eq!(faults, [1, 0]);
}

#[test]
fn a_file_of_another_format_is_named() {
    let hcpe = sample("sample.hcpe");
    let report = validate(FileFormat::Psv, &hcpe);
    assert!(report.diagnoses.contains(&Diagnosis::OtherFormat(FileFormat::Hcpe)), "{:?}", report.diagnoses);
    assert!(report.undecoded > 1000);

    // Its records, except for the codec.
    let psv = sample("sample.psv");
    let words = psv.chunks(40).zip(hcpe.chunks(38));
    let mixed: Vec<u8> = words.flat_map(|(psv, hcpe)| [&hcpe[..32], &psv[32..]].concat()).collect();
    let report = validate(FileFormat::Psv, &mixed);
    let codec = report.level(Level::Codec).unwrap();
    assert!(codec.faults["CODEC_HCP"] > 1900, "{:?}", codec.faults);
    let diagnoses = validate(FileFormat::Psv, &mixed).diagnoses;
    assert!(diagnoses.contains(&Diagnosis::OtherCodec(codec.faults["CODEC_HCP"])), "{diagnoses:?}");

    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games.psv");
    std::fs::copy(sample_path("sample.hcpe"), &path).unwrap();
    let report = Job::new(vec![Input::path(&path)]).run(&mut ()).unwrap();
    assert_eq!(report.files[0].format, Some(FileFormat::Hcpe));
    assert_eq!(report.files[0].diagnoses, [Diagnosis::Misnamed(FileFormat::Psv)]);
}

/// Whether a game's plies are even follows from its start, which `.pack` stores.
#[test]
fn games_are_replayed() {
    let pack = crate::common::convert(FileFormat::Psv, FileFormat::Pack, &sample("sample.psv"));
    let report = validate(FileFormat::Pack, &pack);
    assert!(report.is_clean() && report.records > 1900, "{report:?}");
    let mut damaged = pack.clone();
    // The first game is stored with its position: a byte, the word, the ply and the first move.
    damaged[35..37].copy_from_slice(&0x1e3b_u16.to_le_bytes());
    let report = validate(FileFormat::Pack, &damaged);
    let stream = report.level(Level::Stream).unwrap();
    assert_eq!((stream.bad, &stream.first[..]), (1, &[0][..]));
    assert_eq!(found(&report)[&(Level::Move, "MOVE_OPPONENTS_PIECE")], 1);
    assert!(report.undecoded > 1);
    let example = report.level(Level::Move).unwrap().example.as_ref().unwrap();
    assert_eq!((example.record, example.setup), (0, None));
}

#[test]
fn scores_and_results_of_the_wrong_sign_are_named() {
    let sound = sample("sample.psv");
    let negate_score = |record: &mut [u8]| {
        let score = i16::from_le_bytes([record[32], record[33]]);
        record[32..34].copy_from_slice(&(-score).to_le_bytes());
    };
    let negate_result = |record: &mut [u8]| record[38] = record[38].wrapping_neg();
    let contradiction = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = sound.clone();
        bytes.chunks_mut(40).for_each(change);
        match validate(FileFormat::Psv, &bytes).diagnoses[..] {
            [Diagnosis::Contradiction(contradiction)] => {
                Some((contradiction.side, contradiction.wrong_field))
            }
            [Diagnosis::Mirrored(mirror)] => Some((mirror.side, None)),
            _ => None,
        }
    };
    assert_eq!(contradiction(&|_| {}), None);
    assert_eq!(contradiction(&negate_score), Some((None, Some(WrongField::Score))));
    assert_eq!(contradiction(&negate_result), Some((None, Some(WrongField::Result))));
    let from_black = contradiction(&|record| {
        if record[0] & 1 != 0 {
            negate_score(record);
        }
    });
    assert_eq!(from_black, Some((Some(Color::White), Some(WrongField::Score))));
    // Both agree with each other, but not with the material.
    let negate_both = |record: &mut [u8]| {
        negate_score(record);
        negate_result(record);
    };
    assert_eq!(contradiction(&negate_both), Some((None, None)));
    let both_from_black = contradiction(&|record| {
        if record[0] & 1 != 0 {
            negate_both(record);
        }
    });
    assert_eq!(both_from_black, Some((Some(Color::White), None)));
}

#[test]
fn constant_plies_are_accepted_and_shifted_ones_are_named() {
    let mut psv = sample("sample.psv");
    psv.chunks_mut(40).for_each(|record| record[36..38].copy_from_slice(&[1, 0]));
    assert!(validate_with(FileFormat::Psv, &psv, |job| job.fail_fast = true).is_clean());
    // No game is that long.
    psv.chunks_mut(40).for_each(|record| record[36..38].copy_from_slice(&60_000_u16.to_le_bytes()));
    assert_eq!(found(&validate(FileFormat::Psv, &psv)), [((Level::Ply, "PLY_RANGE"), 2000)].into());
    let mut psv = sample("sample.psv");
    for record in psv.chunks_mut(40) {
        let ply = u16::from_le_bytes([record[36], record[37]]) - 1;
        record[36..38].copy_from_slice(&ply.to_le_bytes());
    }
    assert_eq!(validate(FileFormat::Psv, &psv).diagnoses, [Diagnosis::PlyShifted]);
}

#[test]
fn inputs_are_reported_separately() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let psv = sample("sample.psv");
    let whole = write("whole.psv", &psv);
    let cut = write("cut.psv", &psv[..4039]);
    let stump = write("stump.psv", &psv[..39]);
    let empty = write("empty.psv", &[]);
    let inputs = [&whole, &empty, &cut, &stump, &whole, &cut].map(Input::path).into();
    let job = Job {
        options: JobOptions { from: Some(FileFormat::Psv), threads: 2, ..JobOptions::default() },
        ..Job::new(inputs)
    };
    let report = job.run(&mut ()).unwrap();
    let records: Vec<_> =
        report.files.iter().map(|file| (file.records, file.tails.first().map(|tail| tail.length))).collect();
    let cut = (100, Some(39));
    assert_eq!(records, [(2000, None), (0, None), cut, (0, Some(39)), (2000, None), cut]);
    assert!(report.files[2].level(Level::Size).unwrap().bad == 1 && !report.is_clean());
    assert_eq!(report.records(), 4200);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bytes are validated, and clean ones convert.
    #[test]
    fn arbitrary_bytes_can_be_validated(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..400),
        from in proptest::sample::select(FileFormat::ALL.to_vec()),
        start in 0..2000_usize,
    ) {
        let mut content = sample("sample.psv")[40 * start..].to_vec();
        content.truncate(800);
        content.append(&mut bytes);
        let report = validate(from, &content);
        if report.is_clean() && from.can_write() {
            prop_assert_eq!(crate::common::convert(from, from, &content).is_empty(), report.records == 0);
        }
    }
}

#[test]
fn missed_mates_are_reported_only_on_request() {
    let record = |sfen: &str, mv: &str| format!("sfen {sfen}\nmove {mv}\nscore 30\nply 1\nresult 1\ne\n");
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1";
    let text = [
        record(mate, "G*5b"),
        record(mate, "G*4b"),
        // A check that does not mate, an illegal move, and a position without a mate.
        record(mate, "5c5b"),
        record(mate, "5c5d"),
        record("4k4/9/9/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l18p 1", "G*5b"),
    ]
    .concat();
    let mate: Levels = [Level::Mate].into_iter().collect();
    let report = validate_with(FileFormat::Plain, text.as_bytes(), |job| job.levels = mate);
    assert_eq!(found(&report), BTreeMap::from([((Level::Mate, "MATE_MISSED"), 2)]));
    let level = report.level(Level::Mate).unwrap();
    assert_eq!(level.first[..], [1, 2]);
    let finding = level.example.as_ref().unwrap().finding;
    assert_eq!(finding, Finding::MissedMate("G*5b".parse().unwrap()));
    let report = validate(FileFormat::Plain, text.as_bytes());
    assert!(report.level(Level::Mate).is_none());
    assert_eq!(report.level(Level::Move).unwrap().bad, 1);
}
