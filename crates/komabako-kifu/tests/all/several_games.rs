//! Several games in one KIF or KI2 text: each is read, and a fault loses only its own game.

use komabako_kifu::{Fault, Format, Game, Games, KifuError, ReadOptions, Record};
use komabako_testkit::cases;

use crate::common::{exists, text, truths};

fn read(text: &str, format: Format) -> Vec<Result<Game, KifuError>> {
    Games::new(text, format, ReadOptions::default()).collect()
}

/// The shared games in a format: text and record.
fn files(suffix: &str, format: Format) -> Vec<(String, Record)> {
    let names = truths().into_iter().map(|truth| format!("{}{suffix}", truth.id)).filter(|name| exists(name));
    let files = names.map(|name| text(&name)).map(|text| {
        let game = read(&text, format).remove(0).unwrap();
        (text, game.record)
    });
    files.filter(|(text, _)| text.len() < 10_000).collect()
}

#[test]
fn joined_games_are_read_one_by_one_and_a_fault_loses_one() {
    let mut state = 1_u64;
    let mut random = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % limit
    };
    for (suffix, format, faulty_move) in
        [(".kifu", Format::Kif, "\n   1 ５五歩(54)"), (".ki2u", Format::Ki2, "\n▲５五金")]
    {
        let files = files(suffix, format);
        assert!(files.len() > 20);
        for _ in 0..cases::scaled(3000) {
            let chosen: Vec<_> = (0..2 + random(4)).map(|_| &files[random(files.len())]).collect();
            let fault = random(2 * chosen.len());
            let separator = ["\n", "\n\n\n", "\r\n\r\n"][random(3)];
            let mut joined = String::new();
            for (index, (text, _)) in chosen.iter().enumerate() {
                let last = joined.len();
                joined.push_str(text.trim_end());
                joined.push('\n');
                joined.push_str(separator);
                if index == fault {
                    // The first move is wrong.
                    let first = if format == Format::Kif { "\n   1 " } else { "\n▲" };
                    let at = joined[last..].find(first).or(joined[last..].find("\n△")).unwrap() + last;
                    joined.insert_str(at, faulty_move);
                }
            }
            let games = read(&joined, format);
            assert_eq!(games.len(), chosen.len(), "{fault}\n{joined}");
            for (index, (game, (_, record))) in games.iter().zip(&chosen).enumerate() {
                let number = index as u32 + 1;
                match game {
                    Ok(game) => {
                        assert_ne!(index, fault);
                        assert_eq!(game.record, *record, "{index}\n{joined}");
                        assert_eq!(game.number, number);
                    }
                    Err(error) => {
                        assert_eq!((index, error.game), (fault, Some(number)), "{error}\n{joined}");
                        assert!(error.to_string().starts_with(&format!("game {number}, line ")));
                    }
                }
            }
        }
    }
}

#[test]
fn a_game_begins_only_where_one_can_begin() {
    let one = "   1 ７六歩(77)\n   2 ３四歩(33)\n";
    for (text, games) in [
        // Blank lines within a game, and a variation from move 1.
        (
            "手合割：平手\n\n   1 ７六歩(77)\n\n   2 ３四歩(33)\n\n変化：1手\n\n   1 ２六歩(27)\n".to_owned(),
            1,
        ),
        (format!("手合割：平手\n{one}\n消費時間：10分\n   3 投了\n"), 1),
        (format!("{one}\n{one}"), 2),
        (format!("{one}   3 投了\n{one}"), 2),
        (format!("{one}まで2手で中断\n手合割：平手\n{one}"), 2),
        (format!("{one}\n手合割：平手\n{one}"), 2),
        (format!("{one}\n作品番号：12\n備考：x\n先手：A\n{one}"), 2),
        (format!("{one}\n#KIF version=2.0 encoding=UTF-8\n{one}"), 2),
        (format!("{one}\n手数----指手---------消費時間--\n{one}"), 2),
        (format!("{one}\n後手の持駒：なし\n{one}"), 2),
        // Games without moves.
        ("手合割：平手\n先手：A\n手数----指手---\n\n手合割：平手\n先手：B\n手数----指手---\n".to_owned(), 2),
        ("先手：A\n後手：B\n\n棋戦：C\n手合割：平手\n".to_owned(), 1),
        ("▲７六歩\n\n△３四歩\nまで2手で中断\n\n▲２六歩\n".to_owned(), 2),
        ("▲７六歩\n\n△３四歩\n\n変化：2手\n△８四歩\n".to_owned(), 1),
    ] {
        let format = Format::detect(&text).unwrap();
        let found = read(&text, format);
        assert_eq!(found.len(), games, "{text}{found:?}");
        assert!(found.iter().all(Result::is_ok), "{text}{found:?}");
        assert!(found.iter().flatten().all(|game| game.stopped.is_none()));
    }
    // Without a gap it is a fault of the one game.
    for (text, fault) in
        [(format!("{one}手合割：平手\n"), Fault::Order), (format!("{one}{one}"), Fault::MoveNumber)]
    {
        let found = read(&text, Format::Kif);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].as_ref().map_err(|error| (error.fault, error.game)),
            Err((fault, None)).as_ref().map_err(|e| *e)
        );
    }
}

