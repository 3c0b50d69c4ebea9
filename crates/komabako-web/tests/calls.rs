//! The calls of the contract, made as the page makes them: JSON in, JSON out.

use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_8};
use komabako::board::Color;
use komabako::board::sfen::Sfen;
use komabako::kifu::handicap::similar_names;
use komabako::kifu::{self, KifuError, ReadOptions};
use komabako::variants::WordFormat;
use komabako_testkit::setups;
use komabako_web::{Answer, Module};
use serde_json::{Value, json};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The answer to a call, `ok` or `error`.
fn call_raw(name: &str, request: Value, raw: &[u8]) -> Value {
    let Answer { json, .. } = Module::default().call(json!({ name: request }).to_string().as_bytes(), raw);
    serde_json::from_slice(&json).unwrap()
}

fn call(name: &str, request: Value) -> Value {
    call_raw(name, request, b"")
}

#[track_caller]
fn ok(name: &str, request: Value) -> Value {
    let answer = call(name, request);
    assert!(answer.get("error").is_none(), "{name}: {answer}");
    answer["ok"].clone()
}

#[track_caller]
fn parse(text: &str) -> Value {
    call_raw("parse", json!({}), text.as_bytes())
}

/// The answer to a file that the page decodes, if it is not UTF-8.
fn parse_file(bytes: &[u8]) -> Value {
    let answer = call_raw("parse", json!({}), bytes);
    if answer["error"]["name"] != "UNDECODED" {
        return answer;
    }
    let lines = |tables: &'static encoding_rs::Encoding| {
        let text = tables.decode_without_bom_handling(bytes).0.replace("\r\n", "\n");
        text.split(['\n', '\r']).map(str::to_owned).collect::<Vec<_>>()
    };
    call_raw("parse", json!({ "cp932": lines(SHIFT_JIS), "eucJp": lines(EUC_JP) }), bytes)
}

/// The names of Black and the places of the faults in a file, as the program reads it.
fn read_by_the_program(bytes: &[u8]) -> (Vec<Value>, Vec<Value>) {
    let place = |error: KifuError| json!([error.fault.name(), error.line, error.column]);
    let opened = match kifu::open(bytes, None) {
        Ok(opened) => opened,
        Err(error) => return (Vec::new(), vec![place(error)]),
    };
    let mut names = Vec::new();
    let mut faults = Vec::new();
    for game in opened.games(ReadOptions::default()) {
        match game {
            Ok(game) => names.push(json!(game.record.player(Color::Black))),
            Err(error) => faults.push(place(error)),
        }
    }
    (names, faults)
}

#[test]
fn files_in_several_encodings_are_read_as_by_the_program() {
    let game = |name: &str| format!("V2.2\nN+{name}\nPI\n+\n+7776FU\n'*{name}\r\n%TORYO\n/\r");
    let encodings = [UTF_8, SHIFT_JIS, EUC_JP];
    let mut files = vec!["V2.2\nN+あ\nPI\n+\n+7776FU\n'*?\n%TORYO\n".replace('?', "\0").into_bytes()];
    for names in [["山田", "ｶﾝﾀ"], ["鈴木 大介", "é ①"]] {
        for one in encodings {
            for other in encodings {
                let texts = names.map(game);
                let games = [one.encode(&texts[0]).0, other.encode(&texts[1]).0];
                files.push(games.concat());
            }
        }
    }
    let mut faults_seen = 0;
    for file in files {
        // Each byte is damaged in turn, in the last turn none.
        for at in 0..=file.len() {
            let mut file = file.clone();
            if let Some(byte) = file.get_mut(at) {
                *byte = if at % 2 == 0 { 0xff } else { 0x8f };
            }
            let (names, faults) = read_by_the_program(&file);
            let answer = parse_file(&file);
            let place = |fault: &Value| json!([fault["name"], fault["line"], fault["column"]]);
            if names.is_empty() {
                assert_eq!(place(&answer["error"]), faults[0], "{}", file.escape_ascii());
                continue;
            }
            let header = |game: &Value| {
                let mut entries = game["header"].as_array().unwrap().iter();
                entries.find(|entry| entry[0] == "先手").map_or(Value::Null, |entry| entry[1].clone())
            };
            let games = answer["ok"]["games"].as_array().unwrap_or_else(|| panic!("{answer}"));
            assert_eq!(games.iter().map(header).collect::<Vec<_>>(), names, "{}", file.escape_ascii());
            let found = answer["ok"]["faults"].as_array().unwrap();
            assert_eq!(found.iter().map(place).collect::<Vec<_>>(), faults, "{}", file.escape_ascii());
            faults_seen += faults.len();
        }
    }
    assert!(faults_seen > 100, "{faults_seen}");
}

