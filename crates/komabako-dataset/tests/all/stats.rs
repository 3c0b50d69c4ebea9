//! The statistics of the sample agree with the figures that another program counted from its text.

use std::io::Cursor;

use crate::common::{convert, sample, sample_sfens};
use komabako_board::BaseKind::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};
use komabako_board::Color::{Black, White};
use komabako_board::{BaseKind, Color, Square, sfen, square};
use komabako_dataset::stats::{Job, Outcome, Stats, Summary};
use komabako_dataset::{DatasetError, Field, FileFormat, Input};
use komabako_testkit::reference_moves::is_in_check;

/// Counts in memory.
fn count_with(
    from: FileFormat,
    bytes: &[u8],
    change: impl FnOnce(&mut Job),
) -> Result<Summary, DatasetError> {
    let mut job = Job::new(vec![Input::Stream("input".into(), Box::new(Cursor::new(bytes)))]);
    job.options.from = Some(from);
    change(&mut job);
    job.plan()?.run(&mut ())
}

fn count(from: FileFormat, bytes: &[u8]) -> Stats {
    let summary = count_with(from, bytes, |_| {}).unwrap();
    assert_eq!((summary.counts.bad_total(), summary.counts.tails.len()), (0, 0));
    summary.stats
}

/// All figures of the records, as text.
fn text(stats: &Stats) -> String {
    format!("{stats:?}")
}

fn at(file: u8, rank: u8) -> Square {
    square::from_index(usize::from(file * 9 + rank - 10)).unwrap()
}

/// The figures are from a Python script that read `sample.tsv` and is independent of this project.
#[test]
fn sample_has_the_known_statistics() {
    let stats = count(FileFormat::Psv, &sample("sample.psv"));
    assert_eq!((stats.records, stats.side_to_move, stats.unplayable), (2000, [1000, 1000], 0));

    let results = stats.results;
    assert_eq!((results.black, results.white, results.draw, results.missing), (1355, 499, 146, 0));
    assert_eq!((results.mover, results.known()), (928, 2000));

    let plies = &stats.plies;
    assert_eq!((plies.spread.mean(), plies.spread.range(), plies.missing), (Some(61.35), Some((3, 169)), 0));
    assert!((plies.spread.deviation().unwrap() - 38.301).abs() < 1e-3);
    let bins: Vec<_> = plies.bins().collect();
    assert_eq!((bins[1], bins[2], bins[4]), ((11, 199), (21, 200), (41, 197)));
    assert_eq!((bins.len(), bins.iter().map(|&(_, count)| count).sum()), (17, 2000));

    let scores = &stats.scores;
    assert_eq!((scores.spread.count(), scores.mating, scores.mated, scores.missing), (1960, 26, 14, 0));
    assert_eq!((scores.spread.range(), scores.median()), (Some((-12_292, 11_106)), Some(35)));
    assert!((scores.spread.mean().unwrap() - 67.536).abs() < 1e-3);
    assert!((scores.spread.deviation().unwrap() - 2594.124).abs() < 1e-3);
    let fit = scores.fit().unwrap();
    assert!((fit.scale() - 2778.565).abs() < 0.5 && (fit.scale_error() - 160.524).abs() < 0.1, "{fit:?}");
    assert!(fit.is_significant() && fit.records == 1960);

    let board =
        |color, is_promoted| BaseKind::ALL.map(|kind| stats.pieces.on_board(color, kind, is_promoted));
    assert_eq!(board(Black, false), [15_355, 3642, 3351, 3985, 3792, 1480, 1603, 2000]);
    assert_eq!(board(White, false), [14_982, 3652, 3387, 3470, 3909, 1175, 1544, 2000]);
    assert_eq!(board(Black, true), [171, 127, 120, 103, 0, 404, 339, 0]);
    assert_eq!(board(White, true), [217, 51, 19, 98, 0, 429, 346, 0]);
    let hands = |color| BaseKind::ALL.map(|kind| stats.pieces.in_hand(color, kind));
    assert_eq!(hands(Black), [2700, 213, 534, 205, 139, 208, 82, 0]);
    assert_eq!(hands(White), [2575, 315, 589, 139, 160, 304, 86, 0]);

    let kings = &stats.kings;
    assert_eq!((kings.on(Black, at(5, 8)), kings.on(Black, at(7, 8)), kings.missing), (788, 217, [0, 0]));
    assert_eq!((kings.on(White, at(5, 2)), kings.on(White, at(3, 2))), (694, 387));
    assert_eq!(square::all().map(|square| kings.on(White, square)).sum::<u64>(), 2000);

    let moves = &stats.moves;
    assert_eq!((moves.captures, moves.promotions, moves.drop_total()), (629, 167, 466));
    assert_eq!((moves.missing, moves.special, moves.ill_formed, moves.unmatched), (0, 0, 0, 0));
    let drops = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King].map(|kind| moves.drops(kind));
    assert_eq!(drops, [101, 45, 56, 55, 56, 116, 37, 0]);
    assert_eq!(BaseKind::ALL.map(|kind| moves.on_board(kind, false)), [348, 41, 84, 179, 196, 189, 157, 176]);
    assert_eq!(BaseKind::ALL.map(|kind| moves.on_board(kind, true)), [11, 4, 12, 8, 0, 60, 69, 0]);
    assert_eq!(moves.board_total() + moves.drop_total(), 2000);

    assert!((stats.distinct.estimate().count - 2000.0).abs() < 0.5);
}

#[test]
fn checks_agree_with_the_reference() {
    let stats = count(FileFormat::Psv, &sample("sample.psv"));
    let setups = sample_sfens().into_iter().map(|text| sfen::parse(&text).unwrap().setup);
    let expected = setups.filter(|setup| is_in_check(setup, setup.side_to_move())).count() as u64;
    assert!(expected > 0);
    assert_eq!(stats.in_check, expected);
}

