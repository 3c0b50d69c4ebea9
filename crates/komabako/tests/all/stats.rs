//! `stats`: text, JSON and HTML agree, for all kinds of inputs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{program, run, run_on, sample};
use serde_json::Value;
use tempfile::TempDir;

fn psv() -> PathBuf {
    sample("sample.psv")
}

fn stats(file: &Path, options: &[&str]) -> crate::support::Ran {
    run([OsStr::new("stats"), file.as_os_str()].into_iter().chain(options.iter().map(OsStr::new)))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

/// A report on a file as JSON and as HTML, from one run.
fn both(file: &Path, options: &[&str]) -> (Value, String) {
    let directory = TempDir::new().unwrap();
    let page = directory.path().join("report.html");
    let arguments = [&["--json", "--html", page.to_str().unwrap()], options].concat();
    let value = json(&stats(file, &arguments).stdout);
    (value, fs::read_to_string(page).unwrap())
}

/// The known figures are the same as in the library's test of this file.
#[test]
fn text_describes_the_file() {
    let text = stats(&psv(), &[]).ok();
    for part in
        ["2,000", "Black 1,355 (67.8 %)", "3 to 169, mean 61.4", "a = 2778.", "drops 466", "179 (8.9 %)"]
    {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(text.contains('█') && text.contains("▒▒"), "{text}");
    assert!(!text.contains('\u{1b}'), "colours outside a terminal: {text}");
    let japanese = stats(&psv(), &["--lang", "ja"]).ok();
    for part in ["先手 1,355", "手数", "評価値と勝率", "当てはめ", "玉の位置", "打つ手 466"]
    {
        assert!(japanese.contains(part), "no {part:?} in {japanese}");
    }
}

#[test]
fn merged_parts_equal_the_whole() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str| directory.path().join(name);
    let whole = json(&stats(&psv(), &["--json"]).ok());
    let saved = ["0/3", "1/3", "2/3"].map(|partition| {
        let path = file(&format!("{}.stats", &partition[..1]));
        let part = stats(&psv(), &["--json", "--partition", partition, "--save", path.to_str().unwrap()]);
        assert!((660..=670).contains(&json(&part.ok())["records"].as_u64().unwrap()));
        path
    });
    let [first, second, third] = saved.each_ref().map(|path| path.to_str().unwrap());
    let merge = |more: &[&str]| stats(&saved[0], &[&["--merge"], more].concat());
    let mut merged = json(&merge(&[second, third, "--json"]).ok());
    assert_eq!(merged["read"], 2_000);
    // The parts' times are added, and each part reads the start of the whole file.
    for member in ["seconds", "bytes_read"] {
        merged[member] = whole[member].clone();
    }
    assert_eq!(merged, whole);
    for (lang, text) in [("en", "2,000"), ("ja", "先手 1,355")] {
        assert!(merge(&[third, second, "--lang", lang]).ok().contains(text));
    }
    // Merged statistics can be merged again, and nothing is overwritten without `--force`.
    let both = file("both.stats");
    let both = both.to_str().unwrap();
    assert_eq!(json(&merge(&[second, "--save", both, "--json"]).ok())["records"], 1_333);
    assert_eq!(merge(&[second, "--save", both, "--json"]).error_kind(2), "exists");
    assert_eq!(json(&merge(&["--json"]).ok())["records"], 666);
    // Parts that are missing are named, on the page too.
    let page = file("page.html");
    let two = json(&merge(&[third, "--json", "--html", page.to_str().unwrap()]).ok());
    assert_eq!(two["missing_parts"][0]["partitions"], serde_json::json!(["1/3"]));
    assert_eq!(two["missing_parts"][0]["names"].as_array().unwrap().len(), 1);
    assert!(fs::read_to_string(&page).unwrap().contains("parts 1/3 "));
    assert!(merge(&[third, "--lang", "ja"]).ok().contains("の分担 1/3"));
    let half = file("half.stats");
    stats(&psv(), &["--json", "--partition", "1/2", "--save", half.to_str().unwrap()]).ok();
    assert_eq!(merge(&[half.to_str().unwrap(), "--json"]).error_kind(2), "saved_other_division");
    assert_eq!(merge(&[both, "--json"]).error_kind(2), "saved_twice");
    let psv = psv();
    for lang in ["en", "ja"] {
        merge(&[first, "--lang", lang]).fails(2, &["0.stats"]);
        merge(&[psv.to_str().unwrap(), "--lang", lang]).fails(2, &["sample.psv"]);
        merge(&["--partition", "0/3", "--lang", lang]).fails(2, &["--partition"]);
    }
}

#[test]
fn merged_files_are_told_apart_by_their_content() {
    let place = TempDir::new().unwrap();
    let records = fs::read(psv()).unwrap();
    // Two files of one name, and two paths of one file.
    let [one, other] =
        [("one", &records[..40_000]), ("other", &records[40_000..])].map(|(directory, bytes)| {
            let directory = place.path().join(directory);
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("a.psv"), bytes).unwrap();
            directory
        });
    let save = |file: &Path, name: &str, partition: &str| {
        let path = place.path().join(name);
        stats(file, &["--partition", partition, "--save", path.to_str().unwrap(), "-f", "--json"]).ok();
        path
    };
    let merge = |first: &Path, second: &Path| stats(first, &["--merge", "--json", second.to_str().unwrap()]);
    let first = save(&one.join("a.psv"), "1", "0/1");
    let second = save(&other.join("a.psv"), "2", "0/1");
    assert_eq!(json(&merge(&first, &second).ok())["records"], 2_000);
    let again = save(&one.join("../one/a.psv"), "3", "0/1");
    assert_eq!(merge(&first, &again).error_kind(2), "saved_twice");
    assert_eq!(merge(&first, &first).error_kind(2), "saved_twice");
    // Parts of different files are not the parts of one.
    let first = save(&one.join("a.psv"), "1", "0/2");
    let second = save(&other.join("a.psv"), "2", "1/2");
    let merged = json(&merge(&first, &second).ok());
    assert_eq!(merged["missing_parts"].as_array().unwrap().len(), 2);
}