#[test]
fn unknown_members_of_a_request_are_refused() {
    let answer = call("moves", json!({ "sfen": START, "move": ["7g7f"] }));
    assert_eq!(answer["error"]["name"], "REQUEST");
    assert!(answer["error"]["sentence"]["en"].as_str().unwrap().contains("`move`"), "{answer}");
}

#[test]
fn malformed_requests_are_answered() {
    for bytes in [&b""[..], b"{", b"[]", b"null", b"{\"unheard\": {}}", b"{\"position\": {}}", b"\xff"] {
        let answer: Value = serde_json::from_slice(&Module::default().call(bytes, b"\xff").json).unwrap();
        assert_eq!(answer["error"]["name"], "REQUEST", "{answer}");
    }
}

#[test]
fn every_call_is_in_the_contract() {
    let contract = include_str!("../../../web/src/module.ts");
    let version = ok("version", json!({}));
    for name in version["calls"].as_array().unwrap() {
        assert!(contract.contains(&format!("  {}: [", name.as_str().unwrap())), "{name}");
    }
}

#[test]
fn sfen_of_every_setup_is_a_position() {
    for setup in setups::random(37).take(300) {
        let sfen = Sfen { setup, ply: Some(67) }.to_string();
        for before in ["", "sfen ", "position sfen "] {
            let answer = parse(&format!("{before}{sfen}"));
            assert_eq!(answer["ok"], json!({ "kind": "position", "sfen": sfen }));
        }
    }
    let moves =
        parse("2g2gs1l/l1s6/3k2+Bpn/1p1p4p/p1P6/2S2sPP1/PP1Gnp2P/L2RK3L/1N2G2N1 w 2P4p 67 moves 4a4b");
    assert_eq!(moves["ok"]["games"][0]["nodes"][1]["usi"], "4a4b");
    // A faulty position is reported as one.
    assert_eq!(parse("2g2gs1l/l1s6/9/9/9/9/9/9/8 w - 1")["error"]["name"], "SFEN");
}

#[test]
fn the_contract_lists_every_word_format() {
    let contract = include_str!("../../../web/src/module.ts");
    let quoted: Vec<String> = WordFormat::ALL.iter().map(|format| format!("'{format}'")).collect();
    assert!(contract.contains(&format!("export type WordFormat = {};", quoted.join(" | "))));
    assert!(contract.contains(&format!("[] = [{}];", quoted.join(", "))));
    let words = ok("words", json!({ "sfen": START }));
    let named: Vec<&str> =
        words.as_array().unwrap().iter().map(|word| word["format"].as_str().unwrap()).collect();
    assert_eq!(named, WordFormat::ALL.iter().map(|format| format.name()).collect::<Vec<_>>());
}

#[test]
fn content_determines_the_format_of_text() {
    assert_eq!(parse("startpos")["ok"], json!({ "kind": "position", "sfen": START }));
    assert_eq!(parse("9/9/9/9/9/9/9/9/9 w - 1")["ok"]["sfen"], "9/9/9/9/9/9/9/9/9 w - 1");
    let usi = parse("position startpos moves 7g7f 3c3d");
    assert_eq!(usi["ok"]["games"][0]["nodes"][2]["japanese"], "△3四歩");
    let kif = parse("手合割：平手\n   1 ７六歩(77)   ( 0:16/00:00:16)\n*コメント\n   2 投了\n");
    let nodes = &kif["ok"]["games"][0]["nodes"];
    assert_eq!(
        nodes[1],
        json!({ "parent": 0, "usi": "7g7f", "csa": "+7776FU", "japanese": "▲7六歩",
        "comments": ["コメント"], "time": 16000 })
    );
    assert_eq!(nodes[2], json!({ "parent": 1, "end": "投了" }));
    assert_eq!(parse("V2.2\nPI\n+\n+7776FU\n")["ok"]["format"], "csa");
    assert_eq!(parse("手合割：平手\n▲７六歩 △３四歩\n")["ok"]["format"], "ki2");
    assert_eq!(parse("{\"header\":{},\"moves\":[{}]}")["ok"]["format"], "jkf");
    let bod = ok("bod", json!({ "sfen": START }));
    let read = parse(bod["text"].as_str().unwrap());
    assert_eq!(read["ok"]["games"][0]["initial"], START);
}