/// Record by record, in chunks and from files on any number of threads: the same figures.
#[test]
fn figures_depend_neither_on_threads_nor_on_the_way_of_counting() {
    let psv = sample("sample.psv").repeat(20);
    let mut one_by_one = Stats::default();
    let mut pieces = Stats::default();
    for piece in psv.chunks(40 * 7000) {
        let mut stats = Stats::default();
        for bytes in piece.chunks(40) {
            let record = FileFormat::Psv.decode(bytes).unwrap();
            one_by_one.add(&record);
            stats.add(&record);
        }
        pieces.merge(&stats);
    }
    assert_eq!(one_by_one.records, 40_000);
    assert_eq!(text(&one_by_one), text(&pieces));
    for threads in [1, 2, 7] {
        let summary = count_with(FileFormat::Psv, &psv, |job| job.options.threads = threads).unwrap();
        assert_eq!(text(&summary.stats), text(&pieces), "{threads} threads");
        assert_eq!(summary.counts.bytes_read, psv.len() as u64);
    }
    let twenty = one_by_one.distinct.estimate();
    let once = count(FileFormat::Psv, &sample("sample.psv"));
    assert_eq!(twenty.count, once.distinct.estimate().count);
}

#[test]
fn every_format_gives_the_statistics_of_its_fields() {
    let expected = count(FileFormat::Psv, &sample("sample.psv"));
    for format in FileFormat::ALL.iter().copied().filter(|format| format.can_write()) {
        let stats = count(format, &convert(FileFormat::Psv, format, &sample("sample.psv")));
        assert_eq!((stats.records, stats.in_check), (2000, expected.in_check), "{format}");
        assert_eq!((stats.pieces, stats.kings), (expected.pieces, expected.kings), "{format}");
        assert_eq!(stats.distinct.estimate(), expected.distinct.estimate(), "{format}");
        let missing = |field| if format.holds(field) { 0 } else { 2000 };
        assert_eq!(stats.scores.missing, missing(Field::Score), "{format}");
        assert_eq!(stats.moves.missing, missing(Field::Move), "{format}");
        assert_eq!(stats.results.missing, missing(Field::Result), "{format}");
        if format.holds(Field::Ply) {
            assert_eq!(stats.plies, expected.plies, "{format}");
        } else if format.holds_games() {
            assert_eq!(stats.plies.missing, 0, "{format} counts them");
        } else if !format.is_text() {
            assert_eq!(stats.plies.missing, 2000, "{format}");
        }
        if format.holds(Field::Result) {
            assert_eq!(stats.scores, expected.scores, "{format}");
            assert_eq!(stats.results, expected.results, "{format}");
        }
    }
}

#[test]
fn statistics_of_no_records_are_unknown() {
    let stats = count(FileFormat::Psv, b"");
    assert_eq!(text(&stats), text(&Stats::default()));
    assert_eq!((stats.records, stats.plies.bins().len(), stats.scores.fit()), (0, 0, None));
    assert_eq!(stats.distinct.estimate().count, 0.0);
}

#[test]
fn bad_records_and_tails_are_counted_separately() {
    let mut psv = sample("sample.psv");
    psv[40 * 17 + 1] ^= 0xff;
    psv[40 * 500 + 38] = 7;
    psv[40 * 1000 + 34] = 0xff;
    psv.truncate(40 * 1500 + 3);
    let error = count_with(FileFormat::Psv, &psv, |_| {}).unwrap_err();
    assert_eq!(error.kind(), "truncated");
    let summary = count_with(FileFormat::Psv, &psv, |job| job.options.salvage = true).unwrap();
    assert_eq!((summary.stats.records, summary.counts.bad_total(), summary.counts.tails.len()), (1498, 2, 1));
    let bad: Vec<_> = summary.counts.bad.keys().collect();
    assert_eq!(bad, ["KING_CODE", "RESULT"]);
    assert_eq!((summary.counts.samples[0].record, summary.counts.samples[1].record), (17, 500));
    assert_eq!(summary.stats.moves.ill_formed, 1);
}

#[test]
fn odd_positions_and_moves_are_counted() {
    let plain = "sfen 4k4/9/9/9/9/9/9/9/9 b G 1\nmove P*5b\nscore 32002\ne\n\
                 sfen 4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1\nmove 1a1b\nresult 1\ne\n\
                 sfen 4k4/4G4/9/9/9/9/9/9/4K4 b - 1\nmove win\nresult 0\ne\n";
    let stats = count(FileFormat::Plain, plain.as_bytes());
    assert_eq!((stats.records, stats.unplayable, stats.in_check), (3, 2, 0));
    assert_eq!((stats.kings.missing, stats.pieces.on_board(Black, King, false)), ([1, 0], 2));
    assert_eq!((stats.moves.unmatched, stats.moves.special), (2, 1));
    assert_eq!((stats.scores.missing, stats.results.missing, stats.results.draw), (3, 1, 1));
    assert_eq!(stats.scores.known(), 0);
}

#[test]
fn outcomes_are_from_the_view_of_the_side_to_move() {
    use komabako_dataset::GameResult::{BlackWin, Draw, WhiteWin};
    let of = |result, side: Color| Outcome::for_side(result, side);
    assert_eq!((of(Some(BlackWin), Black), of(Some(BlackWin), White)), (Outcome::Win, Outcome::Loss));
    assert_eq!((of(Some(WhiteWin), Black), of(Some(WhiteWin), White)), (Outcome::Loss, Outcome::Win));
    assert_eq!((of(Some(Draw), Black), of(None, White)), (Outcome::Draw, Outcome::Unknown));
}