#[test]
fn plots_fill_the_available_width() {
    let widest = |columns: &str| {
        let output = program().arg("stats").arg(psv()).env("COLUMNS", columns).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let plots = text.lines().filter(|line| line.contains(['│', '└']));
        plots.map(|line| line.chars().count()).max().unwrap()
    };
    for columns in [40, 60, 80, 100] {
        let widest = widest(&columns.to_string());
        assert!(widest <= columns && widest * 3 > columns * 2, "{widest} of {columns}");
    }
    assert_eq!(widest("9999"), widest("120"));
}

#[test]
fn json_has_the_known_figures() {
    let value = json(&stats(&psv(), &["--json"]).ok());
    let at = |pointer: &str| value.pointer(pointer).unwrap_or_else(|| panic!("{pointer}")).clone();
    assert_eq!(at("/inputs/0/format"), "psv");
    assert_eq!((at("/records"), at("/results/black_wins")), (2000.into(), 1355.into()));
    assert_eq!((at("/plies/mean"), at("/scores/median")), (61.35.into(), 35.into()));
    assert_eq!((at("/plies/bins/1/from"), at("/plies/bins/1/count")), (11.into(), 199.into()));
    assert_eq!((at("/scores/mating"), at("/scores/mated")), (26.into(), 14.into()));
    assert_eq!((at("/kings/black/squares/7/4"), at("/kings/white/squares/1/4")), (788.into(), 694.into()));
    assert_eq!((at("/pieces/0/black/hand"), at("/pieces/0/removed")), (1.35.into(), 0.0.into()));
    assert_eq!((at("/moves/by_kind/5/drops"), at("/moves/captures")), (116.into(), 629.into()));
    assert_eq!((at("/distinct/estimate"), at("/distinct/duplicate_share")), (2000.into(), 0.0.into()));
    assert!((at("/fit/a").as_f64().unwrap() - 2778.565).abs() < 0.5);
}

/// Every number of a value, by its pointer.
fn numbers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(pointer.to_owned()),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| numbers(item, &format!("{pointer}/{index}"), found));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, item)| numbers(item, &format!("{pointer}/{name}"), found));
        }
        _ => {}
    }
}

/// The texts of the cells that have an attribute, by its value.
fn cells<'a>(page: &'a str, attribute: &str) -> Vec<(&'a str, &'a str)> {
    let marker = format!(" {attribute}=\"");
    let parts = page.split(marker.as_str()).skip(1);
    parts
        .map(|part| {
            let (value, rest) = part.split_once('"').unwrap();
            let text = rest.split_once('>').unwrap().1.split_once("</td>").unwrap().0;
            (value, text)
        })
        .collect()
}

/// Checks a text against a number, to the precision of the text.
#[track_caller]
fn agrees(text: &str, number: f64) {
    let (plain, unit) = match text.strip_suffix(" %") {
        Some(plain) => (plain, 100.0),
        None => (text, 1.0),
    };
    let plain = plain.replace(',', "").replace('−', "-");
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    let shown: f64 = plain.parse().expect(text);
    assert!((shown - number * unit).abs() <= 0.5 * 0.1_f64.powi(decimals) + 1e-9, "{text} is not {number}");
}

