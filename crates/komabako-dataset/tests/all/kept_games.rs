//! Games that stay in their format: the data kept, whole or cut.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroU64;

use crate::common::games::{TestGame, blocks, random_games};
use crate::common::{convert, convert_with, sample};
use komabako_dataset::convert::{Job, OnBadRecord, ScoreChange};
use komabako_dataset::games::check;
use komabako_dataset::scores::Column;
use komabako_dataset::select::{Filter, Ratio};
use komabako_dataset::split::{self, Names, Rule};
use komabako_dataset::{Block, DatasetError, FileFormat, Input, JobOptions, Output, Selection};
use komabako_testkit::setups::Rng;
use proptest::prelude::*;

const FORMATS: [FileFormat; 2] = [FileFormat::Pack, FileFormat::Hcpe3];

/// A random game in a format, with all its possible data: hcpe3 with candidates, opponents and flags, `.pack` with any
/// form of its start.
fn encoded(format: FileFormat, game: &TestGame, rng: &mut Rng) -> Vec<u8> {
    let plain = game.to_hcpe3();
    let (header, moves) = plain.split_at(36);
    let mut bytes = Vec::new();
    if format == FileFormat::Hcpe3 {
        bytes.extend_from_slice(header);
        bytes[34] |= [0, 4, 16][rng.below(3)];
        bytes[35] = rng.below(3) as u8;
    } else if rng.below(4) == 0 {
        bytes.push(0);
        bytes.extend_from_slice(&header[..32]);
        bytes.extend(game.ply.to_le_bytes());
    } else {
        return game.to_pack();
    }
    for entry in moves.chunks(10) {
        bytes.extend_from_slice(&entry[..4]);
        if format == FileFormat::Hcpe3 {
            let candidates = rng.below(5) as u16;
            bytes.extend(candidates.to_le_bytes());
            bytes.extend((0..4 * candidates).map(|_| rng.next_u64() as u8));
        }
    }
    if format == FileFormat::Pack {
        bytes.extend_from_slice(&game.to_pack()[game.to_pack().len() - 3..]);
    }
    bytes
}

/// Random games, some without a move, and the number of records.
fn games(format: FileFormat, seed: u64, count: usize, most: usize) -> (Vec<Vec<u8>>, usize) {
    let mut rng = Rng::new(seed);
    let games = random_games(seed, count, most);
    let records = games.iter().map(|game| game.moves.len()).sum();
    (games.iter().map(|game| encoded(format, game, &mut rng)).collect(), records)
}

fn selected(format: FileFormat, bytes: &[u8], select: Selection) -> Vec<u8> {
    let (out, summary) = convert_with(format, format, bytes, |job| job.select = select).unwrap();
    let games: Vec<Block> = blocks(format, &out);
    let count: u64 = games.iter().map(|block| check(format, block).len() as u64).sum();
    assert_eq!(count, 0, "games in order stay in order");
    assert_eq!(games.iter().map(|block| block.len() as u64).sum::<u64>(), summary.counts.written);
    assert_eq!(summary.losses, []);
    out
}

fn filter(expression: &str) -> Selection {
    Selection::Filter(Filter { expression: expression.parse().unwrap(), invert: false })
}

#[test]
fn whole_games_keep_their_bytes() {
    for format in FORMATS {
        let (games, records) = games(format, 21, 120, 200);
        let bytes = games.concat();
        assert!(convert(format, format, &bytes) == bytes, "{format}");
        let records = records as u64;
        for select in [
            Selection::Range(0..records + 1),
            Selection::Last(records),
            Selection::Last(u64::MAX),
            Selection::Ratio(Ratio::new(1.0, 0).unwrap()),
            filter("score < 40000"),
        ] {
            let chosen = matches!(select, Selection::Ratio(_) | Selection::Filter(_));
            let kept = selected(format, &bytes, select.clone());
            if chosen {
                let with_moves: Vec<u8> = games
                    .iter()
                    .filter(|game| !blocks(format, game)[0].is_empty())
                    .flatten()
                    .copied()
                    .collect();
                assert!(kept == with_moves, "{format} {select:?}");
            } else {
                assert!(kept == bytes, "{format} {select:?}");
            }
        }
    }
}

