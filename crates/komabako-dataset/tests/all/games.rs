//! Games in hcpe3 and GenSfen's format: replayed to records, and judged by their ends.

use crate::common::games::{TestGame, blocks, random_games};
use crate::common::{
    convert, convert_good, convert_with, edit_psv, hcpe_records, names, psv_records, sample,
};
use komabako_codec::Backend;
use komabako_dataset::convert::OnBadRecord;
use komabako_dataset::detect::{Evidence, Reason, detect_path};
use komabako_dataset::error::{Damage, TailCause};
use komabako_dataset::games::{EndFault, EndReason, GameCause, StreamFault, check};
use komabako_dataset::legality::MoveChecker;
use komabako_dataset::move16::MoveFault;
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{Block, DatasetError, FileFormat, RecordFault};
use proptest::prelude::*;

const START_HCP: &str = "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c";
const START_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

fn unhex(hex: &str) -> Vec<u8> {
    let hex: String = hex.split_whitespace().collect();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Three games: from the even-game position, 7g7f 3c3d, Black resigns; from a stored position at ply 102 with one move,
/// drawn; from a stored position without a move.
fn pack() -> Vec<u8> {
    let position = "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd";
    unhex(&format!(
        "01  3b1e 3900  150a c7ff  0201 00 \
         00 {position} 6600  a32b 2efb  0000 02 \
         00 {START_HCP} 0100  8100 04"
    ))
}

/// Two games: two moves with two candidates and none, Black wins by declaration; no move, a draw.
fn hcpe3() -> Vec<u8> {
    unhex(&format!(
        "{START_HCP} 0200 09 00  3b1e 3900 0200 3b1e 1000 150a 0300  150a c7ff 0000 \
         {START_HCP} 0000 00 02"
    ))
}

#[test]
fn positions_of_pack_have_their_moves_scores_plies_and_the_result() {
    let plain = String::from_utf8(convert(FileFormat::Pack, FileFormat::Plain, &pack())).unwrap();
    let second = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let stored = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 102";
    let expected = format!(
        "sfen {START_SFEN}\nmove 7g7f\nscore 57\nply 1\nresult -1\ne\n\
         sfen {second}\nmove 3c3d\nscore -57\nply 2\nresult 1\ne\n\
         sfen {stored}\nmove G*4i\nscore -1234\nply 102\nresult 0\ne\n"
    );
    assert_eq!(plain, expected);
}

#[test]
fn positions_of_hcpe3_have_their_moves_scores_result_and_flags() {
    let hcpe2 = convert(FileFormat::Hcpe3, FileFormat::Hcpe2, &hcpe3());
    let records = hcpe_records(&hcpe2);
    assert_eq!(records[0].position.to_vec(), unhex(START_HCP));
    let fields = records.iter().map(|record| (record.best_move, record.score, record.result));
    assert!(fields.eq([(0x1e3b, 57, 0x09), (0x0a15, -57, 0x09)]));
    let psv = convert(FileFormat::Hcpe3, FileFormat::Psv, &hcpe3());
    let psv = psv_records(&psv);
    assert_eq!((psv[0].ply, psv[0].result), (1, 1));
    assert_eq!((psv[1].ply, psv[1].result), (2, -1));
}

/// A reason for the end becomes the equivalent flags of hcpe2.
#[test]
fn end_reasons_become_end_flags() {
    for (reason, flags) in [(0, 0), (1, 4), (2, 16), (3, 0), (6, 4), (10, 8), (12, 8), (13, 8)] {
        let game = unhex(&format!("01  3b1e 3900  0000 {reason:02x}"));
        let hcpe2 = convert(FileFormat::Pack, FileFormat::Hcpe2, &game);
        assert_eq!(hcpe2[36], flags, "reason {reason}");
    }
}

fn formats(games: &[TestGame]) -> [(FileFormat, Vec<u8>); 2] {
    let concat = |encode: fn(&TestGame) -> Vec<u8>| games.iter().flat_map(encode).collect();
    [(FileFormat::Pack, concat(TestGame::to_pack)), (FileFormat::Hcpe3, concat(TestGame::to_hcpe3))]
}

/// Random games are read as they were played, as a file and one by one, and all of it is legal.
#[test]
fn random_games_are_read_back_move_by_move() {
    let games = random_games(6, 300, 200);
    for (format, bytes) in formats(&games) {
        let mut expected = Vec::new();
        let mut places = Vec::new();
        for (game, number) in games.iter().zip(0..) {
            let ply = if format == FileFormat::Pack { game.ply } else { 1 };
            for (record, place) in game.records(ply).into_iter().zip(1..) {
                FileFormat::Psv.encode(&record, &mut expected).unwrap();
                places.push((number, place));
            }
        }
        assert!(convert(format, FileFormat::Psv, &bytes) == expected, "{format}");

        let mut checker = MoveChecker::new(Backend::detect());
        let mut one_by_one = Vec::new();
        for block in blocks(format, &bytes) {
            assert_eq!(block.first_record(), (one_by_one.len() / Psv::SIZE) as u64);
            assert_eq!(checker.check(format, &block, 0..block.len()), []);
            assert_eq!(check(format, &block), []);
            for index in 0..block.len() {
                let place = block.place(index).unwrap();
                assert_eq!((place.game, place.number), places[block.first_record() as usize + index]);
                FileFormat::Psv.encode(&block.decode(format, index).unwrap(), &mut one_by_one).unwrap();
            }
        }
        assert!(one_by_one == expected, "{format}");
    }
}

/// The game is kept up to the move, the games around it whole. The move is reported, and the file of bad records gets the
/// game once.
#[test]
fn an_illegal_move_stops_its_game() {
    let games = random_games(7, 3, 40);
    let lengths: Vec<_> = games.iter().map(|game| game.moves.len()).collect();
    let good: Vec<Vec<u8>> =
        games.iter().map(|game| convert(FileFormat::Pack, FileFormat::Psv, &game.to_pack())).collect();
    let stop = lengths[1] / 2;
    assert!(stop > 2 && lengths[0] > 0);
    for (format, mut bytes) in formats(&games) {
        let encoded =
            |game: &TestGame| if format == FileFormat::Pack { game.to_pack() } else { game.to_hcpe3() };
        let start = encoded(&games[0]).len();
        let (header, step) = match format {
            FileFormat::Pack if encoded(&games[1])[0] == 1 => (1, 4),
            FileFormat::Pack => (35, 4),
            _ => (36, 10),
        };
        // 5e5d, of an empty square or not a move of the piece there.
        let at = start + header + step * stop;
        bytes[at..at + 2].copy_from_slice(&0x1427_u16.to_le_bytes());

        let record = lengths[0] + stop;
        let error = convert_with(format, FileFormat::Psv, &bytes, |_| {}).unwrap_err().to_string();
        let beginning = format!(
            "input: record {record} (byte {start}): game 1, move {} (byte {at}): 5e5d is illegal: ",
            stop + 1
        );
        assert!(error.starts_with(&beginning), "{error} is not {beginning}");

        let directory = tempfile::tempdir().unwrap();
        let collected = directory.path().join("bad");
        let (psv, summary) = convert_with(format, FileFormat::Psv, &bytes, |job| {
            job.on_bad_record = OnBadRecord::Collect(collected.clone());
        })
        .unwrap();
        let lost = lengths[1] - stop;
        assert_eq!(
            (summary.counts.read, summary.counts.written),
            (total(&lengths), total(&lengths) - lost as u64)
        );
        assert_eq!(
            (summary.counts.bad_total(), summary.counts.bad["UNREACHED"]),
            (lost as u64, lost as u64 - 1)
        );
        assert_eq!(summary.counts.samples.len(), 1);
        if format == FileFormat::Pack {
            assert!(psv == [&good[0], &good[1][..stop * Psv::SIZE], &good[2]].concat());
        }
        assert_eq!(names(directory.path()), ["bad", "bad.reasons.tsv"]);
        let reasons = std::fs::read_to_string(directory.path().join("bad.reasons.tsv")).unwrap();
        assert_eq!(reasons.lines().count(), 2);
        assert_eq!(std::fs::read(&collected).unwrap(), bytes[start..start + encoded(&games[1]).len()]);

        let [finding] = check(format, &blocks(format, &bytes)[0])[..] else { panic!("one game is bad") };
        assert_eq!((finding.game, finding.offset, finding.record), (1, start as u64, record as u64));
        assert!(
            matches!(finding.fault, StreamFault::Replay(fault) if fault.place.number as usize == stop + 1)
        );
    }
}

fn total(lengths: &[usize]) -> u64 {
    lengths.iter().sum::<usize>() as u64
}

#[test]
fn games_are_recognised() {
    let directory = tempfile::tempdir().unwrap();
    for (format, games) in [(FileFormat::Pack, pack()), (FileFormat::Hcpe3, hcpe3())] {
        let path = directory.path().join("games");
        std::fs::write(&path, games.repeat(200)).unwrap();
        assert_eq!(detect_path(&path).unwrap().format, Some(format));
    }
}

/// A file whose name suggests games, and whose first game makes no sense: the reason is reported.
#[test]
fn unrecognised_games_are_reported_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("long.hcpe3");
    let mut games = hcpe3();
    games[35] = 3;
    std::fs::write(&path, games).unwrap();
    let Err(DatasetError::Unrecognized { why, .. }) = detect_path(&path) else { panic!("it is recognised") };
    let damage = Evidence::Damaged { format: FileFormat::Hcpe3, damage: Damage::Opponent(3) };
    assert!(why.contains(&Reason::Evidence(damage)), "{why:?}");
}