#[test]
fn one_bad_game_of_several_is_named_and_the_others_are_read() {
    let good = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    let answer = parse(&format!("{good}\n手合割：九枚落ち\n   1 ４二玉(51)\n\n{good}"));
    assert_eq!(answer["ok"]["games"].as_array().unwrap().len(), 2, "{answer}");
    let fault = &answer["ok"]["faults"][0];
    assert_eq!(
        (&fault["name"], &fault["game"], &fault["line"]),
        (&json!("UNKNOWN_HANDICAP"), &json!(2), &json!(5))
    );
    let sentence = &fault["sentence"];
    let names = similar_names("九枚落ち");
    assert!(sentence["en"].as_str().unwrap().contains(&names.join(", ")), "{sentence}");
    assert!(sentence["ja"].as_str().unwrap().contains(&names.join("、")), "{sentence}");
    let rows = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    let nifu =
        format!("{rows}| 歩 ・ ・ ・ ・ ・ ・ ・ ・|\n| 歩 ・ ・ ・ ・ ・ ・ ・ ・|\n{}", rows.repeat(6));
    let error = &parse(&nifu)["error"];
    assert_eq!(error["name"], "SETUP");
    let sentence = error["sentence"]["ja"].as_str().unwrap();
    assert!(
        sentence.ends_with("この局面からは指せません: 先手が 9 筋で二歩。局面を直してください"),
        "{sentence}"
    );
    let euc = parse_file(b"N+\xb7\xe3\xbb\xd8\nPI\n+\n+7776FU\n");
    assert_eq!(euc["ok"]["encoding"], "euc-jp");
    assert_eq!(euc["ok"]["games"][0]["notices"][0]["name"], "ENCODING");
}

#[test]
fn reading_ends_after_the_games_that_are_asked_for() {
    let games = |kinds: &str| {
        let game = |kind| if kind == 'b' { "PI\n+\n+7775FU\n/\n" } else { "PI\n+\n+7776FU\n/\n" };
        kinds.chars().map(game).collect::<String>()
    };
    // g: a good game, b: a bad one; then the games and the faults of the answer.
    for (kinds, found, faults) in [("ggg", 2, 0), ("gbbbgb", 2, 2), ("bg", 1, 1)] {
        let answer = &call_raw("parse", json!({ "limit": 2 }), games(kinds).as_bytes())["ok"];
        assert_eq!(answer["games"].as_array().unwrap().len(), found, "{kinds}");
        assert_eq!(answer["faults"].as_array().unwrap().len(), faults, "{kinds}");
    }
}

#[test]
fn a_file_of_another_kind_is_named() {
    let answer = parse("[Sente \"A\"]\n[Gote \"B\"]\n1.P7g-7f\n");
    assert_eq!(answer["error"]["name"], "UNSUPPORTED");
    for lang in ["en", "ja"] {
        assert!(answer["error"]["sentence"][lang].as_str().unwrap().contains("PSN"), "{answer}");
    }
}

#[test]
fn links_to_lishogi_are_read() {
    let sfen = "3gk4/4+P4/9/9/9/9/9/9/9 b G2r17p 1";
    for path in [
        "editor/3gk4/4%2BP4/9/9/9/9/9/9/9_b_G2r17p_1",
        "analysis/standard/3gk4/4+P4/9/9/9/9/9/9/9_b_G2r17p_1",
    ] {
        let answer = parse(&format!("https://lishogi.org/{path}?x=1"));
        assert_eq!(answer["ok"]["sfen"], sfen, "{path}: {answer}");
    }
}

