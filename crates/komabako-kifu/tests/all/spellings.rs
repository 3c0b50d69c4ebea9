//! The law that nothing that looks like content is lost: a file in any spelling has the moves and the position that it had,
//! or an error with line and column.

use komabako_kifu::{Fault, Format, Game, Games, KifuError, ReadOptions, Record};
use komabako_rules::Move16;
use komabako_testkit::cases;

use crate::common::{exists, text, truths};

/// The number of mutated files.
const FILES: usize = 60_000;

/// A way to spell a line differently.
type Spelling = fn(&str) -> String;

/// Spellings of the lines of moves.
const OF_MOVES: [(&str, Spelling); 20] = [
    ("tabs", |line| line.replace(' ', "\t")),
    ("a tab after the number", |line| with_separator(line, "\t")),
    ("a colon", |line| with_separator(line, ":")),
    ("a full-width colon", |line| with_separator(line, "：")),
    ("a point", |line| with_separator(line, ". ")),
    ("a bracket", |line| with_separator(line, ") ")),
    ("a full-width bracket", |line| format!("（{}", with_separator(line, "）"))),
    ("手目", |line| format!("第{}", with_separator(line, "手目　"))),
    ("nothing after the number", |line| with_separator(line, "")),
    ("the mark of a side", |line| with_separator(line, " △")),
    ("full-width blanks", |line| line.replace(' ', "　")),
    ("no-break spaces", |line| line.replace(' ', "\u{a0}")),
    ("em spaces", |line| line.replace(' ', "\u{2003}")),
    ("full-width digits and brackets", wide),
    ("half-width digits", |line| line.chars().map(narrow_digit).collect()),
    ("kanji for files", |line| line.chars().map(kanji_digit).collect()),
    ("no number", |line| line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()),
    ("no source", |line| line.split('(').next().unwrap_or_default().to_owned()),
    ("square brackets", |line| line.replace('(', "[").replace(')', "]")),
    ("a tail", |line| format!("{line}　×　! (x) T-600")),
];

fn with_separator(line: &str, separator: &str) -> String {
    let trimmed = line.trim_start();
    let rest = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &trimmed[..trimmed.len() - rest.len()];
    format!("{number}{separator}{}", rest.trim_start())
}

fn wide(line: &str) -> String {
    let wide =
        |c: char| if ('!'..='~').contains(&c) { char::from_u32(c as u32 + 0xfee0).unwrap() } else { c };
    line.chars().map(wide).collect()
}

fn narrow_digit(c: char) -> char {
    if ('０'..='９').contains(&c) { char::from_u32(c as u32 - 0xfee0).unwrap() } else { c }
}

fn kanji_digit(c: char) -> char {
    let index = "０１２３４５６７８９".chars().position(|wide| wide == c);
    index.map_or(c, |index| "〇一二三四五六七八九".chars().nth(index).unwrap())
}

/// A xorshift generator.
fn random(state: &mut u64, limit: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % limit as u64) as usize
}

fn read(text: &str) -> Result<Vec<Game>, KifuError> {
    let Some(format) = Format::detect(text) else { return Err(komabako_kifu::unknown(text)) };
    Games::new(text, format, ReadOptions::default()).collect()
}

/// All moves of a record in the order of files.
fn moves(record: &Record) -> Vec<(u32, Move16)> {
    let mut walk = record.walk();
    let ids: Vec<_> = std::iter::from_fn(|| walk.next()).collect();
    ids.into_iter().filter_map(|id| Some((record.node(id).ply(), record.node(id).as_move()?))).collect()
}

fn is_move_line(line: &str) -> bool {
    let number = line.trim_start().split(' ').next().unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && line.contains('(')
}

#[test]
fn moves_in_any_spelling_are_read_or_an_error() {
    let files: Vec<_> = truths()
        .iter()
        .map(|truth| format!("{}.kifu", truth.id))
        .filter(|name| exists(name))
        .map(|name| text(&name))
        // A foul at the end excuses a move that is illegal only in another spelling.
        .filter(|text| text.len() < 20_000 && !text.contains("反則"))
        .collect();
    let wanted: Vec<_> = files.iter().map(|text| read(text).unwrap().remove(0).record).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut equal = 0;
    for run in 0..cases::scaled(FILES) {
        let index = random(&mut state, files.len());
        let (name, spell) = OF_MOVES[run % OF_MOVES.len()];
        // All lines of moves, or some.
        let every = [1, 1, 2, 7][random(&mut state, 4)];
        let lines = files[index].lines().map(|line| {
            if is_move_line(line) && random(&mut state, every) == 0 { spell(line) } else { line.to_owned() }
        });
        let text: String = lines.map(|line| line + "\n").collect();
        match read(&text) {
            Ok(games) => {
                assert_eq!(games.len(), 1, "{name}\n{text}");
                assert_eq!(moves(&games[0].record), moves(&wanted[index]), "{name}\n{text}");
                equal += 1;
            }
            Err(error) => assert!(error.line >= 1 && error.column >= 1, "{name}"),
        }
    }
    // Most spellings are read, not refused.
    assert!(equal * 2 > cases::scaled(FILES), "{equal}");
}