#[test]
fn faults_in_header_and_diagram_lose_one_game() {
    let good = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    for bad in [
        "手合割：九枚落ち\n先手：A\n\n   1 ４二玉(51)\n   2 投了\n",
        "手合割：九枚落ち\n",
        "後手の持駒：犬\n|v玉|\n手数＝3\n",
        "後手の持駒：なし\n| ・ ・ ・ ・ ・ ・ ・v玉 ・|一\n| ・ ・\n先手の持駒：なし\n",
        "先手：A\n手合割：平手\n   1 ７六歩(76)\n   2 ３四歩(33)\n変化：1手\n   1 ２六歩(27)\n\n変化：2手\n   2 ３五歩(33)\n",
        "先手：A\n   1 ７六歩(77)\n   2 パス\n   3 ２六歩(27)\n",
    ] {
        let text = format!("{good}\n{bad}\n{good}");
        let games = read(&text, Format::Kif);
        let faulty: Vec<_> =
            games.iter().map(|game| game.as_ref().err().and_then(|error| error.game)).collect();
        assert_eq!(faulty, [None, Some(2), None], "{text}{games:?}");
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let games: Vec<_> = Games::new(&text, Format::Kif, lenient).collect();
        assert_eq!(games.len(), 3, "{text}");
        let numbers = |game: &Game| (game.number, game.stopped.as_ref().and_then(|error| error.game));
        let second = games[1].as_ref().map_or_else(|error| (2, error.game), numbers);
        assert_eq!(second, (2, Some(2)), "{text}");
        // A single game needs no number.
        assert_eq!(read(bad, Format::Kif)[0].as_ref().unwrap_err().game, None, "{bad}");
    }
}

/// Problems without moves: what stands above a position is of its game, whatever its key is.
#[test]
fn entries_belong_to_the_position_after_them() {
    let board = "後手の持駒：残り\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
        .to_owned()
        + &"二三四五六七八九"
            .chars()
            .map(|rank| format!("| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n"))
            .collect::<String>()
        + "+---------------------------+\n先手の持駒：金二\n";
    for position in [&board[..], "手合割：平手\n手数----指手---------消費時間--\n"] {
        let problem = |name: &str| format!("作品名：{name}\n作者：X\n詰手数：3手詰\n{position}");
        let games = read(&format!("{}\n{}\n{}", problem("甲"), problem("乙"), problem("丙")), Format::Kif);
        let headers = games.iter().map(|game| game.as_ref().unwrap().record.header());
        let expected = |name: &str| {
            [("作品名", name), ("作者", "X"), ("詰手数", "3手詰")]
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
        };
        assert_eq!(headers.collect::<Vec<_>>(), [expected("甲"), expected("乙"), expected("丙")]);
    }
    // A file of KI2 may end with a move; joined with another, it does not continue it.
    let record = read("手合割：平手\n   1 ７六歩(77)\n", Format::Kif).remove(0).unwrap().record;
    let (ki2, _) = Format::Ki2.write(&record);
    assert_eq!(read(&format!("{ki2}\n\n{ki2}"), Format::Ki2).len(), 2);
    let error = read(&format!("{ki2}{ki2}"), Format::Ki2).remove(0).unwrap_err();
    assert_eq!((error.line, error.fault), (2, Fault::Syntax));
}

