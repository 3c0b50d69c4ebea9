//! CSA and USI text of several servers and programs: variants of the files in `tests/data/dialects/csa`.

use komabako_board::{Color, File, Rank, sfen, square};
use komabako_kifu::{
    Ending, Fault, Format, Game, Games, KifuError, NoticeKind, Outcome, ReadOptions, Record,
};
use komabako_rules::State;

const BLACK: Option<Outcome> = Some(Outcome::Win(Color::Black));
const WHITE: Option<Outcome> = Some(Outcome::Win(Color::White));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// A game of two moves, with Black to move, and these lines after it.
fn game_of(players: &str, lines: &str) -> String {
    format!("V2.2\n{players}PI\n+\n+7776FU\nT1\n-3334FU\nT1\n{lines}")
}

fn read(text: &str, format: Format) -> Vec<Result<Game, KifuError>> {
    Games::new(text, format, ReadOptions::default()).collect()
}

fn only(text: &str) -> Game {
    let format = Format::detect(text).unwrap_or_else(|| panic!("{text}"));
    let mut games = read(text, format);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn kinds(game: &Game) -> Vec<NoticeKind> {
    game.notices.iter().map(|notice| notice.kind).collect()
}

fn last_comments(record: &Record) -> Vec<&str> {
    record.node(record.main_line().last().unwrap()).comments().collect()
}

/// The result of a game is the same after writing and reading it, in every format that has the ending.
fn check_round_trips(record: &Record) {
    for &format in Format::ALL {
        let (text, losses) = format.write(record);
        let again = read(&text, format).remove(0).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.record, format.project(record), "{text}");
        // A word of KIF and KI2 for draws is that for an impasse.
        if losses.endings == 0 || matches!(format, Format::Kif | Format::Ki2) {
            assert_eq!(again.record.result(), record.result(), "{format}\n{text}");
        }
        assert!(losses.endings == 0 || format != Format::Csa, "{text}");
    }
}

#[test]
fn the_server_decides_the_result() {
    use Ending::{
        DeclarationWin, Draw, Illegal, Impasse, MaxMoves, OpponentIllegal, Repetition, Resign, Suspended,
        TimeUp,
    };
    const CONTRADICTION: &[NoticeKind] = &[NoticeKind::ServerResult];
    for (lines, ending, outcome, notices) in [
        ("'summary:max_moves:A draw:B draw\n", MaxMoves, DRAW, &[][..]),
        ("'summary:sennichite:A draw:B draw\n", Repetition, DRAW, &[]),
        ("'summary:time up:A lose:B win\n", TimeUp, WHITE, &[]),
        ("'summary:time up:B win:A lose\n", TimeUp, WHITE, &[]),
        ("'summary:illegal move:A lose:B win\n", Illegal, WHITE, &[]),
        ("'summary:uchifuzume:A lose:B win\n", Illegal, WHITE, &[]),
        ("'summary:oute_kaihimore:A lose:B win\n", Illegal, WHITE, &[]),
        ("'summary:oute_sennichite:A lose:B win\n", Illegal, WHITE, &[]),
        ("'summary:oute_sennichite:A win:B lose\n", OpponentIllegal, BLACK, &[]),
        // The side that moved last lost on time, or its connection broke.
        ("'summary:time up:A win:B lose\n", OpponentIllegal, BLACK, &[]),
        ("%TORYO\n'summary:abnormal:A win:B lose\n", OpponentIllegal, BLACK, CONTRADICTION),
        ("%TORYO\n'summary:abnormal:A lose:B win\n", Resign, WHITE, &[]),
        ("%TORYO\nT5\n'summary:toryo:A lose:B win\n", Resign, WHITE, &[]),
        ("%KACHI\n'summary:kachi:A win:B lose\n", DeclarationWin, BLACK, &[]),
        ("%KACHI\nT3\n%KACHI\n'summary:kachi:A win:B lose\n", DeclarationWin, BLACK, &[]),
        ("%KACHI\n'summary:illegal kachi:A lose:B win\n", Illegal, WHITE, CONTRADICTION),
        ("%KACHI\n'summary:illegal_kachi:a lose:b win\n", Illegal, WHITE, CONTRADICTION),
        ("%KACHI\n#ILLEGAL_MOVE\n#LOSE\n", Illegal, WHITE, CONTRADICTION),
        ("%KACHI\n#JISHOGI\n#WIN\n", DeclarationWin, BLACK, &[]),
        ("%TORYO\n'summary:sennichite:A draw:B draw\n", Repetition, DRAW, CONTRADICTION),
        ("%TIME_UP\n'summary:time up:A lose:B win\n", TimeUp, WHITE, &[]),
        ("%SENNICHITE\n'summary:sennichite:A draw:B draw\n", Repetition, DRAW, &[]),
        ("%CHUDAN\n'summary:chudan:A censored:B censored\n", Suspended, None, &[]),
        ("'summary:chudan:A censored:B censored\n", Suspended, None, &[]),
        ("'summary:power failure:A draw:B draw\n", Draw, DRAW, &[]),
        ("'summary:power failure:A win:B lose\n", OpponentIllegal, BLACK, &[]),
        ("#TIME_UP\n#GOTE_WIN\n", TimeUp, WHITE, &[]),
        ("#RESIGN\n#GOTE_WIN\n", Resign, WHITE, &[]),
        ("%TORYO\n#RESIGN\n#GOTE_WIN\n", Resign, WHITE, &[]),
        ("#ILLEGAL_MOVE\n#SENTE_WIN\n", OpponentIllegal, BLACK, &[]),
        ("#OUTE_SENNICHITE\n#SENTE_WIN\n", OpponentIllegal, BLACK, &[]),
        ("#SENNICHITE\n#DRAW\n", Repetition, DRAW, &[]),
        ("#SENNICHITE\n", Repetition, DRAW, &[]),
        ("#MAX_MOVES\n#CENSORED\n", MaxMoves, DRAW, &[]),
        ("#JISHOGI\n#SENTE_WIN\n", DeclarationWin, BLACK, &[]),
        ("#JISHOGI\n#DRAW\n", Impasse, DRAW, &[]),
        ("#DRAW\n", Draw, DRAW, &[]),
        ("#SENTE_WIN\n", OpponentIllegal, BLACK, &[]),
        ("#DISCONNECT\n#GOTE_WIN\n", Resign, WHITE, &[]),
        ("%TORYO\n#SENTE_WIN\n", OpponentIllegal, BLACK, CONTRADICTION),
    ] {
        for text in
            [game_of("N+A\nN-B\n", lines), game_of("N+ A \r\nN-B\r\n", lines).replace('\n', "\r\n\r\n")]
        {
            let text = text.replace("\r\r", "\r");
            let game = only(&text);
            let record = &game.record;
            assert_eq!((record.ending(), record.result()), (Some(&ending), outcome), "{text}");
            assert_eq!(kinds(&game), notices, "{text}");
            assert_eq!(record.main_line().count(), 3, "{text}");
            check_round_trips(record);
        }
    }
}