#[test]
fn text_faults_have_place_and_name() {
    let error = parse("lnsgkgsnl/1r5b1/pppppppppp/9/9/9/9/9/9 b - 1")["error"].clone();
    assert_eq!(error["name"], "SFEN");
    assert_eq!(
        error["sentence"],
        json!({ "en": "column 26: rank c has more than nine squares",
                "ja": "26 桁目: 3 段目が 9 マスを超えています (ここは `p`)" })
    );
    assert_eq!((&error["line"], &error["column"]), (&json!(1), &json!(26)));
    let error = parse("手合割：平手\n   1 ７五歩(77)\n")["error"].clone();
    assert_eq!(
        (&error["name"], &error["line"], &error["column"]),
        (&json!("ILLEGAL_MOVE"), &json!(2), &json!(6))
    );
    assert_eq!(parse("  \n")["error"]["name"], "EMPTY");
    assert_eq!(parse("hello there")["error"]["name"], "SYNTAX");
    assert_eq!(parse("58a451220ceb672258a451220ceb6722ff")["error"]["name"], "WORD_SIZE");
}

#[test]
fn positions_are_described_with_all_their_faults() {
    let start = ok("position", json!({ "sfen": START }));
    assert_eq!((&start["handicap"], &start["playable"]), (&json!("平手"), &json!(true)));
    let nifu = ok("position", json!({ "sfen": "4k4/9/9/9/9/9/4P4/4P4/n8 b - 1" }));
    let names: Vec<_> =
        nifu["faults"].as_array().unwrap().iter().map(|fault| fault["name"].clone()).collect();
    assert_eq!(names, ["KING_MISSING", "NIFU", "DEAD_END"]);
    assert_eq!(nifu["faults"][1]["sentence"]["en"], "Black has unpromoted pawns on 5g and 5h of one file");
    assert_eq!(nifu["faults"][1]["sentence"]["ja"], "先手が 5 筋で二歩");
    assert_eq!(nifu["playable"], false);
    let tsume = ok("position", json!({ "sfen": "4k4/9/4P4/9/9/9/9/9/9 b G 1" }));
    assert_eq!(tsume["faults"][0]["sentence"]["ja"], "先手の玉がない");
    assert_eq!(tsume["playable"], true);
    let check = ok("position", json!({ "sfen": "4k4/4P4/9/9/9/9/9/9/4K4 b - 1" }));
    assert_eq!(
        (&check["faults"][0]["name"], &check["playable"]),
        (&json!("OPPONENT_IN_CHECK"), &json!(false))
    );
    let handicaps = ok("handicaps", json!({}));
    assert_eq!(handicaps.as_array().unwrap().len(), 16);
}

#[test]
fn every_format_reads_its_word_back() {
    let handicaps = ok("handicaps", json!({}));
    let sfens = handicaps.as_array().unwrap().iter().map(|handicap| handicap["sfen"].as_str().unwrap());
    for sfen in sfens.chain(["9/9/9/9/9/9/9/9/9 w -", "4k4/9/9/9/9/9/9/9/9 b 2R"]) {
        let words = ok("words", json!({ "sfen": sfen, "payload": 5 }));
        let mut held = 0;
        for word in words.as_array().unwrap() {
            let format = &word["format"];
            let Some(hex) = word["hex"].as_str() else {
                assert!(["KING_MISSING", "PIECE_REMOVED"].contains(&word["error"]["name"].as_str().unwrap()));
                continue;
            };
            held += 1;
            let decoded = ok("decode", json!({ "format": format, "hex": hex }));
            let board = |text: &str| text.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(board(decoded["sfen"].as_str().unwrap()), board(sfen), "{format}");
            assert_eq!(decoded["word"], *word, "{format}");
        }
        assert!(held >= 3, "{sfen}");
        assert_eq!(words[5]["payload"], 5);
        assert!(words[6]["rank"]["number"].as_str().unwrap().len() > 50);
    }
}