/// The candidates of a cut game, byte by byte.
#[test]
fn truncated_game_keeps_the_labels_of_its_moves() {
    let start = "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c";
    let unhex = |hex: &str| -> Vec<u8> {
        let hex: String = hex.split_whitespace().collect();
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    };
    // 7g7f with 7g7f 16, 2g2f 3; 3c3d without candidates; 2g2f with one.
    let first = "3b1e 3900 0200 3b1e 1000 8e07 0300";
    let second = "150a c7ff 0000";
    let third = "8e07 0100 0100 8e07 6300";
    let game = unhex(&format!("{start} 0300 06 02 {first} {second} {third}"));
    let cut = |range| selected(FileFormat::Hcpe3, &game, Selection::Range(range));
    // The end of the game is stored only with its last move.
    assert_eq!(cut(0..2), unhex(&format!("{start} 0200 02 02 {first} {second}")));
    let last = cut(2..3);
    assert_eq!(last[32..], unhex(&format!("0100 06 02 {third}")));
    let sfen = convert(FileFormat::Hcpe3, FileFormat::Sfen, &last);
    assert_eq!(sfen, b"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1\n");
    // So is the number of plies left: 1 before the last move.
    assert_eq!(selected(FileFormat::Hcpe3, &game, filter("plies_left == 1")), last);
    assert_eq!(selected(FileFormat::Hcpe3, &game, filter("plies_left >= 2")), cut(0..2));
    let both = selected(FileFormat::Hcpe3, &game, filter("score > 0"));
    assert_eq!(both, [unhex(&format!("{start} 0100 02 02 {first}")), last].concat());

    // The end of a game stays with its last move; elsewhere the game is unfinished. The ply continues.
    let pack = unhex("01 3b1e 3900 150a c7ff 8e07 0100 8100 04");
    let cut = |range| selected(FileFormat::Pack, &pack, Selection::Range(range));
    assert_eq!(cut(0..2), unhex("01 3b1e 3900 150a c7ff 8100 03"));
    assert_eq!(cut(1..3)[33..], unhex("0200 150a c7ff 8e07 0100 8100 04"));
    assert_eq!(cut(1..2)[33..], unhex("0200 150a c7ff 8100 03"));
}

/// Cut anywhere and joined again, the records are those of the whole; also for games that the blocks of the reader
/// and the threads cut in other places.
#[test]
fn slices_and_tails_have_the_requested_records() {
    for format in FORMATS {
        let (games, records) = games(format, 22, 400, 300);
        let bytes = games.concat();
        let size = 38;
        let hcpe = convert(format, FileFormat::Hcpe, &bytes);
        let middle = records / 2;
        for range in [0..1, 1..middle, middle..middle + 1, middle..records, records - 1..records + 9] {
            let slice = selected(format, &bytes, Selection::Range(range.start as u64..range.end as u64));
            let expected = &hcpe[range.start * size..range.end.min(records) * size];
            assert!(convert(format, FileFormat::Hcpe, &slice) == expected, "{format} {range:?}");
        }
        for count in [0, 1, 700, middle, records - 1] {
            let tail = selected(format, &bytes, Selection::Last(count as u64));
            let slice = Selection::Range((records - count) as u64..u64::MAX);
            assert!(tail == selected(format, &bytes, slice), "{format} {count}");
            let packed = Selection::Last(count as u64);
            let one_thread = convert_with(format, format, &bytes, |job| {
                job.select = packed;
                job.options.threads = 1;
            });
            assert!(one_thread.unwrap().0 == tail);
        }
    }
}

/// From separate records, the last ones of a stream.
#[test]
fn the_last_records_become_games() {
    let plain = convert(FileFormat::Psv, FileFormat::Plain, &sample("sample.psv"));
    let last = sample("sample.psv")[1900 * 40..].to_vec();
    for format in FORMATS {
        let (out, summary) =
            convert_with(FileFormat::Plain, format, &plain, |job| job.select = Selection::Last(100)).unwrap();
        assert_eq!(summary.counts.written, 100);
        assert_eq!(
            summary.games,
            blocks(format, &out).iter().map(|block| games_in(block) as u64).sum::<u64>()
        );
        assert!(convert(format, FileFormat::Hcpe, &out) == convert(FileFormat::Psv, FileFormat::Hcpe, &last));
    }
}