/// A file of games, cut at any place, keeps the whole games before the cut and reports where they end.
#[test]
fn truncated_game_is_a_tail() {
    for (format, games, ends) in [
        (FileFormat::Pack, pack(), vec![(0, 0), (12, 2), (54, 3), (92, 3)]),
        (FileFormat::Hcpe3, hcpe3(), vec![(0, 0), (56, 2), (92, 2)]),
    ] {
        assert_eq!(games.len(), ends.last().unwrap().0);
        for length in 0..=games.len() {
            let &(end, records) = ends.iter().rfind(|(end, _)| *end <= length).unwrap();
            let salvage =
                convert_with(format, FileFormat::Hcpe, &games[..length], |job| job.options.salvage = true);
            let (converted, summary) = salvage.unwrap();
            assert_eq!(converted.len(), records * Hcpe::SIZE, "{format} cut at {length}");
            if length == end {
                assert!(summary.counts.tails.is_empty());
            } else {
                let tail = &summary.counts.tails[0];
                assert_eq!(
                    (tail.records, tail.offset, tail.length),
                    (records as u64, end as u64, (length - end) as u64)
                );
                assert_eq!(tail.cause, TailCause::Truncated);
            }
        }
    }
}

/// After a damaged game the end of the next one is unknown, so nothing after it is read.
#[test]
fn damage_ends_a_stream_of_games() {
    let mut games = pack();
    games[12] = 7;
    let error = convert_with(FileFormat::Pack, FileFormat::Hcpe, &games, |_| {}).unwrap_err();
    assert_eq!(error.kind(), "damaged");
    let DatasetError::Tail(tail) = error else { panic!("{error}") };
    assert_eq!((&*tail.input, tail.offset, tail.records), ("input", 12, 2));
    let salvage = convert_with(FileFormat::Pack, FileFormat::Hcpe, &games, |job| job.options.salvage = true);
    assert_eq!(salvage.unwrap().1.counts.written, 2);

    let damage = |format, mut games: Vec<u8>, at: usize, value: u8| {
        games[at] = value;
        match convert_with(format, FileFormat::Hcpe, &games, |_| {}).unwrap_err() {
            DatasetError::Tail(tail) => tail.cause,
            error => panic!("{error}"),
        }
    };
    let pack_with = |at, value| damage(FileFormat::Pack, pack(), at, value);
    assert_eq!(pack_with(0, 2), TailCause::Damaged(Damage::GameStart(2)));
    assert_eq!(pack_with(2, 0x7f), TailCause::Damaged(Damage::GameMove(MoveFault::From(126))));
    assert_eq!(pack_with(11, 7), TailCause::Damaged(Damage::EndReason(7)));
    assert_eq!(pack_with(11, 14), TailCause::Damaged(Damage::EndReason(14)));
    let hcpe3_with = |at, value| damage(FileFormat::Hcpe3, hcpe3(), at, value);
    // The bytes after the game are taken for its moves.
    assert_eq!(hcpe3_with(33, 3), TailCause::Damaged(Damage::Candidates(0xd70c)));
    assert_eq!(hcpe3_with(35, 3), TailCause::Damaged(Damage::Opponent(3)));
    assert_eq!(hcpe3_with(41, 3), TailCause::Damaged(Damage::Candidates(770)));
}

