//! Games of hcpe3 and GenSfen: whole games are found, and their start positions read.

mod common;

use common::{convert, convert_good, convert_with, sample};
use komabako_dataset::detect::detect_path;
use komabako_dataset::error::TailCause;
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{DatasetError, Field, FileFormat, LossKind};
use zerocopy::FromBytes;

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
        "01  3b1e 3900  9519 c7ff  0201 00 \
         00 {position} 6600  a32b 2efb  0000 02 \
         00 {START_HCP} 0100  8100 04"
    ))
}

/// Two games: two moves with two candidates and none, Black wins by declaration; no move, a draw.
fn hcpe3() -> Vec<u8> {
    unhex(&format!(
        "{START_HCP} 0200 09 00  3b1e 3900 0200 3b1e 1000 9519 0300  9519 c7ff 0000 \
         {START_HCP} 0000 00 02"
    ))
}

#[test]
fn start_positions_of_pack_have_the_first_move_score_ply_and_result() {
    let plain = String::from_utf8(convert(FileFormat::Pack, FileFormat::Plain, &pack())).unwrap();
    let stored = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 102";
    let expected = format!(
        "sfen {START_SFEN}\nmove 7g7f\nscore 57\nply 1\nresult -1\ne\n\
         sfen {stored}\nmove G*4i\nscore -1234\nply 102\nresult 0\ne\n\
         sfen {START_SFEN}\nmove none\nscore 0\nply 1\nresult 1\ne\n"
    );
    assert_eq!(plain, expected);
}

#[test]
fn start_positions_of_hcpe3_have_the_first_move_score_result_and_flags() {
    let hcpe2 = convert(FileFormat::Hcpe3, FileFormat::Hcpe2, &hcpe3());
    let expected = unhex(&format!("{START_HCP} 3900 3b1e 09 00 {START_HCP} 0000 0000 00 00"));
    assert_eq!(hcpe2, expected);
    let psv = convert(FileFormat::Hcpe3, FileFormat::Psv, &hcpe3());
    let psv = <[Psv]>::ref_from_bytes(&psv).unwrap();
    assert_eq!((psv[0].ply.get(), psv[0].result, psv[1].result), (0, 1, 0));
}

#[test]
fn it_is_said_that_later_moves_are_not_read() {
    for (from, games) in [(FileFormat::Pack, pack()), (FileFormat::Hcpe3, hcpe3())] {
        let (_, summary) = convert_with(from, FileFormat::Psv, &games, |_| {}).unwrap();
        let loss = summary.losses.iter().find(|loss| loss.field == Field::LaterMoves).unwrap();
        assert_eq!(loss.kind, LossKind::NotReplayed);
        assert!(loss.to_string().contains("only each game's start position"));
    }
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

/// Every cut through a file of games keeps the whole games before it and says where they end.
#[test]
fn a_cut_off_game_is_a_tail() {
    for (format, games, ends) in
        [(FileFormat::Pack, pack(), vec![12, 54, 92]), (FileFormat::Hcpe3, hcpe3(), vec![56, 92])]
    {
        assert_eq!(games.len(), *ends.last().unwrap());
        for length in 0..=games.len() {
            let whole = ends.iter().filter(|&&end| end <= length).count();
            let end = ends[..whole].last().copied().unwrap_or(0);
            let salvage = convert_with(format, FileFormat::Hcpe, &games[..length], |job| job.salvage = true);
            let (converted, summary) = salvage.unwrap();
            assert_eq!(converted.len(), whole * Hcpe::SIZE, "{format} cut at {length}");
            if length == end {
                assert!(summary.tails.is_empty());
            } else {
                let tail = &summary.tails[0];
                assert_eq!(
                    (tail.records, tail.offset, tail.length),
                    (whole as u64, end as u64, (length - end) as u64)
                );
                assert_eq!(tail.cause, TailCause::Truncated);
            }
        }
    }
}

/// The end of the next game is unknown where one is damaged, so nothing after it is read.
#[test]
fn damage_ends_a_stream_of_games() {
    let mut games = pack();
    games[12] = 7;
    let error = convert_with(FileFormat::Pack, FileFormat::Hcpe, &games, |_| {}).unwrap_err();
    assert_eq!(error.kind(), "damaged");
    assert!(error.to_string().starts_with("input: damaged at byte 12, after 1 whole records:"), "{error}");
    let salvage = convert_with(FileFormat::Pack, FileFormat::Hcpe, &games, |job| job.salvage = true);
    assert_eq!(salvage.unwrap().1.written, 1);

    let damage = |format, mut games: Vec<u8>, at: usize, value: u8| {
        games[at] = value;
        match convert_with(format, FileFormat::Hcpe, &games, |_| {}).unwrap_err() {
            DatasetError::Tail(tail) => matches!(tail.cause, TailCause::Damaged(_)),
            error => panic!("{error}"),
        }
    };
    assert!(damage(FileFormat::Pack, pack(), 2, 0x7f)); // a move from square 126
    assert!(damage(FileFormat::Pack, pack(), 11, 14)); // reason 14
    assert!(damage(FileFormat::Hcpe3, hcpe3(), 33, 3)); // 770 moves
    assert!(damage(FileFormat::Hcpe3, hcpe3(), 35, 3)); // opponent 3
    assert!(damage(FileFormat::Hcpe3, hcpe3(), 41, 3)); // 770 candidates
}

#[test]
fn a_game_with_a_bad_position_result_or_move_is_one_bad_record() {
    let mut games = hcpe3();
    games[34] = 3;
    let (_, summary) = convert_good(FileFormat::Hcpe3, FileFormat::Hcpe, &games);
    assert_eq!((summary.written, summary.bad["RESULT"]), (1, 1));
    let mut games = hcpe3();
    games[50] = 81;
    let (_, summary) = convert_good(FileFormat::Hcpe3, FileFormat::Hcpe, &games);
    assert_eq!((summary.written, summary.bad["MOVE_TO"]), (1, 1));
    let mut games = pack();
    games[13] = 0xff;
    let (_, summary) = convert_good(FileFormat::Pack, FileFormat::Hcpe, &games);
    assert_eq!((summary.written, summary.bad_total()), (2, 1));
}

/// Games that cross the boundaries of the reader's blocks.
#[test]
fn many_games_are_read_as_few_are() {
    for (format, games) in [(FileFormat::Pack, pack()), (FileFormat::Hcpe3, hcpe3())] {
        let once = convert(format, FileFormat::Hcpe, &games);
        let many = convert(format, FileFormat::Hcpe, &games.repeat(20_000));
        assert!(many == once.repeat(20_000), "{format}");
    }
    let long_text = convert(FileFormat::Psv, FileFormat::Plain, &sample("sample.psv")).repeat(6);
    assert!(convert(FileFormat::Plain, FileFormat::Psv, &long_text) == sample("sample.psv").repeat(6));
}
