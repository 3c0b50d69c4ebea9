//! The law of every format over random trees: read(write(record)) = project(record), for every format and every pair.

use komabako_board::{BaseKind, Color, Piece, PieceKind, Setup, square};
use komabako_kifu::handicap::{self, HANDICAPS};
use komabako_kifu::{Ending, Format, Games, Millis, NodeId, ReadOptions, Record, Step};
use komabako_rules::{MoveList, State};
use komabako_testkit::cases;

/// The number of trees.
const TREES: usize = 100_000;

/// A xorshift64* generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize].clone()
    }
}

/// Text that resembles the syntax of the formats.
const TEXTS: [&str; 24] = [
    "",
    "summary:time up:A lose:B win",
    "v=0.5,8,2726FU,8",
    "#SENTE_WIN",
    "感想",
    "* 123 +2726FU #45",
    "*評価値=12",
    "#評価値=-3",
    "&でもない",
    "変化：3手",
    "まで10手で先手の勝ち",
    "   1 ７六歩(77)",
    "▲７六歩",
    "'*x",
    "/",
    "%TORYO",
    "a\\nb \"c\" \\",
    "手合割：香落ち",
    "先手：甲",
    "  両端の空白　",
    "{\"moves\":[]}",
    "時間切れにて終局",
    "反則手にて終局",
    "７六歩(77)",
];

const KEYS: [&str; 41] = [
    "I+",
    "To_Move",
    "先手レート",
    "先手",
    "後手",
    "下手",
    "上手",
    "棋戦",
    "場所",
    "開始日時",
    "持ち時間",
    "備考",
    "戦型",
    "独自",
    "手合割",
    "a:b",
    "EVENT",
    "最大手数",
    "* x",
    // Distinctive lines of other formats.
    "N+foo",
    "V2.2",
    "PI",
    "P1",
    "PI82HI",
    "P+",
    "'CSA encoding=SHIFT_JIS",
    "+7776FU",
    "position startpos",
    "startpos moves",
    "{\"moves\"",
    "\t{",
    "1同",
    // Content in other spellings.
    "1.７六歩",
    "７六歩(77)",
    "先手の持ち駒",
    "持駒",
    "手番",
    "手合",
    "備考７六歩",
    "No.1",
    " 先手 ",
];

fn endings() -> Vec<Ending> {
    let mut endings = vec![
        Ending::Resign,
        Ending::Suspended,
        Ending::Sealed,
        Ending::Repetition,
        Ending::Impasse,
        Ending::Draw,
        Ending::MaxMoves,
        Ending::DeclarationWin,
        Ending::Mate,
        Ending::NoMate,
        Ending::TimeUp,
        Ending::Illegal,
        Ending::OpponentIllegal,
        Ending::WonByDefault,
        Ending::LostByDefault,
    ];
    for text in [
        "ERROR",
        "MATTA",
        "トライ",
        "先手の勝ち",
        "後手の反則負け",
        "先手の入玉勝ち",
        "後手の切断",
        "パス",
        "先手２六歩",
        "２六歩",
        "a b",
        "投了",
        // A known word and more, which KIF would read as that word.
        "封じ手|v香・",
        "投了。参りました",
        "[投了]",
        "(",
        "",
    ] {
        endings.push(Ending::Other(text.to_owned()));
    }
    endings
}

/// Even games, handicaps, and boards with pieces in the box and possibly without one king or both.
fn initial(random: &mut Random) -> Setup {
    if !random.one_in(3) {
        return random.pick(&HANDICAPS).setup();
    }
    if random.one_in(8) {
        let name = random.pick(&["裸玉", "トンボ", "歩三兵", "八枚得"]);
        return handicap::position(name).unwrap();
    }
    loop {
        let mut setup = Setup::EMPTY;
        for color in [Color::Black, Color::White] {
            if !random.one_in(4) {
                let square = square::from_index(random.below(81) as usize).unwrap();
                let _ = setup.place(square, Piece::new(PieceKind::King, color));
            }
            for kind in BaseKind::IN_HAND {
                let _ = setup.set_hand_count(color, kind, random.below(3) as u8);
            }
        }
        for _ in 0..random.below(20) {
            let kind = random.pick(&[
                PieceKind::Gold,
                PieceKind::Silver,
                PieceKind::ProSilver,
                PieceKind::ProPawn,
                PieceKind::Bishop,
                PieceKind::ProRook,
                PieceKind::Pawn,
            ]);
            let color = random.pick(&[Color::Black, Color::White]);
            let square = square::from_index(random.below(81) as usize).unwrap();
            let _ = setup.place(square, Piece::new(kind, color));
        }
        setup.set_side_to_move(random.pick(&[Color::Black, Color::White]));
        if Record::new(setup).is_ok() {
            return setup;
        }
    }
}