#[test]
fn a_server_that_does_not_name_the_winner_is_understood_by_its_reason() {
    for players in ["", "N+same\nN-same\n", "N+other\nN-names\n"] {
        for (lines, outcome) in [
            ("'summary:time up:same lose:same win\n", WHITE),
            ("'summary:illegal move:same win:same lose\n", WHITE),
            ("%KACHI\n'summary:illegal kachi:same lose:same win\n", WHITE),
            ("%KACHI\n'summary:kachi:same win:same lose\n", BLACK),
            ("'summary:max_moves:same draw:same draw\n", DRAW),
            ("%TORYO\n'summary:toryo:same lose:same win\n", WHITE),
        ] {
            let text = game_of(players, lines);
            assert_eq!(only(&text).record.result(), outcome, "{text}");
        }
    }
    // Nobody knows who wrote this file.
    let game = only(&game_of("", "#WIN\n"));
    assert_eq!((game.record.result(), kinds(&game)), (None, vec![NoticeKind::KeptText]));
    // Black gives perpetual check: White is in check, or has just left it.
    let rows = "P1 *  *  *  * -OU *  *  *  * \n".to_owned()
        + &(2..9).map(|rank| format!("P{rank}\n")).collect::<String>()
        + "P9+HI *  *  * +OU *  *  *  * \n+\n";
    for moves in ["+9991RY\n", "+9991RY\n-5152OU\n"] {
        let text = format!("{rows}{moves}#OUTE_SENNICHITE\n");
        assert_eq!(only(&text).record.result(), WHITE, "{text}");
    }
}

