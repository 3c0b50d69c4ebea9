//! The shared games read as equal records in every format, and canonical files are written back byte for byte.

use crate::common::{bytes, exists, games, text, truths};
use komabako_board::{Color, sfen};
use komabako_kifu::encoding::{Decoded, decode, encode};
use komabako_kifu::handicap::{self, HANDICAPS, Handicap};
use komabako_kifu::{
    Encoding, Fault, Format, Games, LineEnd, NoticeKind, ReadOptions, Record, ScoreView, Step,
};
use serde_json::Value;

/// The handicaps that tsshogi writes as diagrams and we write by name.
const DRAWN: [&str; 5] = ["三枚落ち", "五枚落ち", "左五枚落ち", "右七枚落ち", "左七枚落ち"];

#[test]
fn every_game_reads_the_same_in_every_format() {
    let mut compared = 0;
    for truth in truths() {
        for (suffix, format) in [
            (".kifu", Format::Kif),
            (".kif", Format::Kif),
            (".ki2u", Format::Ki2),
            (".ki2", Format::Ki2),
            (".csa", Format::Csa),
            ("_v3.csa", Format::Csa3),
            (".jkf", Format::Jkf),
        ] {
            let name = format!("{}{suffix}", truth.id);
            if !exists(&name) {
                continue;
            }
            let (detected, games) = games(&name);
            assert_eq!(detected, format, "{name}");
            let [game] = &games[..] else { panic!("{name}: {} games", games.len()) };
            assert_eq!(game.record, format.project(&truth.record), "{name}");
            assert_eq!(game.notices, [], "{name}");
            compared += 1;
        }
        // tsshogi writes no endings into USI text.
        let (_, games) = games(&format!("{}.usi", truth.id));
        let moves = |record: &Record| -> Vec<_> {
            record.main_line().filter_map(|id| record.node(id).as_move()).collect()
        };
        assert_eq!(moves(&games[0].record), moves(&truth.record), "{}", truth.id);
        assert_eq!(games[0].record.initial(), truth.record.initial(), "{}", truth.id);
    }
    assert!(compared > 140, "{compared}");
}

#[test]
fn canonical_files_survive_rewriting() {
    let mut compared = 0;
    for truth in truths() {
        for suffix in [".kifu", ".kif", ".ki2u", ".ki2", ".csa", "_v3.csa", ".usi"] {
            let name = format!("{}{suffix}", truth.id);
            if !exists(&name) {
                continue;
            }
            let (format, games) = games(&name);
            let (written, losses) = format.write(&games[0].record);
            assert!(losses.is_empty(), "{name}: {losses:?}");
            if DRAWN.contains(&truth.handicap.as_str()) && matches!(format, Format::Kif | Format::Ki2) {
                assert!(written.contains(&format!("手合割：{}\n", truth.handicap)), "{name}");
                let again = Games::new(&written, format, ReadOptions::default()).next().unwrap().unwrap();
                assert_eq!(again.record, games[0].record, "{name}");
                continue;
            }
            let (encoding, line_end) = match suffix {
                ".kif" | ".ki2" => (Encoding::Cp932, LineEnd::CrLf),
                _ => (Encoding::Utf8, LineEnd::Lf),
            };
            let encoded = encode(&written, encoding, line_end, None).unwrap().bytes;
            // The first line is from the program that wrote the file and is not part of the record.
            let file = bytes(&name);
            let start =
                if file.starts_with(b"#") { file.iter().position(|&b| b == b'\n').unwrap() + 1 } else { 0 };
            // CP932 has two codes for 髙: the script that made the files wrote NEC's (EEE0), Windows and we write IBM's (FBFC).
            let both = [&encoded[..], &file[start..]].map(|bytes| decode(bytes).unwrap().text.into_owned());
            assert_eq!(both[0], both[1], "{name}");
            if encoding == Encoding::Utf8 || !written.contains(['髙', '﨑']) {
                assert!(encoded == file[start..], "{name}");
            }
            compared += 1;
        }
    }
    assert!(compared > 140, "{compared}");
}