#[test]
fn page_and_json_have_the_same_numbers() {
    let (value, page) = both(&psv(), &[]);
    let mut shown = BTreeSet::new();
    for (pointer, text) in cells(&page, "data-json") {
        shown.insert(pointer.to_owned());
        match value.pointer(pointer).unwrap_or_else(|| panic!("{pointer}")) {
            Value::Null => assert_eq!(text, "–", "{pointer}"),
            number => agrees(text, number.as_f64().expect(pointer)),
        }
    }
    let number = |pointer: &str| value.pointer(pointer).unwrap().as_f64().unwrap();
    let parts = cells(&page, "data-part").into_iter().zip(cells(&page, "data-of"));
    let mut count = 0;
    for ((part, text), (whole, _)) in parts {
        agrees(text, number(part) / number(whole));
        count += 1;
    }
    assert!(count >= 30, "{count} parts");
    let mut all = Vec::new();
    numbers(&value, "", &mut all);
    assert!(all.len() > 700, "{} numbers", all.len());
    // The time and bytes of a run, and the bounds of bins, which are headings of rows.
    let is_elsewhere = |pointer: &str| {
        let name = pointer.rsplit('/').next().unwrap();
        ["/read", "/bytes_read", "/seconds"].contains(&pointer)
            || pointer.contains("/bins/") && ["from", "to"].contains(&name)
    };
    for pointer in all.iter().filter(|pointer| !is_elsewhere(pointer)) {
        assert!(shown.contains(pointer), "{pointer} is not on the page");
    }
    for bin in value["scores"]["bins"].as_array().unwrap() {
        if let (Some(from), Some(to)) = (bin["from"].as_i64(), bin["to"].as_i64()) {
            let heading = format!(">{from}\u{a0}…\u{a0}{to}</th>").replace('-', "−");
            assert_eq!(page.matches(&heading).count(), 2, "{heading}");
        }
    }
}

/// Two games and a bad one between them.
const GAMES: &str = "V2\nN+<a>\nN-b\n$START_TIME:2026/01/02\n'black_rate:a:1500.5\n'white_rate:b:1620\nPI\n+\n+7776FU\n'** 30\n\
    -3334FU\n%TORYO\n/\nPI\n+\n+7775FU\n/\nN+<a>\nPI\n+\n+2726FU\n%CHUDAN\n";

#[test]
fn game_records_are_counted_as_games() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("games.csa");
    fs::write(&path, GAMES).unwrap();
    let ran = stats(&path, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("games.csa: game 2"), "{}", ran.stderr);
    for part in [
        "bad games  1",
        "games  2",
        "black         <a> 2 (100.0 %)",
        "ending        suspended 1 (50.0 %), resignation 1 (50.0 %)",
        "winner        White 1 (50.0 %), unknown 1 (50.0 %)",
        "date          2026-01-02 to 2026-01-02, unknown 1 (50.0 %)",
        "rating_min    1501 to 1501, mean 1501.0, deviation 0.0, unknown 1 (50.0 %)",
        "has_scores    1 (50.0 %)",
    ] {
        assert!(ran.stdout.contains(part), "no {part:?} in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("records"), "{}", ran.stdout);
    let japanese = stats(&path, &["--lang", "ja"]).stdout;
    for part in ["対局  2", "投了 1 (50.0 %)", "後手 1", "不明 1", "2026-01-02 ～ 2026-01-02"] {
        assert!(japanese.contains(part), "no {part:?} in {japanese}");
    }
    let (value, page) = both(&path, &[]);
    assert_eq!((&value["bad_games"][0]["game"], &value["bad_total"]), (&2.into(), &1.into()));
    assert_eq!((&value["game_files"], &value["records"]), (&1.into(), &0.into()));
    assert!(page.contains("&lt;a&gt;") && !page.contains("<a>"));
    let shown = cells(&page, "data-json");
    for (pointer, text) in &shown {
        match value.pointer(pointer).unwrap_or_else(|| panic!("{pointer}")) {
            Value::Null => assert_eq!(*text, "–", "{pointer}"),
            number => agrees(text, number.as_f64().expect(pointer)),
        }
    }
    let mut all = Vec::new();
    numbers(&value["game_fields"], "/game_fields", &mut all);
    // The bins of the other numbers are not on the page.
    for pointer in all.iter().filter(|pointer| !pointer.contains("/bins/")) {
        assert!(shown.iter().any(|(at, _)| at == pointer), "{pointer} is not on the page");
    }
    assert_eq!(page.matches("<svg ").count(), 2);
    assert_eq!(json(&stats(&psv(), &["--json"]).ok())["game_fields"], Value::Null);
}

#[test]
fn options_that_games_or_records_do_not_have_are_refused() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("games.csa");
    fs::write(&path, GAMES).unwrap();
    let save = directory.path().join("saved").to_str().unwrap().to_owned();
    stats(&path, &["--json", "--save", &save]).refused(2, "partition", &["one run"]);
    stats(&path, &["--json", "--partition", "0/2"]).refused(2, "partition", &["one run"]);
    stats(&psv(), &["--json", "--games", "plies > 3"]).refused(2, "games", &["convert IN OUT --games"]);
    // A file that was found in a folder is an input.
    let itself = path.to_str().unwrap();
    for input in [path.as_path(), directory.path()] {
        let options = ["--recursive", "--json", "--force", "--html", itself];
        stats(input, &options).refused(2, "same_file", &["games.csa"]);
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), GAMES);
    let page = directory.path().join("page.html").to_str().unwrap().to_owned();
    let dry = stats(directory.path(), &["--recursive", "--html", &page, "--dry-run"]).ok();
    assert!(dry.ends_with("files 1\n"), "{dry}");
    assert!(!fs::exists(&page).unwrap());
}