fn tree(random: &mut Random) -> Record {
    let mut record = Record::new(initial(random)).unwrap();
    for _ in 0..random.below(4) {
        let key = random.pick(&KEYS);
        let value = random.pick(&TEXTS);
        record.push_header(key, value);
    }
    if random.one_in(5) {
        record.set_first_ply(random.below(300) as u32);
    }
    let start = record.start();
    let state = record.initial_state().clone();
    let has_times = !random.one_in(4);
    let mut budget = random.below(14) as u32;
    grow(random, &mut record, start, state, 0, has_times, &mut budget);
    let start = record.start();
    text(random, &mut record, start);
    record
}

/// Grows a node: a main child and sometimes variations, up to five levels deep.
fn grow(
    random: &mut Random,
    record: &mut Record,
    at: NodeId,
    state: State<()>,
    depth: u32,
    has_times: bool,
    budget: &mut u32,
) {
    let children = if depth < 5 && random.one_in(3) { 1 + random.below(3) } else { 1 };
    for child in 0..children {
        if *budget == 0 {
            return;
        }
        *budget -= 1;
        let mut moves = MoveList::new();
        state.legal_moves(&mut moves);
        let moves: Vec<_> = moves.iter().copied().collect();
        let step = if moves.is_empty() || random.one_in(7) {
            Step::End(random.pick(&endings()))
        } else {
            Step::Move(random.pick(&moves))
        };
        let id = record.append(at, step.clone()).unwrap();
        if has_times && !random.one_in(8) {
            let millis = random.pick(&[0, 1000, 1500, 59_000, 60_000, 3_725_000, 1]);
            record.set_time(id, Some(Millis::new(millis)));
        }
        text(random, record, id);
        if let Step::Move(mv) = step {
            let mut after = state.clone();
            after.do_move(mv);
            grow(random, record, id, after, depth + u32::from(child > 0), has_times, budget);
        }
    }
}

fn text(random: &mut Random, record: &mut Record, id: NodeId) {
    if random.one_in(4) {
        for _ in 0..1 + random.below(2) {
            let comment = random.pick(&TEXTS);
            record.push_comment(id, comment);
        }
    }
    if random.one_in(12) {
        let bookmark = random.pick(&TEXTS);
        record.set_bookmark(id, bookmark);
    }
}

fn written_and_read(record: &Record, format: Format) -> Record {
    let (written, _) = format.write(record);
    let mut games = Games::new(&written, format, ReadOptions::default());
    let game = games.next().unwrap_or_else(|| panic!("{format}: nothing in\n{written}"));
    let game = game.unwrap_or_else(|error| panic!("{format}: {error}\n{written}\n{record:#?}"));
    assert!(games.next().is_none(), "{written}");
    game.record
}

#[test]
fn written_trees_read_back_as_their_projection() {
    for seed in 1..=cases::scaled(TREES) as u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let record = tree(&mut random);
        // Each tree tests one format and one pair; over all trees every pair occurs thousands of times.
        let first = random.pick(Format::ALL);
        let second = random.pick(Format::ALL);
        let read = written_and_read(&record, first);
        assert_eq!(read, first.project(&record), "{seed}: {first}\n{}", first.write(&record).0);
        assert_eq!(written_and_read(&read, first), read, "{seed}: {first}");
        let (text, losses) = first.write(&read);
        assert!(losses.is_empty(), "{seed}: {first} {losses:?}\n{text}");
        let both = written_and_read(&read, second);
        assert_eq!(both, second.project(&first.project(&record)), "{seed}: {first} to {second}");
        if record.main_line().count() > 0 {
            // KI2 without moves looks like the start of a KIF file.
            let is_bare = first == Format::Ki2 && !text.lines().any(|line| line.starts_with(['▲', '△']));
            let expected = if is_bare { Format::Kif } else { first };
            assert_eq!(Format::detect(&text), Some(expected), "{seed}\n{text}");
        }
    }
}

/// A file is recognised by its first distinctive line, which must not be an entry of the header.
#[test]
fn header_keys_that_look_like_another_format_are_dropped_and_counted() {
    for format in [Format::Kif, Format::Ki2] {
        for key in
            ["N+foo", "N-", "V2.2", "PI", "P1", "P+00", "'CSA", "+7776FU", "position startpos", "{a", " {"]
        {
            let mut record = Record::even();
            record.push_header(key, "v");
            record.push_header("棋戦", "名人戦");
            let first = record.append(record.start(), Step::Move("7g7f".parse().unwrap())).unwrap();
            record.append(first, Step::End(Ending::Resign)).unwrap();
            let (text, losses) = format.write(&record);
            assert_eq!(Format::detect(&text), Some(format), "{key}\n{text}");
            assert_eq!(losses.header, 1, "{key}");
            assert_eq!(written_and_read(&record, format), format.project(&record), "{key}");
        }
    }
    // A numbered move is distinctive of KIF only.
    let mut record = Record::even();
    record.push_header("1同", "v");
    assert!(Format::Kif.write(&record).1.is_empty());
    assert_eq!(Format::Ki2.write(&record).1.header, 1);
}