#[test]
fn an_illegal_last_move_is_excused_by_the_server() {
    for (moves, comment) in [
        ("+0055FU\n", "反則手：+0055FU"),
        ("'ILLEGAL_MOVE(+0055FU)\n", "反則手：+0055FU"),
        ("'ILLEGAL_MOVE(+7775FU)\n", "反則手：+7775FU"),
    ] {
        let text = game_of("N+A\nN-B\n", &format!("{moves}'summary:illegal move:A lose:B win\n"));
        let game = only(&text);
        assert_eq!(game.record.ending(), Some(&Ending::Illegal));
        assert!(last_comments(&game.record).contains(&comment), "{text}");
    }
    // Only an illegal move is.
    let text = game_of("N+A\nN-B\n", "+0055FU\n'summary:toryo:A lose:B win\n");
    let error = read(&text, Format::Csa).remove(0).unwrap_err();
    assert_eq!((error.line, error.fault), (10, Fault::IllegalMove));
    // 81Dojo names the winner.
    let game = only(&game_of("", "+0055FU\nT3\n#ILLEGAL_MOVE\n#GOTE_WIN\n"));
    assert_eq!(game.record.result(), WHITE);
}

#[test]
fn tails_are_kept_as_comments() {
    const KEPT: &[NoticeKind] = &[NoticeKind::KeptText];
    for (lines, moves, comment, notices) in [
        ("+2726FU,'a word, and another\n", 3, "a word, and another", KEPT),
        ("+2726FU,T5,'a word\n", 3, "a word", KEPT),
        ("+2726FU, 'a word\n", 3, "a word", KEPT),
        ("+2726FU 'a word\n", 3, "a word", KEPT),
        ("+2726FU,'*a word\n", 3, "a word", KEPT),
        ("+2726FU,'** 35 -3334FU\n", 3, "* 35 -3334FU", KEPT),
        ("+2726FU,'v=0.5,8,2726FU,8\n", 3, "v=0.5,8,2726FU,8", &[]),
        ("+2726FU,T-600\n", 3, "T-600", KEPT),
        ("+2726FU\nT-600\n", 3, "T-600", KEPT),
        ("+2726FU\nT1:30\n", 3, "T1:30", KEPT),
        ("+2726FU (1:30)\n", 3, "(1:30)", KEPT),
        ("+2726FU\nrep_inf\n", 3, "rep_inf", KEPT),
        ("+2726FU\n#CHAT hello\n", 3, "#CHAT hello", KEPT),
        ("%KACHI,'* -5000 win\n", 3, " -5000 win", KEPT),
        ("%TORYO,'autousi,resign-th=0.1,v=0.05,8\n", 3, "autousi,resign-th=0.1,v=0.05,8", KEPT),
        ("%TORYO T5 \n", 3, "", &[]),
        ("%TORYO by hand\n", 3, "by hand", KEPT),
        ("%toryo\n", 3, "", &[]),
        ("+2726fu\n", 3, "", &[]),
        (" +2726FU\n", 3, "", &[]),
        ("%KACHI\nT1\n%KACHI\nT2\n", 3, "T2", KEPT),
        ("%TORYO\n%CHUDAN\n", 3, "%CHUDAN", KEPT),
        ("%TORYO\n%TIME_UP\n", 3, "%TIME_UP", KEPT),
    ] {
        let text = game_of("", lines);
        let game = only(&text);
        let record = &game.record;
        assert_eq!(record.main_line().count(), moves, "{text}");
        let comments: Vec<_> = if comment.is_empty() { vec![] } else { vec![comment] };
        assert_eq!(last_comments(record), comments, "{text}");
        assert_eq!(kinds(&game), notices, "{text}");
        check_round_trips(record);
    }
    // One notice for the comments of a game.
    let game = only(&game_of("", "+2726FU,'a\n-8384FU,'b\n"));
    assert_eq!(kinds(&game), [NoticeKind::KeptText]);
}

#[test]
fn what_may_be_a_move_is_not_a_tail() {
    for (lines, line, column, fault) in [
        ("+2726FU -8384FU\n", 9, 9, Fault::Syntax),
        ("+2726FU8384FU\n", 9, 8, Fault::Syntax),
        ("x2726FU\n", 9, 1, Fault::Syntax),
        ("2g2f\n", 9, 1, Fault::Syntax),
        ("▲２六歩\n", 9, 1, Fault::Syntax),
        ("#+2726FU\n", 9, 1, Fault::Syntax),
        ("%TORYO +2726FU\n", 9, 8, Fault::Syntax),
        ("%TORYO\n+2726FU\n", 10, 1, Fault::Order),
        ("+2725FU\n", 9, 1, Fault::IllegalMove),
        ("+2726XX\n", 9, 6, Fault::Syntax),
    ] {
        let text = game_of("", lines);
        let error = read(&text, Format::Csa).remove(0).expect_err(&text);
        assert_eq!((error.line - 1, error.column, error.fault), (line - 2, column, fault), "{text}");
    }
}