#[test]
fn page_is_self_contained_in_both_languages() {
    let (_, page) = both(&psv(), &[]);
    for absent in ["<script", "http:", "https:", "url(", "@import", "NaN", "inf"] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(page.contains("<html lang=\"en\">") && page.contains("prefers-color-scheme: dark"));
    let charts = page.matches("<svg ").count();
    assert_eq!((charts, page.matches("role=\"img\"").count(), page.matches("<title>").count()), (8, 8, 9));
    let (_, japanese) = both(&psv(), &["--lang", "ja"]);
    assert!(japanese.contains("<html lang=\"ja\">") && japanese.contains("将棋の教師データの統計"));
    for english in ["records", "win rate", "deviation", "Black", "king"] {
        assert!(!japanese.contains(&format!(">{english}")), "{english}");
    }
    let figures = |page: &str| -> Vec<String> {
        cells(page, "data-json").iter().map(|(pointer, text)| format!("{pointer} {text}")).collect()
    };
    assert_eq!(figures(&page), figures(&japanese));
}

#[test]
fn every_member_is_documented() {
    fn names<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| names(item, found)),
            Value::Object(members) => members.iter().for_each(|(name, item)| {
                found.insert(name);
                names(item, found);
            }),
            _ => {}
        }
    }
    let directory = TempDir::new().unwrap();
    let games = directory.path().join("games.csa");
    fs::write(&games, GAMES).unwrap();
    let values = [stats(&psv(), &["--json"]), stats(&games, &["--json"])].map(|ran| json(&ran.stdout));
    let mut members = BTreeSet::new();
    values.iter().for_each(|value| names(value, &mut members));
    let documentation = concat!(
        include_str!("../../../../docs/stats.md"),
        include_str!("../../../../docs/json.md"),
        include_str!("../../../komabako-dataset/GAME_EXPRESSIONS.md")
    );
    for member in members {
        assert!(
            documentation.contains(&format!("`{member}`")) || documentation.contains(&format!(".{member}`")),
            "{member}"
        );
    }
}

#[test]
fn the_figures_do_not_depend_on_threads() {
    let timeless = |threads: &str| {
        let mut value = json(&stats(&psv(), &["--json", "--threads", threads]).ok());
        value["seconds"].take();
        value
    };
    assert_eq!(timeless("1"), timeless("8"));
}