#[test]
fn refused_word_is_explained_with_its_fault() {
    let words = ok("words", json!({ "sfen": START }));
    // The king code of Black, bits 1 to 7 of PSV, becomes 127.
    let hex = words[1]["hex"].as_str().unwrap();
    let first = u8::from_str_radix(&hex[..2], 16).unwrap() | 0xfe;
    let decoded = ok("decode", json!({ "format": "psv", "hex": format!("{first:02x}{}", &hex[2..]) }));
    assert_eq!(decoded["sfen"], Value::Null);
    let error = &decoded["error"];
    assert_eq!(
        (&error["name"], &error["bit"], &error["sentence"]["ja"]),
        (
            &json!("KING_CODE"),
            &json!(1),
            &json!("玉の位置が盤のマスではありません (フィールド kings、ビット 1、KING_CODE)")
        )
    );
    assert!(decoded["word"]["fields"].as_array().unwrap().len() > 3);
    assert_eq!(call("decode", json!({ "format": "psv", "hex": "00" }))["error"]["name"], "WORD_SIZE");
    assert_eq!(call("decode", json!({ "format": "psv", "hex": "0g" }))["error"]["name"], "HEX_DIGIT");
    // All formats with words of 32 bytes.
    assert_eq!(parse(hex)["ok"]["words"].as_array().unwrap().len(), 6);
    assert_eq!(parse(hex)["ok"]["words"][1]["error"], Value::Null);
}

#[test]
fn legal_moves_have_all_notations() {
    let answer = ok("moves", json!({ "sfen": START }));
    assert_eq!(answer["moves"].as_array().unwrap().len(), 30);
    let answer = ok("moves", json!({ "sfen": START, "moves": ["7g7f", "3c3d"] }));
    let take = answer["moves"].as_array().unwrap().iter().find(|mv| mv["usi"] == "8h2b+").unwrap();
    assert_eq!(
        *take,
        json!({ "usi": "8h2b+", "csa": "+8822UM", "japanese": "▲2二角成", "from": "8h", "to": "2b",
        "drop": null, "promotes": true, "captures": true, "check": false })
    );
    let mate = ok("moves", json!({ "sfen": "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1" }));
    assert_eq!(
        (&mate["standing"]["over"], &mate["standing"]["checkers"]),
        (&json!("checkmate"), &json!(["5b"]))
    );
}

#[test]
fn play_returns_positions_and_repetition() {
    let round = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let moves: Vec<_> = (0..12).map(|index| round[index % 4]).collect();
    let line = ok("play", json!({ "sfen": START, "moves": moves }));
    assert_eq!(line["standing"]["repetition"], json!({ "draw": true }));
    assert_eq!(line["standing"]["occurrences"], 4);
    assert_eq!(line["moves"][0]["sfen"], "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL w - 2");
    let error = call("play", json!({ "sfen": START, "moves": ["7g7f", "2b8h"] }))["error"].clone();
    assert_eq!(
        (&error["name"], &error["index"], &error["usi"]),
        (&json!("MOVE_UNREACHABLE"), &json!(1), &json!("2b8h"))
    );
    let error = call("moves", json!({ "sfen": "9/9/9/9/9/9/9/9/9 b - 1" }))["error"].clone();
    assert_eq!(error["name"], "POSITION");
}

#[test]
fn moves_are_read_in_every_notation() {
    for text in ["3c3d", "-3334FU", "３四歩(33)", "△3四歩", "３四歩"] {
        let answer = ok("readMove", json!({ "sfen": START, "moves": ["7g7f"], "text": text }));
        assert_eq!(answer["usi"], "3c3d", "{text}");
    }
    let error = call("readMove", json!({ "sfen": START, "text": "▲5八金" }))["error"].clone();
    assert_eq!(error["name"], "MOVE_AMBIGUOUS");
    assert_eq!(error["sentence"]["ja"], "4i5h と 6i5h のどちらか決まりません");
}