/// Of games without moves, too, each keeps its own position.
#[test]
fn joined_games_keep_their_positions() {
    let games = [
        "startpos",
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2G 1",
        "sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
        "startpos moves 2g2f",
        "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d resign",
    ];
    let records: Vec<_> =
        games.iter().map(|game| read(game, Format::Usi).remove(0).unwrap().record).collect();
    let count = records.len();
    let names = |name: &str| format!("先手：{name}\n後手：b\n");
    for (format, separators) in [(Format::Kif, &["", "\n", "\n\n"][..]), (Format::Ki2, &["\n\n"])] {
        let files: Vec<_> = records.iter().map(|record| format.write(record).0).collect();
        for chosen in 0..count.pow(3) {
            let chosen = [chosen % count, chosen / count % count, chosen / count.pow(2)];
            for separator in separators {
                for named in 0..4 {
                    let name = |index: usize| match named {
                        0 => String::new(),
                        1 => names("a"),
                        2 => names(&index.to_string()),
                        _ => format!("作品番号：{index}\n"),
                    };
                    let texts = chosen.iter().enumerate();
                    let texts =
                        texts.map(|(index, &file)| format!("{}{}{separator}", name(index), files[file]));
                    let joined: String = texts.collect();
                    let found = read(&joined, format);
                    let found: Vec<_> =
                        found.iter().map(|game| game.as_ref().unwrap().record.initial()).collect();
                    assert_eq!(found, chosen.map(|file| records[file].initial()), "{joined}");
                }
            }
        }
    }
}

#[test]
fn comments_above_a_header_belong_to_the_game_below_them() {
    let first = "手合割：平手\n先手：A\n   1 ７六歩(77)\n   2 投了\n";
    let second = "先手：C\n手合割：平手\n   1 ２六歩(27)\n   2 投了\n";
    for (between, above, below) in [
        ("まで1手で先手の勝ち\n\n*x\n*y\n", &[][..], &["x", "y"][..]),
        ("\n\n*x\n", &[], &["x"]),
        ("*a\n\n*x\n", &["a"], &["x"]),
        // Not directly above it, or not after a blank line.
        ("\n*a\n\n", &["a"], &[]),
        ("*a\n", &["a"], &[]),
    ] {
        for fault in ["", "   1 ７五歩(77)\n"] {
            let text = format!("{fault}{first}{between}{second}");
            let games = read(&text, Format::Kif);
            assert_eq!(games.len(), 2, "{text}");
            let comments = |game: &Game| {
                let record = &game.record;
                let nodes = std::iter::once(record.start()).chain(record.main_line());
                nodes.flat_map(|id| record.node(id).comments().map(str::to_owned)).collect::<Vec<_>>()
            };
            assert_eq!(games[0].is_ok(), fault.is_empty(), "{text}");
            if let Ok(game) = &games[0] {
                assert_eq!(comments(game), above, "{text}");
            }
            assert_eq!(comments(games[1].as_ref().unwrap()), below, "{text}");
        }
    }
    // The end of the text.
    let games = read(&format!("{first}\n*a\n"), Format::Kif);
    assert_eq!(games.len(), 1);
}

#[test]
fn a_long_header_takes_time_in_proportion() {
    let entries =
        |key: &str, count: usize| (0..count).map(|at| format!("{key}{at}：{at}\n")).collect::<String>();
    for header in [
        format!("\n{}", entries("鍵", 100_000)),
        format!("{}\n{}", entries("鍵", 50_000), "先手：a\n".repeat(50_000)),
    ] {
        let found = read(&format!("{header}手合割：平手\n   1 ７六歩(77)\n"), Format::Kif);
        let record = &found[0].as_ref().unwrap().record;
        assert_eq!((found.len(), record.header().len()), (1, 100_000));
        for format in [Format::Jkf, Format::Csa, Format::Ki2] {
            let _ = format.write(record);
        }
    }
}

/// Each of the files may begin with a byte order mark, which is no part of a header's key.
#[test]
fn files_with_byte_order_marks_are_joined() {
    for (game, key) in [
        ("手合割：香落ち\n先手：A\n   1 ３四歩(33)\n   2 投了\n\n", "手合割"),
        ("先手：A\n手合割：香落ち\n△３四歩\nまで1手で上手の勝ち\n\n", "先手"),
        ("N+A\nPI11KY\n-\n-3334FU\n%TORYO\n", "N+"),
        ("V2.2\nN+A\nPI11KY\n-\n-3334FU\n%TORYO\n/\n", "V2.2"),
        ("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d resign\n", "lnsg"),
    ] {
        let single = read(game, Format::detect(game).unwrap()).remove(0).unwrap().record;
        assert!(game.starts_with(key) && single.plies() == 1);
        for mark in ["\u{feff}", "\u{200b}", "\u{feff}\u{feff}"] {
            let text = format!("{mark}{game}").repeat(3);
            let games = read(&text, Format::detect(&text).unwrap());
            assert_eq!(games.len(), 3, "{text}");
            for game in games {
                assert_eq!(game.unwrap().record, single, "{text}");
            }
        }
    }
}