#[test]
fn bad_start_result_or_move_is_reported_for_its_game() {
    let mut games = hcpe3();
    games[34] = 3;
    let (_, summary) = convert_good(FileFormat::Hcpe3, FileFormat::Hcpe, &games);
    assert_eq!(
        (summary.counts.written, summary.counts.bad["RESULT"], summary.counts.bad["UNREACHED"]),
        (0, 1, 1)
    );
    let RecordFault::Game(fault) = &summary.counts.samples[0].fault else { panic!("{summary:?}") };
    assert_eq!((fault.place.game, fault.cause), (0, GameCause::Result(3)));
    let mut games = hcpe3();
    games[50] = 81;
    let (_, summary) = convert_good(FileFormat::Hcpe3, FileFormat::Hcpe, &games);
    assert_eq!((summary.counts.written, summary.counts.bad["MOVE_TO"]), (1, 1));
    let mut games = pack();
    games[13] = 0xff;
    let (_, summary) = convert_good(FileFormat::Pack, FileFormat::Hcpe, &games);
    assert_eq!((summary.counts.written, summary.counts.bad_total()), (2, 1));
    assert!(summary.counts.samples[0].to_string().contains("record 2 (byte 12): game 1, start position: "));
}

/// The first finding in a `.pack` game without moves from a position, with this end.
fn end_fault(sfen: &str, result: u16, reason: u8) -> Option<StreamFault> {
    let setup = komabako_board::sfen::parse(sfen).unwrap().setup;
    let mut game = vec![0];
    game.extend(komabako_variants::WordFormat::Hcp.pack(&setup).unwrap());
    game.extend(1_u16.to_le_bytes());
    game.extend(result.to_le_bytes());
    game.push(reason);
    check(FileFormat::Pack, &blocks(FileFormat::Pack, &game)[0]).first().map(|finding| finding.fault)
}