#[test]
fn games_with_variations_are_written_and_read_back() {
    let game = json!({
        "header": [["先手", "甲"]],
        "initial": START,
        "firstPly": 1,
        "nodes": [
            { "parent": null, "comments": ["はじめ"] },
            { "parent": 0, "usi": "7g7f", "time": 5000 },
            { "parent": 1, "usi": "3c3d", "comments": ["*評価値=12"] },
            { "parent": 1, "usi": "8c8d" },
            { "parent": 3, "end": "投了" },
        ],
    });
    let kif = ok("writeGame", json!({ "game": game, "format": "kif" }));
    assert_eq!(kif["losses"], json!({}));
    let read = parse(kif["text"].as_str().unwrap())["ok"]["games"][0].clone();
    assert_eq!(read["nodes"][2]["score"], json!({ "about": "before", "number": 12 }));
    assert_eq!(read["nodes"][4], json!({ "parent": 3, "end": "投了" }));
    assert_eq!(ok("writeGame", json!({ "game": read, "format": "kif" })), kif);
    let usi = ok("writeGame", json!({ "game": game, "format": "usi" }));
    assert_eq!(usi["text"], "position startpos moves 7g7f 3c3d\n");
    assert_eq!(usi["losses"]["variation_nodes"], 2);
    let bad = json!({ "header": [], "initial": START, "firstPly": 1, "nodes": [{ "parent": null }, { "parent": 0, "usi": "7g7e" }] });
    let error = call("writeGame", json!({ "game": bad, "format": "kif" }))["error"].clone();
    assert_eq!((&error["name"], &error["index"]), (&json!("MOVE_UNREACHABLE"), &json!(1)));
    for nodes in [
        json!([{ "parent": 0 }]),
        json!([{ "parent": null }, { "parent": 5, "usi": "7g7f" }]),
        json!([{ "parent": null }, { "parent": 0 }]),
    ] {
        let game = json!({ "header": [], "initial": START, "firstPly": 1, "nodes": nodes });
        assert_eq!(call("writeGame", json!({ "game": game, "format": "kif" }))["error"]["name"], "NODE");
    }
}

/// A module that keeps its state over several calls.
struct Running(Module);

impl Running {
    #[track_caller]
    fn ok(&mut self, name: &str, request: Value) -> Value {
        let answer = self.0.call(json!({ name: request }).to_string().as_bytes(), b"");
        let answer: Value = serde_json::from_slice(&answer.json).unwrap();
        assert!(answer.get("error").is_none(), "{name}: {answer}");
        answer["ok"].clone()
    }
}

#[test]
fn perft_counts_in_steps() {
    for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25470)] {
        let mut module = Running(Module::default());
        let started = module.ok("perft", json!({ "sfen": START, "depth": depth }));
        let mut steps = 0;
        let end = loop {
            steps += 1;
            let step = module.ok("perftStep", json!({ "nodes": 500 }));
            if step["done"] == true {
                break step;
            }
            assert!(step["counts"].as_array().unwrap().len() < 30);
        };
        assert_eq!(end["nodes"], nodes, "depth {depth}");
        if depth > 0 {
            assert_eq!(end["counts"].as_array().unwrap().len(), started["roots"].as_array().unwrap().len());
        }
        assert_eq!(steps > 10, depth == 3);
    }
    let error = call("perft", json!({ "sfen": START, "depth": 30 }))["error"].clone();
    assert_eq!(error["name"], "PERFT_TOO_DEEP");
    assert_eq!(call("perftStep", json!({ "nodes": 1 }))["error"]["name"], "NOT_COUNTING");
}