#[test]
fn jkf_output_equals_tsshogis_except_for_same() {
    fn without_same(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("same");
                members.values_mut().for_each(without_same);
            }
            Value::Array(elements) => elements.iter_mut().for_each(without_same),
            _ => {}
        }
    }
    for truth in truths() {
        let name = format!("{}.jkf", truth.id);
        if !exists(&name) {
            continue;
        }
        let (_, games) = games(&name);
        let (written, _) = Format::Jkf.write(&games[0].record);
        let mut ours: Value = serde_json::from_str(&written).unwrap();
        without_same(&mut ours);
        let mut theirs: Value = serde_json::from_str(&text(&name)).unwrap();
        if DRAWN.contains(&truth.handicap.as_str()) {
            let preset = Handicap::from_name(&truth.handicap).unwrap().preset;
            assert_eq!(ours["initial"]["preset"], preset);
            theirs["initial"] = ours["initial"].clone();
        }
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn handicaps_agree_with_the_table_and_round_trip_in_every_format() {
    let table: Value = serde_json::from_str(&text("handicaps.json")).unwrap();
    let table = table.as_object().unwrap();
    let named = table.values().filter(|entry| entry["jkf"].is_string()).count();
    assert_eq!(named, HANDICAPS.len());
    for (name, entry) in table {
        let setup = sfen::parse(entry["sfen"].as_str().unwrap()).unwrap().setup;
        assert_eq!(handicap::position(name), Some(setup), "{name}");
        let Some(preset) = entry["jkf"].as_str() else {
            assert!(Handicap::of_setup(&setup).is_none_or(|written| written.name != name));
            continue;
        };
        let handicap = Handicap::from_name(name).unwrap();
        assert_eq!(handicap.preset, preset);
        assert_eq!(handicap.setup(), setup, "{name}");
        let record = Record::new(setup).unwrap();
        for &format in Format::ALL {
            let (written, losses) = format.write(&record);
            assert!(losses.is_empty());
            // Without moves KI2 cannot be distinguished from KIF.
            let detected = if format == Format::Ki2 { Format::Kif } else { format };
            assert_eq!(Format::detect(&written), Some(detected), "{name}: {written}");
            let read = Games::new(&written, format, ReadOptions::default()).next().unwrap().unwrap();
            assert_eq!(read.record, record, "{name} {format}");
            assert_eq!(read.notices, [], "{name} {format}");
        }
        for (format, word) in
            [(Format::Kif, name.as_str()), (Format::Ki2, name), (Format::Jkf, handicap.preset)]
        {
            assert!(format.write(&record).0.contains(word), "{name} {format}");
        }
    }
}

#[test]
fn short_names_of_handicaps_are_read() {
    for (name, known) in [
        ("香", "香落ち"),
        ("左香落", "香落ち"),
        ("右香", "右香落ち"),
        ("角", "角落ち"),
        ("飛", "飛車落ち"),
        ("飛落ち", "飛車落ち"),
        ("飛香", "飛香落ち"),
        ("二枚", "二枚落ち"),
        ("2枚落ち", "二枚落ち"),
        ("８枚落", "八枚落ち"),
        ("10枚落ち", "十枚落ち"),
        ("七枚落ち", "右七枚落ち"),
        (" 六枚 落ち　", "六枚落ち"),
        ("トンボ+香", "トンボ＋香"),
        ("飛車角落ち", "二枚落ち"),
    ] {
        assert_eq!(handicap::position(name), handicap::position(known), "{name}");
        assert!(handicap::position(name).is_some(), "{name}");
    }
    for name in ["九枚落ち", "", "詰将棋", "平", "手"] {
        assert_eq!(handicap::position(name), None, "{name}");
    }
    // A diagram needs no known name.
    let text = format!(
        "手合割：詰将棋\n{}先手の持駒：金\n",
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n".to_owned() + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8)
    );
    let games = komabako_kifu::read(text.as_bytes(), None).unwrap();
    assert_eq!(games[0].record.initial().to_string(), "4k4/9/9/9/9/9/9/9/9 b G");
    let error = komabako_kifu::read("手合割：八枚おち落ち\n".as_bytes(), None).unwrap_err();
    assert!(error.with_advice().to_string().contains("八枚落ち"), "{error}");
}

#[test]
fn edge_files_give_the_expected_results() {
    let expected: Value = serde_json::from_str(&text("edge/expected.json")).unwrap();
    for case in expected.as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let name = format!("edge/{file}");
        let text = text(&name);
        let format = Format::detect(&text).unwrap_or_else(|| panic!("{name}"));
        let result = Games::new(&text, format, ReadOptions::default()).next().unwrap();
        if case["ok"] == false {
            let error = result.expect_err(file);
            let found = (u64::from(error.line), u64::from(error.column), error.fault.name());
            let wanted = (case["line"].as_u64(), case["column"].as_u64(), case["fault"].as_str());
            assert_eq!((Some(found.0), Some(found.1), Some(found.2)), wanted, "{name}: {error}");
            continue;
        }
        let record = result.unwrap_or_else(|error| panic!("{name}: {error}")).record;
        let sfen = sfen::Sfen { setup: record.initial(), ply: Some(record.first_ply()) }.to_string();
        assert_eq!(sfen, case["sfen"].as_str().unwrap(), "{name}");
        let moves: Vec<_> =
            record.main_line().filter_map(|id| record.node(id).as_move()).map(|mv| mv.to_string()).collect();
        assert_eq!(moves.join(" "), case["moves"].as_str().unwrap(), "{name}");
        let end = record.main_line().last().map(|id| record.node(id).step().clone());
        let end = match end {
            Some(Step::End(ending)) => ending.csa(Color::Black).unwrap().into_owned(),
            _ => "-".to_owned(),
        };
        assert_eq!(end, case["end"].as_str().unwrap(), "{name}");
        let forks = (record.lines().count() as u64).saturating_sub(1);
        assert_eq!(forks, case["forks"].as_u64().unwrap(), "{name}");
    }
}