fn games_in(block: &Block) -> usize {
    let mut games: Vec<_> = (0..block.len()).filter_map(|index| Some(block.place(index)?.game)).collect();
    games.dedup();
    games.len()
}

#[test]
fn sampled_records_do_not_form_games() {
    let (games, _) = games(FileFormat::Pack, 23, 3, 20);
    let sample = |job: &mut Job| job.select = Selection::Sample { count: 5, seed: 0 };
    let refused = convert_with(FileFormat::Pack, FileFormat::Pack, &games.concat(), sample);
    assert!(matches!(refused, Err(DatasetError::GamesInOrder(FileFormat::Pack))));
    let drawn = convert_with(FileFormat::Pack, FileFormat::Psv, &games.concat(), sample).unwrap();
    assert_eq!(drawn.1.counts.written, 5);
}

/// Whole games, and between them records to be joined.
#[test]
fn games_and_records_are_joined() {
    let (games, records) = games(FileFormat::Hcpe3, 24, 30, 80);
    let games = games.concat();
    let psv = sample("sample.psv");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sample.psv");
    fs::write(&path, &psv).unwrap();
    let mut out = Vec::new();
    let stream = |name: &str| Input::Stream(format!("{name}.hcpe3"), Box::new(Cursor::new(games.clone())));
    let inputs = vec![stream("before"), Input::path(&path), stream("after")];
    let mut job = Job::new(inputs, Output::Stream("out".into(), Box::new(&mut out)));
    job.to = Some(FileFormat::Hcpe3);
    let summary = job.plan().unwrap().run(&mut ()).unwrap();
    assert_eq!(summary.counts.written, 2 * records as u64 + 2000);
    assert!(out.starts_with(&games) && out.ends_with(&games));
    assert!(out[games.len()..out.len() - games.len()] == convert(FileFormat::Psv, FileFormat::Hcpe3, &psv));
}

#[test]
fn new_scores_change_nothing_else() {
    for format in FORMATS {
        let (games, records) = games(format, 25, 40, 60);
        let bytes = games.concat();
        let scores: Vec<u8> = (0..records as i16).flat_map(i16::to_le_bytes).collect();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("scores.i16");
        fs::write(&path, &scores).unwrap();
        let merge = |bytes: &[u8]| {
            let column = Column::open(Input::path(&path)).unwrap();
            convert_with(format, format, bytes, |job| job.scores = ScoreChange::Column(column)).unwrap().0
        };
        let merged = merge(&bytes);
        assert_eq!(merged.len(), bytes.len());
        let psv = convert(format, FileFormat::Psv, &merged);
        assert!(psv.chunks(40).zip(0_i16..).all(|(record, score)| record[32..34] == score.to_le_bytes()));
        let old = convert(format, FileFormat::Psv, &bytes);
        assert!(
            old.chunks(40)
                .zip(psv.chunks(40))
                .all(|(old, new)| old[..32] == new[..32] && old[34..] == new[34..])
        );
    }
}

/// The moves before an illegal one are kept with all their data, and nothing after it in its game.
#[test]
fn a_game_is_kept_up_to_its_first_illegal_move() {
    for format in FORMATS {
        let (mut games, _) = games(format, 26, 3, 60);
        let block = &blocks(format, &games[1])[0];
        let stop = block.len() / 2;
        let kept = selected(format, &games[1], Selection::Range(0..stop as u64));
        let end = if format == FileFormat::Pack { kept.len() - 3 } else { kept.len() };
        games[1][end..end + 2].copy_from_slice(&0x1427_u16.to_le_bytes());
        let skip = |job: &mut Job| job.on_bad_record = OnBadRecord::Skip;
        let (out, summary) = convert_with(format, format, &games.concat(), skip).unwrap();
        assert!(stop > 1 && summary.counts.bad_total() > 0);
        assert!(out == [&games[0], &kept, &games[2]].map(|game| &game[..]).concat(), "{format}");
    }
}