#[test]
fn games_without_a_separator_are_told_apart() {
    let even = "PI\n+\n+7776FU\nT1\n-3334FU\n%TORYO\n";
    for start in ["V2.2\nN+A\nN-B\n", "N+A\nN-B\n", "", "'a comment\nV2.2\n", "\n\nN+A\n"] {
        for separator in ["", "/\n", "\n", "  \n", "/\n/\n", "'between\n"] {
            let bad = format!("{start}{}", even.replace("-3334FU", "-3335FU"));
            let good = format!("{start}{even}");
            let text = [good.clone(), bad, good.clone(), good].join(separator);
            let games = read(&text, Format::Csa);
            let read: Vec<_> = games.iter().map(Result::is_ok).collect();
            assert_eq!(read, [true, false, true, true], "{text}");
            let error = games[1].as_ref().unwrap_err();
            let line = text.lines().position(|line| line.contains("-3335FU")).unwrap() as u32 + 1;
            assert_eq!((error.game, error.line), (Some(2), line), "{text}");
            for (game, number) in games.iter().flatten().zip([1, 3, 4]) {
                assert_eq!((game.number, game.record.main_line().count()), (number, 3), "{text}");
                assert_eq!(game.record.player(Color::Black), start.contains("N+A").then_some("A"));
            }
        }
    }
    // A fault in a position does not reach the next game, whose version line comes first.
    let text = format!("V2\nP1-KY-KE\nP2\n+\n+7776FU\nV2\n{even}");
    let games = read(&text, Format::Csa);
    assert_eq!((games.len(), games[0].is_err(), games[1].is_ok()), (2, true, true));
    // A game without a move.
    let games = read(&format!("V2\nPI\n+\nV2\n{even}"), Format::Csa);
    assert_eq!(
        games.iter().flatten().map(|game| game.record.main_line().count()).collect::<Vec<_>>(),
        [0, 3]
    );
    // The server's result belongs to the game before it.
    let summary = "N+A\nN-B\nPI\n+\n+7776FU\n'summary:time up:A win:B lose\n'$END_TIME:2020/01/01\n";
    let games = read(&format!("{summary}{summary}"), Format::Csa);
    let results: Vec<_> = games.iter().flatten().map(|game| game.record.result()).collect();
    assert_eq!(results, [BLACK, BLACK]);
}

#[test]
fn the_side_to_move_may_be_missing() {
    for (text, side, notices) in [
        ("PI\n+7776FU\n", Color::Black, vec![NoticeKind::NoSide]),
        ("PI82HI22KA\n-3334FU\n", Color::White, vec![NoticeKind::NoSide]),
        ("-3334FU,T1\n+7776FU\n", Color::White, vec![NoticeKind::NoSide, NoticeKind::NoPosition]),
        ("PI\n", Color::Black, vec![NoticeKind::NoSide]),
        ("PI82HI22KA\n%TORYO\n", Color::White, vec![NoticeKind::NoSide]),
        ("To_Move:-\nPI\n%CHUDAN\n", Color::White, vec![NoticeKind::NoSide]),
        ("To_Move:-\nPI\n+\n", Color::Black, vec![]),
    ] {
        let game = only(text);
        assert_eq!(game.record.initial().side_to_move(), side, "{text}");
        assert_eq!(kinds(&game), notices, "{text}");
    }
    let error = read("V2\nN+A\n", Format::Csa).remove(0).unwrap_err();
    assert!(error.to_string().contains("the side to move is missing"), "{error}");
}

#[test]
fn rows_of_the_board_may_leave_cells_blank() {
    let rows = |second: &str| {
        let row = |rank: usize, text: &str| format!("P{rank}{text}\n");
        let mut text = row(1, "-KY-KE-GI-KI-OU-KI-GI-KE-KY") + &row(2, second) + &row(3, &"-FU".repeat(9));
        for rank in 4..7 {
            text += &row(rank, "");
        }
        text + &row(7, &"+FU".repeat(9))
            + &row(8, "   +KA               +HI   ")
            + &row(9, "+KY+KE+GI+KI+OU+KI+GI+KE+KY.")
            + "+\n"
    };
    let even = sfen::parse("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1").unwrap().setup;
    for second in [
        " * -HI *  *  *  *  * -KA * ",
        " * -HI *  *  *  *  * -KA *",
        " * -HI *  *  *  *  * -KA *.",
        " * -HI *  *  *  *  * -KA * .",
        "   -HI               -KA   ",
        "   -HI               -KA",
        " . -HI    *     *  . -KA",
        "*-HI*****-KA*",
    ] {
        assert_eq!(only(&rows(second)).record.initial(), even, "{second}");
    }
    // The last cell is blank or a point.
    let first = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n";
    for end in ["   ", "   ,", "     ", " .", ".", " . ", "."] {
        let text = rows("*-HI*****-KA*").replace(first, &format!("P1-KY-KE-GI-KI-OU-KI-GI-KE{end}\n"));
        let mut setup = even;
        setup.clear(square::at(File::new(1).unwrap(), Rank::new(1).unwrap()));
        assert_eq!(only(&text).record.initial(), setup, "{text}");
    }
    for second in
        [" * -HI *  *  *  *  * -KA", "-HI-KA", " * -HI *  *  *  *  * -KA *  * ", "   -HI x", " * -HI *..."]
    {
        let error = read(&rows(second), Format::Csa).remove(0).unwrap_err();
        assert_eq!((error.line, error.fault.name()), (2, "BOARD_ROW"), "{second}");
    }
    // A part of a board needs no king.
    let text = "P+31KI33FU00KI\n+\n+0032KI\n";
    assert_eq!(only(text).record.main_line().count(), 1);
}