#[test]
fn edge_files_match_their_notes() {
    let (_, games) = games("edge/two_games.csa");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].record.main_line().count(), 3);
    assert_eq!(games[1].line, 8);

    let (format, games) = crate::common::games("edge/v3.csa");
    assert_eq!(format, Format::Csa3);
    let record = &games[0].record;
    let times: Vec<_> = record.main_line().map(|id| record.node(id).time().unwrap().get()).collect();
    assert_eq!(times, [1500, 12_000, 1]);
    let mut side = Color::White;
    let scores: Vec<_> = record
        .main_line()
        .flat_map(|id| record.node(id).scores().collect::<Vec<_>>())
        .map(|score| {
            side = komabako_board::color::opponent(side);
            score.for_side(Color::Black, side, ScoreView::Black).0
        })
        .collect();
    assert_eq!(scores, [35, -40]);

    let (_, games) = crate::common::games("edge/bom_crlf.kifu");
    let record = &games[0].record;
    let first = record.main_line().next().unwrap();
    assert_eq!(record.node(first).comments().collect::<Vec<_>>(), ["一行目", "", "三行目"]);
    let second = record.main_line().nth(1).unwrap();
    assert_eq!(record.node(second).bookmark(), Some("しおり"));

    let (_, games) = crate::common::games("edge/position.bod");
    let record = &games[0].record;
    assert_eq!(record.node(record.start()).comments().collect::<Vec<_>>(), ["▲６二角成"]);

    let file = bytes("edge/bad_utf8.kifu");
    let notices = &komabako_kifu::read(&file, Some("kifu")).unwrap()[0].notices;
    assert_eq!(notices.iter().map(|notice| notice.kind).collect::<Vec<_>>(), [NoticeKind::Extension]);
    let decoded: Decoded<'_> = decode(&file).unwrap();
    assert_eq!(decoded.encoding, Encoding::Cp932);
}