/// A split of a format of games, by a rule, into parts of the same format.
fn parts(format: FileFormat, bytes: &[u8], rule: Rule, to: FileFormat) -> (Vec<Vec<u8>>, split::Summary) {
    let directory = tempfile::tempdir().unwrap();
    let names = Names::Pattern(directory.path().join(format!("{{}}.{to}")));
    let input = Input::Stream(format!("games.{format}"), Box::new(Cursor::new(bytes.to_vec())));
    let job = split::Job {
        by_game: true,
        options: JobOptions { from: Some(format), ..JobOptions::default() },
        ..split::Job::new(vec![input], rule, names)
    };
    let summary = job.run(&mut ()).unwrap();
    (summary.parts.iter().map(|part| fs::read(&part.name).unwrap()).collect(), summary)
}

#[test]
fn parts_of_games_are_whole_games() {
    for format in FORMATS {
        let (games, records) = games(format, 27, 200, 100);
        let bytes = games.concat();
        for rule in [
            Rule::Records(NonZeroU64::new(700).unwrap()),
            Rule::Bytes(NonZeroU64::new(9000).unwrap()),
            Rule::Ratio { weights: vec![2, 1], seed: 4 },
        ] {
            let is_random = matches!(rule, Rule::Ratio { .. });
            let (parts, summary) = parts(format, &bytes, rule, format);
            assert_eq!((summary.counts.read, summary.games), (records as u64, Some(200)));
            assert_eq!(summary.parts.iter().map(|part| part.records).sum::<u64>(), records as u64);
            assert!(parts.len() > 1 && parts.iter().all(|part| !part.is_empty()));
            assert!(is_random || parts.concat() == bytes);
            let mut rests: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            for game in &games {
                let part = rests.iter_mut().find(|rest| rest.starts_with(game)).expect("a whole game");
                *part = &part[game.len()..];
            }
        }
    }
}

/// A format of games defines its games, even where one starts at the end of the previous one.
#[test]
fn parts_of_records_follow_the_games_of_the_input() {
    let (games, records) = games(FileFormat::Pack, 28, 60, 60);
    let bytes = games.concat();
    // Every game is divided into games of one move: no two belong together.
    let hcpe3 = convert(FileFormat::Pack, FileFormat::Hcpe3, &bytes);
    let pieces: Vec<u8> = (0..records as u64)
        .flat_map(|record| selected(FileFormat::Hcpe3, &hcpe3, Selection::Range(record..record + 1)))
        .collect();
    let one = Rule::Records(NonZeroU64::MIN);
    let (written, summary) = parts(FileFormat::Hcpe3, &pieces, one.clone(), FileFormat::Psv);
    assert_eq!((written.len(), summary.games), (records, Some(records as u64)));
    let (written, _) = parts(FileFormat::Pack, &bytes, one, FileFormat::Psv);
    let expected: Vec<Vec<u8>> = games
        .iter()
        .map(|game| convert(FileFormat::Pack, FileFormat::Psv, game))
        .filter(|psv| !psv.is_empty())
        .collect();
    assert!(written == expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Two adjacent slices are the whole, except that the game between them is divided in two.
    #[test]
    fn joined_slices_equal_the_records_of_the_whole(seed in any::<u64>(), format in 0..2_usize, at in any::<prop::sample::Index>()) {
        let format = FORMATS[format];
        let (games, records) = games(format, seed, 5, 30);
        let bytes = games.concat();
        let at = at.index(records + 1) as u64;
        let both = [0..at, at..u64::MAX].map(|range| selected(format, &bytes, Selection::Range(range))).concat();
        prop_assert!(convert(format, FileFormat::Hcpe2, &both).len() == convert(format, FileFormat::Hcpe2, &bytes).len());
        prop_assert!(convert(format, FileFormat::Hcpe, &both) == convert(format, FileFormat::Hcpe, &bytes));
        prop_assert!(both.len() >= bytes.len());
        if both.len() == bytes.len() {
            prop_assert!(both == bytes);
        }
    }
}