#[test]
fn headers_of_servers_are_kept() {
    let text = "V2\nN+ A b \nN-B:c\nTo_Move:+\nI+1249,840,x2|81WS\nI-*1154,392,x2|ADR\n$EVENT: x \nPI\n+\n\
        'rating:A:B\n'black_rate:A+0123:3977.0\n'white_rate:a:b:2875\n+7776FU\n'$END_TIME:2020/01/30\n$NOTE:n\n";
    let record = only(text).record;
    assert_eq!((record.player(Color::Black), record.player(Color::White)), (Some("A b"), Some("B:c")));
    assert_eq!((record.rating(Color::Black), record.rating(Color::White)), (Some(3977.0), Some(2875.0)));
    assert_eq!((record.event(), record.header_value("I-")), (Some("x"), Some("*1154,392,x2|ADR")));
    assert_eq!((record.date(), record.header_value("備考")), (Some("2020/01/30"), Some("n")));
    check_round_trips(&record);
    let dojo = "V2\nI+1249,840,x2|81WS\nI-*1154,392\nPI\n+\n";
    let record = only(dojo).record;
    assert_eq!((record.rating(Color::Black), record.rating(Color::White)), (Some(1249.0), Some(1154.0)));
    // Nothing that may be a move is a header.
    let error = read("V2\nN+A\n2: 7776FU\n", Format::Csa).remove(0).unwrap_err();
    assert_eq!((error.line, error.fault), (3, Fault::Syntax));
    let error = read("V2\nN+A\nMove:7776FU\n", Format::Csa).remove(0).unwrap_err();
    assert_eq!((error.line, error.fault), (3, Fault::Syntax));
}

#[test]
fn visits_of_a_search_are_candidates() {
    let text =
        "PI\n+\n+6978KI,'v=0.545,800,6978KI,500a,2726FU,300\n-3334FU,'v=0.455,r=0.4,800,3334FU,700\n%TORYO\n";
    let record = only(text).record;
    let first = record.node(record.main_line().next().unwrap());
    let found: Vec<_> =
        first.candidates(&State::start()).iter().map(|found| (found.mv.to_string(), found.visits)).collect();
    assert_eq!(found, [("6i7h".to_owned(), 500), ("2g2f".to_owned(), 300)]);
    let scores: Vec<_> = record
        .main_line()
        .zip([Color::Black, Color::White])
        .map(|(id, mover)| {
            record.node(id).scores().next().unwrap().for_side(mover, mover, Default::default()).0
        })
        .collect();
    assert_eq!(scores, [108, -108]);
    check_round_trips(&record);
}