#[test]
fn several_inputs_are_counted_together_from_files_and_standard_input() {
    let directory = TempDir::new().unwrap();
    let packed = directory.path().join("sample.sfen.zst");
    run([OsStr::new("convert"), psv().as_os_str(), packed.as_os_str()]).ok();
    let arguments = [
        "stats".as_ref(),
        sample("sample.hcpe").as_os_str().to_owned().as_os_str(),
        packed.as_os_str(),
        "-".as_ref(),
        "--json".as_ref(),
    ]
    .map(OsStr::to_owned);
    let ran = run_on(fs::read(psv()).unwrap(), arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let value = json(&ran.stdout);
    assert_eq!((value["records"].clone(), value["distinct"]["estimate"].clone()), (6000.into(), 2000.into()));
    assert_eq!(
        (value["missing"]["ply"].clone(), value["missing"]["score"].clone()),
        (2000.into(), 2000.into())
    );
    assert_eq!(value["inputs"][1]["compression"], "zstd");
    assert_eq!(value["inputs"][2]["name"], "-");
}

#[test]
fn empty_input_is_accepted() {
    let directory = TempDir::new().unwrap();
    let empty = directory.path().join("empty.psv");
    fs::write(&empty, "").unwrap();
    assert!(stats(&empty, &[]).ok().contains("empty.psv (psv)"));
    let (value, page) = both(&empty, &[]);
    assert_eq!((value["records"].clone(), value["fit"].clone()), (0.into(), Value::Null));
    assert_eq!(value["distinct"]["duplicate_share"], Value::Null);
    assert!(page.contains("data-json=\"/missing/score\">0</td>") && !page.contains("NaN"), "{page}");
}

/// Positions without labels: nothing to fit, and the page reports it.
#[test]
fn missing_fields_are_reported() {
    let directory = TempDir::new().unwrap();
    let words = directory.path().join("sample.hcp");
    run([OsStr::new("convert"), psv().as_os_str(), words.as_os_str()]).ok();
    let text = stats(&words, &["--from", "hcp"]).ok();
    assert!(text.contains("score 2,000 (100.0 %)") && text.contains("no fit"), "{text}");
    let (value, page) = both(&words, &["--from", "hcp"]);
    assert_eq!((value["fit"].clone(), value["plies"]["mean"].clone()), (Value::Null, Value::Null));
    assert!(page.contains("data-json=\"/missing/ply\">2,000</td>") && page.contains("no fit"));
}

#[test]
fn inverted_results_are_diagnosed() {
    let directory = TempDir::new().unwrap();
    let mut records = fs::read(psv()).unwrap();
    for record in records.chunks_mut(40) {
        record[38] = record[38].wrapping_neg();
    }
    let inverted = directory.path().join("inverted.psv");
    fs::write(&inverted, records).unwrap();
    let (value, page) = both(&inverted, &["--lang", "ja"]);
    assert!(value["fit"]["a"].as_f64().unwrap() < -2000.0 && page.contains("視点が逆"));
}

#[test]
fn bad_records_are_skipped_and_reported() {
    let directory = TempDir::new().unwrap();
    let mut records = fs::read(psv()).unwrap();
    records[40 * 17 + 1] ^= 0xff;
    records.truncate(40 * 1000 + 7);
    let damaged = directory.path().join("damaged.psv");
    fs::write(&damaged, records).unwrap();
    stats(&damaged, &["--json"]).refused(1, "truncated", &["damaged.psv", "--salvage"]);
    let ran = stats(&damaged, &["--salvage"]);
    assert_eq!(ran.code, 1);
    for part in ["999", "KING_CODE 1", "record 17", "then 7 bytes"] {
        assert!(ran.stdout.contains(part), "no {part:?} in {}", ran.stdout);
    }
    let (value, page) = both(&damaged, &["--salvage"]);
    assert_eq!((value["bad_total"].clone(), value["bad"]["KING_CODE"].clone()), (1.into(), 1.into()));
    assert_eq!(
        (value["samples"][0]["record"].clone(), value["tails"][0]["length"].clone()),
        (17.into(), 7.into())
    );
    assert!(page.contains("data-json=\"/bad/KING_CODE\">1</td>") && page.contains("then 7 bytes"));
}

#[test]
fn page_overwrites_only_if_forced_and_never_an_input() {
    let directory = TempDir::new().unwrap();
    let page = directory.path().join("report.html");
    let input = directory.path().join("a.psv");
    fs::copy(psv(), &input).unwrap();
    fs::write(&page, "precious").unwrap();
    let path = page.to_str().unwrap();
    stats(&input, &["--html", path, "--json"]).refused(2, "exists", &["report.html", "--force"]);
    assert_eq!(fs::read(&page).unwrap(), b"precious");
    stats(&input, &["--html", path, "--force"]).ok();
    assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
    let itself = input.to_str().unwrap();
    let save = directory.path().join("./report.html");
    let both = ["--force", "--html", path, "--save", save.to_str().unwrap(), "--json"];
    stats(&input, &both).refused(2, "same_file", &["report.html"]);
    stats(&input, &["--force", "--html", itself, "--json"]).refused(2, "same_file", &["a.psv"]);
    stats(&input, &["--html", "/no/such/place.html", "--lang", "ja"]).fails(2, &["作成できません"]);
    let names: BTreeSet<_> =
        fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn page_on_standard_output_moves_the_text_to_standard_error() {
    let ran = stats(&psv(), &["--html", "-"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.starts_with("<!DOCTYPE html>") && ran.stdout.ends_with("</html>\n"));
    assert!(ran.stderr.contains("Black 1,355"), "{}", ran.stderr);
}