#[test]
fn ends_are_judged_by_the_final_position() {
    use komabako_board::Color::{Black, White};
    const DRAW: u16 = 0;
    const BLACK: u16 = 0x81;
    const WHITE: u16 = 0x102;
    let end = |fault| Some(StreamFault::End(fault));

    let mate = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2";
    assert_eq!(end_fault(mate, BLACK, 0), None);
    assert_eq!(end_fault(mate, WHITE, 0), end(EndFault::Mated(White)));
    assert_eq!(end_fault(mate, DRAW, 3), end(EndFault::Mated(White)));

    for (result, reason, right) in [
        (WHITE, EndReason::Resignation, true),
        (BLACK, EndReason::Resignation, false),
        (BLACK, EndReason::Interruption, true),
        (DRAW, EndReason::MoveLimit, true),
        (WHITE, EndReason::MoveLimit, false),
        (DRAW, EndReason::TimeOut, false),
        (BLACK, EndReason::Try, true),
        (WHITE, EndReason::Try, false),
    ] {
        let fault = (!right).then_some(StreamFault::End(EndFault::Outcome(reason)));
        assert_eq!(end_fault(START_SFEN, result, reason.code()), fault, "{reason:?}");
    }

    let entered = "K8/+N8/GGGGSSSSL/9/9/9/9/9/4k4 b 2R8P 1";
    assert_eq!(end_fault(entered, BLACK, 12), None);
    assert_eq!(end_fault(entered, BLACK, 10), None); // as GenSfen writes every declaration
    assert_eq!(end_fault(entered, DRAW, 11), None);
    assert_eq!(end_fault(START_SFEN, BLACK, 12), end(EndFault::Declaration(Black)));
    // White adds the points of a handicap.
    let handicap = "4K4/9/9/9/9/9/lssssgggg/8+n/8k w 2r6p 1";
    assert_eq!(end_fault(handicap, WHITE, 12), None);

    let still = unhex("01  0000 01");
    let [finding] = check(FileFormat::Pack, &blocks(FileFormat::Pack, &still)[0])[..] else { panic!() };
    assert_eq!(finding.fault, StreamFault::End(EndFault::Repetition));
    assert_eq!(finding.fault.name(), "END_REPETITION");
}