/// Spellings of the lines of a position.
#[test]
fn hands_and_sides_in_any_spelling_are_read_or_an_error() {
    let rows =
        "| ・ ・ ・ ・ ・ ・ ・v玉 ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ 歩 ・|三\n"
            .to_owned()
            + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6);
    let hands = ["持駒", "持ち駒", "持ちごま", "持ゴマ", "手駒", "もち駒"];
    let sides = ["先手", "下手", "▲", "☗", "先手 ", "　先手", "", "自分"];
    let mut read_so = 0;
    for side in sides {
        for hand in hands {
            for (of, colon) in
                [("の", "："), ("の", ":"), ("", "："), (" の ", " ： "), ("の", "　"), ("の", "\t")]
            {
                let line = format!("{side}{of}{hand}{colon}金二　歩\n");
                for text in [format!("{rows}{line}"), format!("{line}{rows}")] {
                    match read(&text) {
                        Ok(games) => {
                            let sfen = games[0].record.initial().to_string();
                            assert!(sfen.ends_with("b 2GP") || !games[0].notices.is_empty(), "{text}{sfen}");
                            read_so += usize::from(sfen.ends_with("b 2GP"));
                        }
                        Err(error) => {
                            assert!(matches!(error.fault, Fault::Syntax | Fault::Hand), "{text}{error}");
                        }
                    }
                }
            }
        }
    }
    assert!(read_so > 200, "{read_so}");
    for (line, side) in [
        ("手番：後手", Some('w')),
        ("手番:後手番", Some('w')),
        ("手番：上手", Some('w')),
        ("手番　後手", Some('w')),
        (" 手番＝△", Some('w')),
        ("手番：先手", Some('b')),
        ("手番：▲", Some('b')),
        ("後手番", Some('w')),
        ("手番：不明", None),
        ("手番：", None),
    ] {
        let found = read(&format!("{rows}{line}\n"));
        let found = found.ok().map(|games| games[0].record.initial().to_string());
        assert_eq!(found.map(|sfen| sfen.contains(" w ")), side.map(|side| side == 'w'), "{line}");
    }
}

/// The moves may be anywhere: in the key or value of an entry, in a line of no kind, after a number sign.
#[test]
fn a_file_without_moves_whose_lines_hold_one_is_not_accepted_silently() {
    let lines = [
        "７六歩(77)",
        "７六歩",
        "７六歩：３四歩",
        "備考：７六歩が最善",
        "初手７六歩",
        "#   1 ７六歩(77)",
        "1手目は▲７六歩(77)です",
        "１：７六歩(77)",
        "▲７六歩(77)　備考：よい手",
        "一手目：76歩(77)",
        "76歩",
        "初手\t7六歩",
        "１．７六歩",
        "1 先手７六歩(77)",
        "1 七六歩(77)",
        "１　▲七六歩",
    ];
    for header in ["手合割：平手\n", "先手：A\n後手：B\n手合割：平手\n手数----指手---------消費時間--\n", ""]
    {
        for line in lines {
            let Ok(games) = read(&format!("{header}{line}\n")) else { continue };
            let game = &games[0];
            let count = moves(&game.record).len();
            assert!(count == 1 || !game.notices.is_empty(), "{header}{line}: {game:?}");
        }
    }
}

/// Lines as programs write them are read by a shorter way, which a full-width blank keeps a line from.
#[test]
fn usual_lines_of_kif_are_read_like_others() {
    let mut lines = 0;
    let names = truths().into_iter().map(|truth| format!("{}.kifu", truth.id));
    for name in names.filter(|name| exists(name)) {
        let usual = text(&name);
        let other = usual.replace(")\n", ")　\n").replace(")+\n", ")+　\n");
        lines += other.matches("　\n").count();
        assert_eq!(read(&usual), read(&other), "{name}");
    }
    assert!(lines > 1000, "{lines}");
}