#[test]
fn words_after_usi_moves_are_endings_or_comments() {
    for (words, ending, comment) in [
        ("resign", Some(Ending::Resign), ""),
        ("win", Some(Ending::DeclarationWin), ""),
        ("rep_draw", Some(Ending::Repetition), ""),
        ("draw", Some(Ending::Draw), ""),
        ("timeout", Some(Ending::TimeUp), ""),
        ("time_up", Some(Ending::TimeUp), ""),
        ("max_moves", Some(Ending::MaxMoves), ""),
        ("illegal", Some(Ending::Illegal), ""),
        ("rep_win", Some(Ending::OpponentIllegal), ""),
        ("rep_lose", Some(Ending::Illegal), ""),
        ("rep_inf", None, "rep_inf"),
        ("rep_sup  and more ", None, "rep_sup  and more"),
        ("resign win", Some(Ending::Resign), "win"),
        ("rep_inf resign", None, "rep_inf resign"),
        ("score cp 35", None, "score cp 35"),
    ] {
        let text = format!("position startpos moves 7g7f 3c3d {words}\n");
        let game = only(&text);
        assert_eq!(game.record.ending(), ending.as_ref(), "{text}");
        let comments: Vec<_> = if comment.is_empty() { vec![] } else { vec![comment] };
        assert_eq!(last_comments(&game.record), comments, "{text}");
        assert_eq!(kinds(&game).len(), comments.len(), "{text}");
        if comment.is_empty() {
            let (written, losses) = Format::Usi.write(&game.record);
            assert_eq!((losses.endings, &only(&written).record), (0, &game.record));
        }
    }
    for (words, column, fault) in [
        ("x 3c3d", 30, Fault::Syntax),
        ("7776FU 2g2f", 30, Fault::Syntax),
        ("P*5e", 30, Fault::IllegalMove),
        ("2g2f+x", 30, Fault::Syntax),
        ("resign 2g2f", 37, Fault::Order),
        ("2g2e resign", 30, Fault::IllegalMove),
    ] {
        let text = format!("startpos moves 7g7f 3c3d      {words}\n");
        let error = read(&text, Format::Usi).remove(0).expect_err(&text);
        assert_eq!((error.column - 1, error.fault), (column, fault), "{text}");
    }
    let game = only("startpos moves 7g7f 3c3d 2g2e illegal\n");
    assert_eq!(game.record.result(), WHITE);
    assert_eq!(last_comments(&game.record), ["反則手：2g2e"]);
}

#[test]
fn a_second_end_of_jkf_is_a_comment() {
    let text = |first: &str, second: &str| {
        format!(
            "{{\"header\":{{\"先手\":\" A \"}},\"moves\":[{{}},{{\"special\":\"{first}\"}},{{\"special\":\"{second}\"}}]}}"
        )
    };
    let game = only(&text("KACHI", "KACHI"));
    assert_eq!((game.record.result(), kinds(&game)), (BLACK, vec![]));
    assert_eq!(game.record.player(Color::Black), Some("A"));
    let game = only(&text("KACHI", "ILLEGAL_MOVE"));
    assert_eq!((game.record.result(), last_comments(&game.record)), (WHITE, vec!["KACHI"]));
    let game = only(&text("TORYO", "CHUDAN"));
    assert_eq!((game.record.result(), last_comments(&game.record)), (WHITE, vec!["CHUDAN"]));
}

#[test]
fn a_refused_declaration_does_not_win() {
    for lines in [
        "%KACHI\n'summary:illegal kachi\n",
        "%KACHI\n'summary:illegal kachi:\n",
        "%KACHI\n'summary:Illegal-Kachi\n",
        "%KACHI\n'summary:illegal kachi win\n",
        "%KACHI\n'ILLEGAL_MOVE(%KACHI)\n",
        "%KACHI\n'ILLEGAL_MOVE(%KACHI)\n'summary:illegal move:x win:y lose\n",
        "%KACHI\n'summary:illegal kachi:x win:y lose\n",
        "%KACHI\n'summary:illegal kachi:A win:B lose\n",
        "%KACHI\n%ILLEGAL_MOVE\n",
        "%KACHI\n%+ILLEGAL_ACTION\n",
        "%KACHI\n%KACHI\n%ILLEGAL_MOVE\n",
    ] {
        let text = game_of("N+A\nN-B\n", lines);
        let game = only(&text);
        assert_eq!((game.record.ending(), game.record.result()), (Some(&Ending::Illegal), WHITE), "{text}");
        assert!(!game.notices.is_empty(), "{text}");
        assert_eq!(last_comments(&game.record)[0], "%KACHI", "{text}");
    }
}