/// Games are written as they were played, and read back: positions, moves, scores and results; plies too, if the format has them.
#[test]
fn records_in_game_order_become_their_games() {
    let games: Vec<_> = random_games(9, 300, 200).into_iter().filter(|game| !game.moves.is_empty()).collect();
    for (format, bytes) in formats(&games) {
        let psv = convert(format, FileFormat::Psv, &bytes);
        let (written, summary) = convert_with(FileFormat::Psv, format, &psv, |_| {}).unwrap();
        assert_eq!(summary.games, games.len() as u64);
        assert!(convert(format, FileFormat::Psv, &written) == psv, "{format}");
        for block in blocks(format, &written) {
            assert_eq!(check(format, &block), [], "{format}");
        }
        if format == FileFormat::Hcpe3 {
            assert!(written == bytes);
        }
        // Two steps are equivalent to one.
        let other = if format == FileFormat::Pack { FileFormat::Hcpe3 } else { FileFormat::Pack };
        let through = convert(other, FileFormat::Hcpe, &convert(format, other, &bytes));
        assert!(through == convert(format, FileFormat::Hcpe, &bytes), "{format} through {other}");
    }
}

/// Games that span many blocks, with any number of threads, and compressed blocks of other sizes: the same bytes.
#[test]
fn games_do_not_depend_on_threads_or_blocks() {
    let games = random_games(10, 400, 300);
    let psv = convert(FileFormat::Pack, FileFormat::Psv, &formats(&games)[0].1);
    assert!(psv.len() > 3 << 19);
    let plain = convert(FileFormat::Psv, FileFormat::Plain, &psv);
    for to in [FileFormat::Pack, FileFormat::Hcpe3] {
        let once = convert_with(FileFormat::Psv, to, &psv, |job| job.options.threads = 1).unwrap().0;
        assert!(convert_with(FileFormat::Psv, to, &psv, |job| job.options.threads = 5).unwrap().0 == once);
        assert!(convert(FileFormat::Plain, to, &plain) == once);
    }
}

/// Kings move back and forth endlessly.
fn endless(moves: usize) -> Vec<u8> {
    let mut plain = String::new();
    let positions = [
        ("4k4/9/9/9/9/9/9/9/4K4 b", "5i5h"),
        ("4k4/9/9/9/9/9/9/4K4/9 w", "5a5b"),
        ("9/4k4/9/9/9/9/9/4K4/9 b", "5h5i"),
        ("9/4k4/9/9/9/9/9/9/4K4 w", "5b5a"),
    ];
    for number in 0..moves {
        let (sfen, mv) = positions[number % 4];
        plain += &format!(
            "sfen {sfen} - {ply}\nmove {mv}\nscore 0\nply {ply}\nresult 0\ne\n",
            ply = number % 60_000 + 1
        );
    }
    plain.into_bytes()
}

/// Plies that only text can hold.
#[test]
fn huge_plies_are_refused_by_formats_that_store_them() {
    let plain = format!("sfen startpos\nmove 7g7f\nply {}\ne\n", u32::MAX);
    let twice = plain.repeat(2);
    assert_eq!(
        convert_good(FileFormat::Plain, FileFormat::Pack, twice.as_bytes()).1.counts.bad,
        [("PLY".into(), 2)].into()
    );
    assert_eq!(
        convert_with(FileFormat::Plain, FileFormat::Hcpe3, twice.as_bytes(), |_| {}).unwrap().1.games,
        2
    );
}

/// hcpe has no ply, but the even-game position has one all the same.
#[test]
fn a_game_from_the_even_position_needs_no_ply() {
    let plain = b"sfen startpos\nmove 7g7f\nscore 57\nresult 1\ne\n";
    let hcpe = convert(FileFormat::Plain, FileFormat::Hcpe, plain);
    assert_eq!(convert(FileFormat::Hcpe, FileFormat::Pack, &hcpe), unhex("01  3b1e 3900  8100 00"));
}

#[test]
fn a_game_past_the_limit_becomes_several() {
    let plain = endless(60_000);
    let (hcpe3, summary) = convert_with(FileFormat::Plain, FileFormat::Hcpe3, &plain, |_| {}).unwrap();
    assert_eq!(summary.games, 60_000_u64.div_ceil(513));
    let positions = |format, bytes: &[u8]| convert(format, FileFormat::Hcpe, bytes);
    assert!(positions(FileFormat::Hcpe3, &hcpe3) == positions(FileFormat::Plain, &plain));
    let lengths: Vec<_> = blocks(FileFormat::Hcpe3, &hcpe3).iter().map(Block::len).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 60_000);
    let (pack, summary) = convert_with(FileFormat::Plain, FileFormat::Pack, &plain, |_| {}).unwrap();
    assert_eq!(summary.games, 1);
    assert_eq!(convert(FileFormat::Pack, FileFormat::Plain, &pack), plain);
}