#[test]
fn floodgate_scores_equal_the_table() {
    let table = text("floodgate.tsv");
    let mut rows = table.lines().skip(1).peekable();
    for index in 0..4 {
        let name = format!("floodgate_{index}.csa");
        let (_, games) = games(&name);
        let record = &games[0].record;
        let mut walk = record.walk();
        while let Some(id) = walk.next() {
            let Some(mv) = record.node(id).as_move() else { continue };
            let row: Vec<_> = rows.next().unwrap().split('\t').collect();
            let ply = record.node(id).ply();
            let setup = walk.state().setup();
            assert_eq!(row[..2], [name.as_str(), &ply.to_string()]);
            assert_eq!(row[2], format!("{setup} {ply}"));
            assert_eq!(row[3], mv.to_string());
            let side = setup.side_to_move();
            let score = record
                .node(id)
                .scores()
                .last()
                .map(|score| score.for_side(side, side, ScoreView::Black).0.to_string());
            let wanted = row[4].parse::<i64>().ok().map(|score| score.clamp(-32_000, 32_000).to_string());
            assert_eq!(score, wanted, "{name} {ply}");
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn faults_have_lines_and_columns() {
    for (text, line, column, fault) in [
        ("手合割：その他\n", 1, 5, Fault::Handicap),
        ("後手の持駒：飛三\n手合割：平手\n   1 ７六歩(77)\n", 1, 7, Fault::Hand),
        ("後手の持駒：犬\n", 1, 7, Fault::Hand),
        ("手合割：平手\n   1 ７六歩(77)\n手合割：平手\n", 3, 1, Fault::Order),
        ("手合割：平手\n   1 投了\n   2 ７六歩(77)\n", 3, 6, Fault::Order),
        ("手合割：平手\n   1 ７六犬(77)\n", 2, 8, Fault::Syntax),
        ("手合割：平手\n   1 ７六歩(77) ▲２六歩\n", 2, 14, Fault::Syntax),
        ("手合割：平手\n   1 パス\n", 2, 6, Fault::Pass),
        ("手合割：九枚落ち\n", 1, 5, Fault::UnknownHandicap),
        ("持駒：飛\n手合割：平手\n", 1, 4, Fault::Syntax),
        ("手合割：平手\n手番：不明\n", 2, 4, Fault::Syntax),
        ("手合割：平手\n   1 ７六歩(77)：備考\n   2 △３四歩：備考 ▲２六歩\n", 3, 14, Fault::Syntax),
        ("手合割：平手\n   1 同　歩(77)\n", 2, 6, Fault::IllegalMove),
        ("▲７六歩 ▲２六歩\n", 1, 6, Fault::Side),
        (
            "▲７六歩 △３四歩 ▲５八金\n",
            1,
            11,
            Fault::Ambiguous("4i5h".parse().unwrap(), "6i5h".parse().unwrap()),
        ),
        ("PI\n+\n+7776FU,T3,-3335FU\n", 3, 12, Fault::IllegalMove),
        ("V2\nN+A\nN-B\n", 3, 4, Fault::Side),
        ("PI\n+\n+7776XX\n", 3, 6, Fault::Syntax),
        ("PI\n+\nPI\n+7776FU\n", 3, 1, Fault::Order),
        ("P1-KY-KE-GI-KI-OU-KI-GI-KE\n+\n", 1, 27, Fault::BoardRow),
        ("PI\nP+00OU\n+\n", 2, 3, Fault::Hand),
        ("startpos moves 7g7f 7c7e\n", 1, 21, Fault::IllegalMove),
        ("startpos moves 7g7f x 3c3d\n", 1, 21, Fault::Syntax),
        ("{\"header\":{},\"moves\":[{},{\"move\":{\"piece\":\"XX\"}}]}", 1, 43, Fault::Field),
        ("手合割：平手\nNo.1：７六歩(77)\nNo.2：３四歩(33)\n", 2, 6, Fault::Syntax),
        ("{\"header\":{},\"initial\":{\"preset\":\"9\"},\"moves\":[{}]}", 1, 34, Fault::UnknownHandicap),
        ("{\"header\":{},\n\"moves\":[{},]}", 2, 13, Fault::Json),
    ] {
        let format = Format::detect(text).unwrap_or_else(|| panic!("{text}"));
        let error = Games::new(text, format, ReadOptions::default()).next().unwrap().expect_err(text);
        assert_eq!((error.line, error.column, error.fault), (line, column, fault), "{text}");
        assert!(error.to_string().starts_with(&format!("line {line}, column {column}: ")));
    }
}

#[test]
fn lenient_reading_keeps_the_moves_before_the_fault() {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    for (text, format) in [
        ("   1 ７六歩(77)\n   2 ３四歩(34)\n   3 ２六歩(27)\n", Format::Kif),
        ("▲７六歩 △３五歩 ▲２六歩\n", Format::Ki2),
        ("PI\n+\n+7776FU\n-3335FU\n+2726FU\n", Format::Csa),
        ("startpos moves 7g7f 3c3e 2g2f\n", Format::Usi),
    ] {
        assert!(Games::new(text, format, ReadOptions::default()).next().unwrap().is_err());
        let game = Games::new(text, format, options).next().unwrap().unwrap();
        assert_eq!(game.record.main_line().count(), 1, "{text}");
        assert_eq!(game.stopped.unwrap().fault, Fault::IllegalMove, "{text}");
    }
}

#[test]
fn only_a_foul_ending_excuses_an_illegal_move() {
    for (text, format) in [
        ("手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n   3 反則勝ち\n", Format::Kif),
        ("▲７六歩 △３五歩\nまで2手で先手の反則勝ち\n", Format::Ki2),
        ("PI\n+\n+7776FU\n-3335FU\n%-ILLEGAL_ACTION\n", Format::Csa),
    ] {
        let game = Games::new(text, format, ReadOptions::default()).next().unwrap().unwrap();
        let record = game.record;
        assert_eq!(record.result(), Some(komabako_kifu::Outcome::Win(Color::Black)), "{text}");
        assert_eq!(record.main_line().count(), 2, "{text}");
        let last = record.main_line().last().unwrap();
        assert!(
            record.node(last).comments().next().is_some_and(|line| line.starts_with("反則手：")),
            "{text}"
        );
        assert_eq!(game.notices[0].kind, NoticeKind::IllegalMove);
        for other in ["   3 投了\n", ""] {
            let text = format!("手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n{other}");
            let error = Games::new(&text, Format::Kif, ReadOptions::default()).next().unwrap().unwrap_err();
            assert_eq!((error.line, error.fault), (3, Fault::IllegalMove));
        }
    }
}

#[test]
fn fast_and_general_readers_agree_on_csa_lines() {
    for truth in truths() {
        let plain = text(&format!("{}.csa", truth.id));
        // A trailing blank is meaningless, but bypasses the fast path for plain lines.
        let is_plain = |line: &str| line.starts_with(['+', '-', 'T']) && line.len() > 1;
        for line_end in ["\n", "\r\n"] {
            let join = |blank: &str| {
                let lines = plain
                    .lines()
                    .map(|line| format!("{line}{}{line_end}", if is_plain(line) { blank } else { "" }));
                lines.collect::<String>()
            };
            let read = |text: &str| {
                let games =
                    Games::new(text, Format::Csa, ReadOptions::default()).collect::<Result<Vec<_>, _>>();
                games.unwrap_or_else(|error| panic!("{}: {error}", truth.id))
            };
            let records = read(&join(""));
            assert_eq!(records, read(&join(" ")), "{}", truth.id);
            let statements = join("").replace(&format!("{line_end}T"), ",T");
            assert_eq!(records[0].record, read(&statements)[0].record, "{}", truth.id);
        }
    }
}

#[test]
fn remaining_pieces_may_be_in_one_hand() {
    let text = "後手の持駒：残り\n\
        |v王 ・ ・ ・ ・ ・ ・ ・ ・|一\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ 金 ・ ・ ・ ・ ・ ・ ・|三\n";
    let text = text.to_owned() + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6) + "先手の持駒：金\n";
    let game = komabako_kifu::read(text.as_bytes(), Some("kifu")).unwrap().remove(0);
    let setup = "k8/9/1G7/9/9/9/9/9/9 b G2r2b2g4s4n4l18p";
    assert_eq!(game.record.initial().to_string(), setup);
    let both = text.replace("先手の持駒：金", "先手の持駒：残り");
    let error = komabako_kifu::read(both.as_bytes(), Some("kifu")).unwrap_err();
    assert_eq!(error.fault.name(), "HAND");
}