#[test]
fn summaries_without_results_or_with_other_names_are_read() {
    const NAMES: &[NoticeKind] = &[NoticeKind::ServerNames];
    for (lines, outcome, notices) in [
        ("'summary:max_moves\n", DRAW, &[][..]),
        ("'summary:sennichite\n", DRAW, &[]),
        ("'summary:time up\n", WHITE, &[]),
        ("%TORYO\n'summary:toryo\n", WHITE, &[]),
        // Nobody knows whose connection broke.
        ("'summary:abnormal\n", None, &[NoticeKind::KeptText]),
        ("%TORYO\n'summary:abnormal\n", WHITE, &[]),
        ("'summary:abnormal:A+1500 win:B+1600 lose\n", BLACK, NAMES),
        ("'summary:abnormal:A+1500 lose:B+1600 win\n", WHITE, NAMES),
        ("'summary:time up:x win:y lose\n", WHITE, NAMES),
        ("'summary:time up:a win:b lose\n", BLACK, &[]),
        ("'summary:time up:b win:a lose\n", WHITE, &[]),
        // No statement of a server.
        ("'summary:a good game\n", None, &[]),
    ] {
        let text = game_of("N+A\nN-B\n", lines);
        let game = only(&text);
        assert_eq!((game.record.result(), kinds(&game)), (outcome, notices.to_vec()), "{text}");
    }
    // The first of two results is read, and the other one is told.
    let game = only(&game_of("", "#TIME_UP\n#GOTE_WIN\n#SENTE_WIN\n"));
    assert_eq!((game.record.result(), kinds(&game)), (WHITE, vec![NoticeKind::KeptText]));
    assert_eq!((game.notices[0].line, game.notices[0].text.as_str()), (10, "#SENTE_WIN"));
}

#[test]
fn an_event_begins_a_game_only_before_a_position() {
    for lines in ["%TORYO\n$EVENT:y\n", "$EVENT:y\n%TORYO\n", "$EVENT:y\n'*x\n\n$SITE:z\n%TORYO\n"] {
        let text = format!("V2.2\n$EVENT:x\nPI\n+\n+7776FU\n-3334FU\n{lines}");
        let game = only(&text);
        assert_eq!((game.record.result(), game.record.main_line().count()), (WHITE, 3), "{text}");
        assert!(game.record.header().contains(&("棋戦".to_owned(), "y".to_owned())), "{text}");
    }
    for start in ["PI\n+\n", "N+A\nPI\n+\n", "$SITE:z\n'a\n\nPI\n+\n", "+\n"] {
        let game = format!("$EVENT:x\n{start}+7776FU\n-3334FU\n%TORYO\n");
        let games = read(&format!("V2.2\n{game}{game}{game}"), Format::Csa);
        assert_eq!((games.len(), games.iter().all(Result::is_ok)), (3, true), "{game}");
    }
}

#[test]
fn entries_after_an_ending_belong_to_the_game_below_them() {
    let site = ("場所".to_owned(), "z".to_owned());
    let end = ("終了日時".to_owned(), "t".to_owned());
    for entries in
        ["$SITE:z\n", "$START_TIME:s\n$SITE:z\n", "\n$OPENING:o\n'a\n$SITE:z\n", "$EVENT:e\n$SITE:z\n"]
    {
        for first in ["+7776FU", "+7775FU"] {
            let text = format!(
                "PI\n+\n{first}\n%TORYO\n$END_TIME:t\n{entries}N+C\nPI\n+\n+2726FU\n%TORYO\n$END_TIME:u\n"
            );
            let games = read(&text, Format::Csa);
            assert_eq!(games.len(), 2, "{text}");
            assert_eq!(games[0].is_ok(), first == "+7776FU", "{text}");
            if let Ok(game) = &games[0] {
                assert_eq!(game.record.header(), std::slice::from_ref(&end), "{text}");
            }
            let header = games[1].as_ref().unwrap().record.header();
            assert!(header.contains(&site) && !header.contains(&end), "{text}");
        }
    }
}

#[test]
fn a_pass_is_named() {
    for (lines, line, column) in [
        ("%PASS\n", 8, 1),
        ("%パス\n+2726FU\n", 8, 1),
        ("+PASS\n-8384FU\n", 8, 1),
        ("pass\n-8384FU\n", 8, 1),
        ("+2726FU,T1\nパス\n", 9, 1),
    ] {
        let error = read(&game_of("", lines), Format::Csa).remove(0).expect_err(lines);
        assert_eq!((error.line, error.column, error.fault), (line, column, Fault::Pass), "{lines}");
    }
    for words in ["pass", "PASS 2g2f", "パス", "pass resign"] {
        let text = format!("startpos moves 7g7f 3c3d {words}\n");
        let error = read(&text, Format::Usi).remove(0).expect_err(&text);
        assert_eq!((error.column, error.fault), (26, Fault::Pass), "{text}");
    }
    for name in ["パス", "PASS", "%PASS"] {
        let text = format!("{{\"moves\":[{{}},{{\"special\":\"{name}\"}}]}}");
        let error = read(&text, Format::Jkf).remove(0).expect_err(&text);
        assert_eq!((error.column, error.fault), (25, Fault::Pass), "{text}");
    }
}