/// dlshogi plays no more than 513 moves; the field holds more.
#[test]
fn a_longer_game_of_hcpe3_is_read_and_kept() {
    let plain = endless(600);
    let pieces = convert(FileFormat::Plain, FileFormat::Hcpe3, &plain);
    let (first, second) = pieces.split_at(36 + 513 * 10);
    let mut whole = [first, &second[36..]].concat();
    whole[32..34].copy_from_slice(&600_u16.to_le_bytes());
    let positions = |format, bytes: &[u8]| convert(format, FileFormat::Hcpe, bytes);
    assert!(positions(FileFormat::Hcpe3, &whole) == positions(FileFormat::Plain, &plain));
    assert!(convert(FileFormat::Hcpe3, FileFormat::Hcpe3, &whole) == whole);
}

/// Every legal move is a candidate, as many times as the fields allow.
#[test]
fn a_game_of_hcpe3_may_have_as_many_moves_and_candidates_as_its_fields_hold() {
    const CANDIDATES: u16 = 593;
    let plain = endless(2_000);
    let pieces = convert(FileFormat::Plain, FileFormat::Hcpe3, &plain);
    let moves = pieces.chunks(36 + 513 * 10).flat_map(|game| game[36..].chunks_exact(10));
    let mut game = [&pieces[..32], &2_000_u16.to_le_bytes(), &pieces[34..36]].concat();
    for mv in moves {
        game.extend_from_slice(&mv[..4]);
        game.extend_from_slice(&CANDIDATES.to_le_bytes());
        game.extend(mv[6..].iter().copied().cycle().take(4 * usize::from(CANDIDATES)));
    }
    assert!(game.len() > 1 << 22);
    let positions = |format, bytes: &[u8]| convert(format, FileFormat::Hcpe, bytes);
    assert!(positions(FileFormat::Hcpe3, &game) == positions(FileFormat::Plain, &plain));
    assert!(convert(FileFormat::Hcpe3, FileFormat::Hcpe3, &game) == game);
}

/// The winner declares after moves that are missing.
#[test]
fn declaration_flag_is_set_only_for_its_game() {
    const DECLARATION: u8 = 8;
    // Entering kings with all the points, and a declaration that comes a move too early.
    let end = |sfen: &str, mv: &str| {
        let plain = format!("sfen {sfen}\nmove {mv}\nresult -1\ne\n");
        let mut hcpe2 = convert(FileFormat::Plain, FileFormat::Hcpe2, plain.as_bytes());
        hcpe2[36] |= DECLARATION;
        convert(FileFormat::Hcpe2, FileFormat::Hcpe3, &hcpe2)[34]
    };
    let entered = "+R+R+B+BKGGGG/PPPPPPPPP/9/9/9/9/9/9/4k4 w -";
    assert_eq!(end(&format!("{entered} 1"), "5i5h"), 1 | DECLARATION);
    assert_eq!(end("4k4/9/9/9/9/9/9/9/4K4 w - 1", "5a5b"), 1);
}

/// A record that does not follow starts a game; one that cannot be played is refused, and separates the records around it.
#[test]
fn a_gap_starts_a_new_game() {
    let psv = sample("sample.psv");
    let (first, second) = psv[..6 * Psv::SIZE].split_at(3 * Psv::SIZE);
    let games = |psv: &[u8]| convert_with(FileFormat::Psv, FileFormat::Pack, psv, |_| {}).unwrap().1.games;
    assert_eq!(games(&[first, second].concat()), 1);
    assert_eq!(games(&[first, &second[Psv::SIZE..]].concat()), 2);
    assert_eq!(games(&[second, first].concat()), 2);

    let change = |change: fn(&mut Psv)| {
        let mut psv = psv[..6 * Psv::SIZE].to_vec();
        edit_psv(&mut psv[3 * Psv::SIZE..4 * Psv::SIZE], |_, record| change(record));
        let (pack, summary) = convert_good(FileFormat::Psv, FileFormat::Pack, &psv);
        assert_eq!(
            convert(FileFormat::Pack, FileFormat::Sfen, &pack).split(|&byte| byte == b'\n').count() as u64,
            summary.counts.written + 1
        );
        (summary.games, summary.counts.bad)
    };
    let bad = |name: &'static str| [(name.into(), 1)].into();
    assert_eq!(change(|psv| psv.best_move = 0), (2, bad("NOT_PLAYED")));
    assert_eq!(change(|psv| psv.best_move = 0x102), (2, bad("NOT_PLAYED")));
    assert_eq!(change(|psv| psv.best_move = 0x1427), (2, bad("MOVE_NO_PIECE")));
    assert_eq!(change(|psv| psv.best_move = 0x7f), (2, bad("MOVE_TO")));
    assert_eq!(change(|psv| psv.ply = 700), (3, [].into()));
    assert_eq!(change(|psv| psv.result = 0), (3, [].into()));
}