/// An entry that becomes like another one has lost what told them apart.
#[test]
fn an_entry_that_becomes_equal_to_another_is_a_loss() {
    let mut record = Record::even();
    record.push_header("棋戦", "名人戦\n第一局");
    let one_line = Format::Csa3.project(&record).header()[0].clone();
    record.push_header(&one_line.0, &one_line.1);
    assert_eq!(Format::Csa3.write(&record).1.header, 1, "{one_line:?}");
}

#[test]
fn what_hangs_on_dropped_variations_is_lost_with_them() {
    let text = "手合割：平手\n   1 ７六歩(77)\n*a\n   2 ３四歩(33)\n\n変化：2手\n   2 ８四歩(83) ( 0:05/)\n*b\n*c\n&d\n";
    let record = Games::new(text, Format::Kif, ReadOptions::default()).next().unwrap().unwrap().record;
    for (format, comments) in [(Format::Csa, 2), (Format::Usi, 3)] {
        let (_, losses) = format.write(&record);
        let counts = (losses.variation_nodes, losses.comments, losses.bookmarks, losses.times);
        assert_eq!(counts, (1, comments, 1, 1), "{format}");
    }
}

#[test]
fn deep_and_wide_trees_are_read_without_recursion() {
    // A main line of 1999 moves.
    let mut text = String::from("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n");
    for ply in 4..2000 {
        let moves = ["８四歩(83)", "２五歩(26)", "８五歩(84)", "４八金(49)"];
        let shuffle = ["４二金(41)", "４九金(48)", "４一金(42)", "４八金(49)"];
        let word = if ply < 8 { moves[ply - 4] } else { shuffle[ply % 4] };
        text.push_str(&format!("{ply:4} {word}\n"));
    }
    let record = Games::new(&text, Format::Kif, ReadOptions::default()).next().unwrap().unwrap().record;
    assert_eq!(record.main_line().count(), 1999);

    // 30,000 levels of JKF's forks, each of which replaces the preceding move.
    let entry = |from: u8, to: u8| {
        format!(
            "{{\"move\":{{\"color\":0,\"piece\":\"FU\",\"from\":{{\"x\":{from},\"y\":7}},\"to\":{{\"x\":{to},\"y\":6}}}}"
        )
    };
    let levels = 30_000;
    let mut text = String::from("{\"header\":{},\"moves\":[{},");
    for level in 0..levels {
        let file = (level % 9 + 1) as u8;
        text.push_str(&entry(file, file));
        text.push_str(",\"forks\":[[");
    }
    text.push_str(&entry(1, 1));
    text.push_str("}]]");
    for _ in 1..levels {
        text.push_str("}]]");
    }
    text.push_str("}]}");
    let record = Games::new(&text, Format::Jkf, ReadOptions::default()).next().unwrap().unwrap().record;
    assert_eq!(record.children(record.start()).count(), levels + 1);
    assert_eq!(written_and_read(&record, Format::Kif), record);
    assert_eq!(written_and_read(&record, Format::Jkf), record);
}

#[test]
fn hostile_inputs_give_an_error_or_a_result() {
    let read = |bytes: &[u8]| komabako_kifu::read(bytes, None);
    // Six megabytes of variations, all of which replace move 2, until there are too many nodes.
    let mut text = String::from("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
    while text.len() < 6 << 20 {
        text.push_str("\n変化：2手\n   2 ８四歩(83)\n");
    }
    let error = read(text.as_bytes()).unwrap_err();
    assert_eq!(error.fault.name(), "LIMIT");
    // A megabyte of forks, 10^5 levels deep, none of them closed.
    let text = String::from("{\"header\":{},\"moves\":[{},") + &"{\"forks\":[[".repeat(100_000);
    assert_eq!(read(text.as_bytes()).unwrap_err().fault.name(), "JSON");
    for bytes in [
        &b""[..],
        b"\xff",
        b"\x81",
        b"\xed\xa0\x80",
        b"{\"header\":{\"a\":\"\\ud800\"},\"moves\":[]}",
        b"{",
        "変化：1手".as_bytes(),
        "まで".as_bytes(),
        "|".as_bytes(),
        "   99999999999999999999 ７六歩(77)".as_bytes(),
        b"V2\nPI\n+\nT99999999999\n",
        b"P+00AL00AL\nP-00AL\n+\n",
        b"'*\n/\n/\n'\n",
        b"position sfen\n",
    ] {
        let _ = read(bytes);
    }
    // Every prefix of a file.
    for name in ["000.kif", "000.ki2u", "000.jkf", "044.csa", "038.kifu", "000.usi"] {
        let file = std::fs::read(format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        for length in (0..file.len()).step_by(7) {
            let _ = read(&file[..length]);
        }
    }
}