#[test]
fn moves_of_any_notation_are_no_comment_of_usi() {
    for word in ["7G7F", "p*5E", "+7776FU", "7776fu", "７六歩", "▲７六歩", "76歩", "同歩", "(7g7f)"]
    {
        for before in ["", "2g2f ", "rep_inf "] {
            let text = format!("startpos moves {before}{word}\n");
            let error = read(&text, Format::Usi).remove(0).expect_err(&text);
            assert_eq!(error.fault, Fault::Syntax, "{text}");
        }
    }
}

#[test]
fn times_that_are_none_are_kept_out() {
    let game = only(&game_of("", "+2726FUT5\n"));
    let record = &game.record;
    let last = record.main_line().last().unwrap();
    assert_eq!((record.node(last).time().map(|time| time.seconds()), kinds(&game)), (Some(5), vec![]));
    let error = read(&game_of("", "+2726FUT1234FU\n"), Format::Csa).remove(0).unwrap_err();
    assert_eq!((error.column, error.fault), (8, Fault::Syntax));
    for (now, comment) in [
        ("{\"m\":0,\"s\":-600}", "T0:-600"),
        ("{\"h\":0,\"m\":-1,\"s\":5}", "T0:-1:5"),
        ("{\"s\":1e9}", "T1e9"),
    ] {
        let text = format!(
            "{{\"moves\":[{{}},{{\"move\":{{\"from\":{{\"x\":7,\"y\":7}},\"to\":{{\"x\":7,\"y\":6}},\"piece\":\"FU\"}},\"time\":{{\"now\":{now}}}}}]}}"
        );
        let game = only(&text);
        assert_eq!((kinds(&game), last_comments(&game.record)), (vec![NoticeKind::KeptText], vec![comment]));
    }
    let error =
        read("{\"moves\":[{},{\"special\":\"TORYO\",\"time\":{\"now\":{\"s\":\"1\"}}}]}", Format::Jkf);
    assert_eq!(error[0].as_ref().unwrap_err().fault, Fault::Field);
}

#[test]
fn a_missing_side_is_told_as_such() {
    for text in ["V2.2\n%TORYO\n", "V2.2\nT5\n", "V2.2\nN+A\n"] {
        let error = read(text, Format::Csa).remove(0).unwrap_err();
        assert!(error.to_string().contains("the side to move is missing"), "{error}");
    }
}

#[test]
fn a_rating_keeps_its_sign() {
    let record = only("PI\n+\n'black_rate:a:-120.5\n+7776FU\n").record;
    assert_eq!(record.rating(Color::Black), Some(-120.5));
    // Other programs read floodgate's comments, which name the player.
    let record = only("N+A\nPI\n+\n'black_rate:A+x:3512.0\n'white_rate:b:c:12\n+7776FU\n").record;
    let (csa, _) = Format::Csa.write(&record);
    assert!(csa.contains("\n'black_rate:A:3512.0\n'white_rate::12\n"), "{csa}");
    assert_eq!(only(&csa).record, record);
}

#[test]
fn presets_of_jkf_may_be_names_of_handicaps() {
    let text = |preset: &str| format!("{{\"initial\":{{\"preset\":\"{preset}\"}},\"moves\":[{{}}]}}");
    for (preset, sfen) in [
        ("裸玉", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ] {
        assert_eq!(only(&text(preset)).record.initial(), sfen::parse(sfen).unwrap().setup, "{preset}");
    }
    let error = read(&text("九枚落ち"), Format::Jkf).remove(0).unwrap_err();
    assert_eq!(error.fault, Fault::UnknownHandicap);
}

/// Without `from` it is the drop if the hand has such a piece, even where one on the board could go there.
#[test]
fn a_move_of_jkf_without_a_source_is_a_drop() {
    let setup = sfen::parse("4k4/9/9/9/9/9/9/9/3GK4 b G 1").unwrap().setup;
    let (start, _) = Format::Jkf.write(&Record::new(setup).unwrap());
    let after = |members: &str| {
        let moves =
            format!("{{\"move\":{{\"color\":0,\"to\":{{\"x\":6,\"y\":8}},\"piece\":\"KI\"{members}}}}}");
        let text = start.replace("\"moves\":[{}", &format!("\"moves\":[{{}},{moves}"));
        let record = only(&text).record;
        record.positions().nth(1).unwrap().1.setup().to_string()
    };
    assert_eq!(after(""), "4k4/9/9/9/9/9/9/3G5/3GK4 w -");
    assert_eq!(after(",\"relative\":\"H\""), after(""));
    assert_eq!(after(",\"relative\":\"U\""), "4k4/9/9/9/9/9/9/3G5/4K4 w G");
}