/// The end reason that is written for a game of one move.
fn reason(plain: &str, flags: u8) -> u8 {
    let mut hcpe2 = convert(FileFormat::Plain, FileFormat::Hcpe2, plain.as_bytes());
    hcpe2[36] |= flags;
    *convert(FileFormat::Hcpe2, FileFormat::Pack, &hcpe2).last().unwrap()
}

#[test]
fn end_reason_follows_from_the_last_position() {
    let game = |result| format!("sfen startpos\nmove 7g7f\nresult {result}\ne\n");
    // White is to move at the end.
    assert_eq!([1, -1, 0].map(|result| reason(&game(result), 0)), [0, 3, 3]);
    assert_eq!([1, 0].map(|result| reason(&game(result), 16)), [0, 2]);
    // Nothing is repeated.
    assert_eq!([1, 0].map(|result| reason(&game(result), 4)), [3, 3]);
    // White has the points to declare, and White wins.
    let declared = "sfen 4K4/9/9/9/9/9/lssssgggg/8+n/8k b 2r7p 1\nmove 5a5b\nresult -1\ne\n";
    assert_eq!(reason(declared, 0), 12);
}

/// A game without a move has no record, but counts stay correct.
#[test]
fn games_without_moves_are_skipped() {
    let games = random_games(8, 20, 8);
    let expected = convert(
        FileFormat::Pack,
        FileFormat::Psv,
        &games.iter().flat_map(TestGame::to_pack).collect::<Vec<_>>(),
    );
    let empty = unhex("01  0000 03");
    let mixed: Vec<u8> = games.iter().flat_map(|game| [empty.clone(), game.to_pack()].concat()).collect();
    assert!(convert(FileFormat::Pack, FileFormat::Psv, &mixed) == expected);
    let alone = empty.repeat(100_000);
    assert_eq!(convert_with(FileFormat::Pack, FileFormat::Psv, &alone, |_| {}).unwrap().1.counts.read, 0);
    let empties = blocks(FileFormat::Pack, &alone);
    assert!(empties.len() > 1 && empties.iter().all(Block::is_empty));

    // They are judged nevertheless, in any place.
    let bad = unhex("01  0000 00");
    let all = [bad.clone(), bad.clone(), games[0].to_pack(), bad].concat();
    let findings = check(FileFormat::Pack, &blocks(FileFormat::Pack, &all)[0]);
    assert_eq!(findings.iter().map(|finding| finding.game).collect::<Vec<_>>(), [0, 1, 3]);
}

/// Games that cross the boundaries of the reader's blocks.
#[test]
fn games_crossing_blocks_are_read() {
    for (format, games) in [(FileFormat::Pack, pack()), (FileFormat::Hcpe3, hcpe3())] {
        let once = convert(format, FileFormat::Hcpe, &games);
        let many = convert(format, FileFormat::Hcpe, &games.repeat(20_000));
        assert!(many == once.repeat(20_000), "{format}");
    }
    let long_text = convert(FileFormat::Psv, FileFormat::Plain, &sample("sample.psv")).repeat(6);
    assert!(convert(FileFormat::Plain, FileFormat::Psv, &long_text) == sample("sample.psv").repeat(6));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Games with a few bytes changed, checked by the fuzz target.
    #[test]
    fn damaged_games_are_read_up_to_the_damage(
        seed in any::<u64>(),
        format in 0..2_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let (_, mut bytes) = formats(&random_games(seed, 3, 30)).into_iter().nth(format).unwrap();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        crate::fuzz::targets::READ_HCPE3.test(&bytes);
        crate::fuzz::targets::READ_PACK.test(&bytes);
    }
}