#[test]
fn solver_finds_mate_in_steps_and_shows_its_tree() {
    let mut module = Running(Module::default());
    let request = json!({ "sfen": "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1", "goal": "shortest", "hideUseless": true, "memory": 4 });
    let started = module.ok("solve", request.clone());
    assert_eq!((&started["attacker"], &started["complement"]), (&json!("black"), &json!(true)));
    let outcome = loop {
        let step = module.ok("solveStep", json!({ "nodes": 50 }));
        if step["state"] == "done" {
            break step["outcome"].clone();
        }
        assert!(step["progress"]["nodes"].as_u64().unwrap() > 0);
    };
    let verdict = &outcome["verdict"];
    assert_eq!(
        (&verdict["is"], &verdict["length"], &verdict["exact"], &verdict["lineComplete"]),
        (&json!("mate"), &json!(3), &json!(true), &json!(true))
    );
    assert_eq!(verdict["line"][0]["usi"], "9f5b+");
    let checks = module.ok("solveChildren", json!({ "path": [], "nodes": 100_000 }));
    assert_eq!(
        (&checks[0]["usi"], &checks[0]["status"], &checks[0]["length"]),
        (&json!("9f5b+"), &json!("mate"), &json!(3))
    );
    let replies = module.ok("solveChildren", json!({ "path": ["9f5b+"], "nodes": 100_000 }));
    assert_eq!((&replies[0]["usi"], &replies[0]["length"]), (&json!("4a5b"), &json!(2)));
    let ends = module.ok("solveChildren", json!({ "path": ["9f5b+", "4a5b", "S*4b"], "nodes": 100_000 }));
    assert_eq!(ends, json!([]));
    // The next search reuses the memory of this one.
    module.ok("solve", request);
    let stopped = module.ok("solveStop", json!({ "reason": "cancelled" }));
    assert_eq!(stopped["verdict"], json!({ "is": "unknown", "reason": "cancelled", "excluded": null }));
}

#[test]
fn invalid_problems_are_refused_by_name() {
    let solve = |sfen: &str| {
        let request = json!({ "sfen": sfen, "goal": "any", "hideUseless": false, "memory": 1 });
        call("solve", request)["error"]["name"].clone()
    };
    assert_eq!(solve("9/9/9/9/9/9/9/9/9 b -"), "PROBLEM_KING_MISSING");
    assert_eq!(solve("4k4/9/9/9/9/9/9/9/9 w -"), "PROBLEM_WRONG_SIDE");
    assert_eq!(solve("4k4/4P4/9/9/9/9/9/9/9 b -"), "OPPONENT_IN_CHECK");
    assert_eq!(call("solveStep", json!({ "nodes": 1 }))["error"]["name"], "NOT_SOLVING");
}

#[test]
fn owners_cover_every_bit_of_every_word() {
    let words = ok("words", json!({ "sfen": START }));
    for word in words.as_array().unwrap() {
        let owners = word["owners"].as_array().unwrap();
        let covered: u64 = owners.iter().map(|run| run["len"].as_u64().unwrap()).sum();
        assert_eq!(covered, if word["format"] == "r238" { 0 } else { 256 });
    }
    let psv = &words[1];
    assert_eq!(psv["owners"][0]["owner"], json!({ "of": "side" }));
    assert_eq!(
        psv["owners"][1],
        json!({ "offset": 1, "len": 7, "owner": { "of": "king", "color": "black" } })
    );
    assert_eq!(psv["places"][0], json!({ "owner": { "of": "king", "color": "black" }, "square": "5i" }));
    assert_eq!(psv["symbols"][0]["owner"], json!({ "of": "square", "square": "1a" }));
    assert_eq!(words[5]["owners"].as_array().unwrap().last().unwrap()["owner"]["of"], "payload");
}

#[test]
fn records_of_files_are_read() {
    let psv = include_bytes!("../../../data/sample.psv");
    let detected = call_raw("detect", json!({ "file": "sample.psv", "size": psv.len() }), psv)["ok"].clone();
    assert_eq!(detected["format"], "psv");
    assert_eq!(detected["why"][0]["name"], "EXTENSION");
    assert!(detected["why"][1]["good"].as_u64().unwrap() > 100);
    let unnamed = call_raw("detect", json!({ "file": "sample", "size": psv.len() }), psv)["ok"].clone();
    assert_eq!(unnamed["format"], "psv");
    let noise = call_raw("detect", json!({ "file": "x", "size": 3 }), b"abc");
    assert_eq!(noise["error"]["name"], "UNRECOGNIZED");
    // The start of a record does not contradict the name.
    let short = call_raw("detect", json!({ "file": "x.bin", "size": 3 }), b"abc")["ok"].clone();
    assert_eq!((&short["format"], &short["why"][2]["name"]), (&json!("psv"), &json!("SIZE")), "{short}");
    let game = call_raw("detect", json!({ "file": "x.csa", "size": 5 }), b"V2.2\n");
    assert_eq!(game["error"]["name"], "UNSUPPORTED");
    let read = call_raw("records", json!({ "format": "psv", "limit": 2 }), &psv[..100])["ok"].clone();
    assert_eq!(read["bytes"], 80);
    let records = read["records"].as_array().unwrap();
    assert_eq!((records.len(), &records[1]["offset"], &records[1]["len"]), (2, &json!(40), &json!(40)));
    let record = &records[0];
    assert!(record["sfen"].is_string() && record["error"].is_null() && record["score"].is_i64(), "{record}");
    assert!(record["move"]["japanese"].is_string() && record["moveError"].is_null(), "{record}");
    assert_eq!(record["word"]["hex"], record["hex"].as_str().unwrap()[..64]);
    let text = "sfen startpos\nmove 7g7e\nscore 35\nply 1\nresult 1\ne\n";
    let read = call_raw(
        "records",
        json!({ "format": "plain", "limit": 9, "first": true, "last": true }),
        text.as_bytes(),
    );
    let record = &read["ok"]["records"][0];
    assert_eq!(
        (&record["result"], &record["moveError"]["name"]),
        (&json!("black"), &json!("MOVE_UNREACHABLE"))
    );
    let formats = ok("fileFormats", json!({}));
    assert!(formats.as_array().unwrap().iter().any(|row| row["name"] == "psv" && row["recordSize"] == 40));
}

#[test]
fn certificates_are_checked() {
    let file = include_bytes!("../../../web/test/fixtures/mate.kmc");
    let checked = call_raw("certificates", json!({}), file)["ok"].clone();
    assert_eq!(checked[0]["claim"]["en"], "mate within 3");
    assert_eq!(checked[1]["claim"]["ja"], "1 手以内の詰みなし");
    assert_eq!(checked[0]["sfen"], "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1");
    let mut damaged = *file;
    damaged[70] ^= 1;
    let error = call_raw("certificates", json!({}), &damaged)["ok"][0]["error"].clone();
    assert_eq!(error["sentence"]["en"], "the checksum does not fit: the file is damaged");
}

#[test]
fn checked_problem_reports_its_duals_with_lines() {
    let mut module = Module::default();
    let mut call = |name: &str, request: Value| -> Value {
        let answer = module.call(json!({ name: request }).to_string().as_bytes(), b"");
        serde_json::from_slice(&answer.json).unwrap()
    };
    // A gold mates on 5b, 4b or 6b: three mates at the last ply, and no dual before it.
    let sfen = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
    let solve = json!({ "sfen": sfen, "goal": "shortest", "hideUseless": true, "memory": 1 });
    assert!(call("solve", solve)["ok"].is_object());
    let limits = json!({ "nodes": 100_000, "report_nodes": 1_000_000 });
    assert_eq!(call("solveCheck", limits.clone())["error"]["name"], "SOLVING");
    while call("solveStep", json!({ "nodes": 10_000 }))["ok"]["state"] != "done" {}
    let report = call("solveCheck", limits)["ok"].clone();
    assert_eq!(report["length"], 1, "{report}");
    let findings = report["findings"].as_array().unwrap();
    assert!(!findings.is_empty(), "{report}");
    for finding in findings {
        assert!(finding["ply"].is_u64() && finding["kind"].is_string(), "{finding}");
        for mv in finding["line"].as_array().unwrap() {
            assert!(mv["sfen"].is_string() && mv["japanese"].is_string(), "{finding}");
        }
    }
    assert!(findings.iter().any(|finding| finding["kind"] == "left-over"), "a gold is left: {report}");
}

/// Endings that share a word in KIF are told apart.
#[test]
fn endings_of_a_game_survive() {
    for name in ["MAX_MOVES", "HIKIWAKE", "JISHOGI", "TORYO", "SENNICHITE"] {
        let csa = format!("V2.2\nPI\n+\n+7776FU\n-3334FU\n%{name}\n");
        let game = call_raw("parse", json!({ "extension": "csa" }), csa.as_bytes())["ok"]["games"][0].clone();
        let written = ok("writeGame", json!({ "game": game, "format": "csa" }));
        assert!(written["text"].as_str().unwrap().contains(&format!("%{name}\n")), "{written}");
    }
}
