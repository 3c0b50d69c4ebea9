//! A year of games as floodgate's, in one archive: chosen, converted, counted, and compared with a plain reading.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Place, run};

/// The number of games; the name of an environment variable that gives another.
const GAMES: usize = 400;
const VARIABLE: &str = "KOMABAKO_YEAR_OF_GAMES";

/// The condition, which `choose_games.py` has in its own words.
const CONDITION: &str = "rating_min >= 3000.5 and plies >= 14 and (ending == 'TORYO' or winner == 'draw') \
    and date >= '2026-03' and not (black contains 'weak')";

/// Numbers without a pattern that matters here (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

/// The moves of a game: each side pushes pawns that do not meet, so that any order is legal.
fn moves(numbers: &mut Numbers) -> Vec<String> {
    let mut ranks = [[7; 9], [3; 9]];
    let count = 10 + numbers.below(9);
    let mut moves = Vec::new();
    for ply in 0..count {
        let is_white = ply % 2 == 1;
        let [last, step] = if is_white { [4, 1] } else { [5, -1] };
        let ranks = &mut ranks[usize::from(is_white)];
        let mut file = numbers.below(9);
        while ranks[file] == last {
            file = (file + 1) % 9;
        }
        let from = ranks[file];
        ranks[file] += step;
        let sign = if is_white { '-' } else { '+' };
        moves.push(format!("{sign}{}{from}{}{}FU", file + 1, file + 1, from + step));
    }
    moves
}

/// Writes the games to a folder, one file each.
fn write_year(folder: &Path, games: usize) {
    const NAMES: [&str; 5] = ["elmo", "weak_bot", "suisho", "水匠", ""];
    const ENDINGS: [&str; 4] = ["TORYO", "TORYO", "JISHOGI", "CHUDAN"];
    let mut numbers = Numbers(2026);
    let mut earlier: Vec<Vec<String>> = Vec::new();
    for number in 0..games {
        let moves =
            if number % 5 == 4 { earlier[numbers.below(number)].clone() } else { moves(&mut numbers) };
        let mut text = String::from("V2\n");
        let black = NAMES[numbers.below(5)];
        let white = NAMES[numbers.below(5)];
        let month = 1 + numbers.below(12);
        let day = 1 + numbers.below(28);
        let _ =
            write!(text, "N+{black}\nN-{white}\n$EVENT:wdoor+floodgate-300-10F+{black}+{white}+{number}\n");
        if numbers.below(10) > 0 {
            let _ = writeln!(text, "$START_TIME:2026/{month:02}/{day:02} 10:00:03");
        }
        for side in ["black", "white"] {
            if numbers.below(10) > 0 {
                let rating = 2800.0 + numbers.below(8000) as f64 / 10.0;
                let _ = writeln!(text, "'{side}_rate:{side}+0123:{rating:.1}");
            }
        }
        text.push_str("PI\n+\n");
        for mv in &moves {
            let _ = write!(text, "{mv}\nT1\n'** {} {mv}\n", numbers.below(400));
        }
        let _ = writeln!(text, "%{}", ENDINGS[numbers.below(4)]);
        // The order of the names is not that of the numbers.
        let month_folder = folder.join(format!("2026/{month:02}"));
        fs::create_dir_all(&month_folder).unwrap();
        fs::write(month_folder.join(format!("wdoor+{black}+{white}+{number:06}.csa")), text).unwrap();
        earlier.push(moves);
    }
}

/// Packs a folder with 7z, or, if that is not installed, as a .zip.
fn pack(folder: &Path, place: &Place) -> String {
    let path = place.path("year.7z");
    let packed = Command::new("7z").args(["a", "-bd"]).arg(&path).arg("2026").current_dir(folder).output();
    if packed.is_ok_and(|output| output.status.success()) {
        return path.to_str().unwrap().to_owned();
    }
    println!("packed as .zip: 7z is not installed");
    let path = place.path("year.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for month in fs::read_dir(folder.join("2026")).unwrap() {
        for file in fs::read_dir(month.unwrap().path()).unwrap() {
            let file = file.unwrap().path();
            let name = file.strip_prefix(folder).unwrap().to_str().unwrap();
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, &fs::read(&file).unwrap()).unwrap();
        }
    }
    zip.finish().unwrap();
    path.to_str().unwrap().to_owned()
}

/// What a plain reading in Python finds; `None` without Python.
fn plain_reading(folder: &Path) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/choose_games.py");
    let output = Command::new("python3").arg("-B").arg(script).arg(folder).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_year_of_games_is_chosen_converted_and_counted_as_by_a_plain_reading() {
    let games = std::env::var(VARIABLE).map_or(GAMES, |games| games.parse().unwrap());
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    write_year(folder.path(), games);
    let year = pack(folder.path(), &place);
    let text = |name: &str| place.path(name).to_str().unwrap().to_owned();

    let out = text("chosen.psv");
    let ran = run(["convert", "--json", &year, &out, "--games", CONDITION, "--unique-games"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report = ran.report();
    assert_eq!(report["games"], games);
    let list = run(["kifu", "--list", &year, "--games", CONDITION, "--unique-games"]).ok();
    let listed: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> =
        listed.iter().map(|line| line["input"].as_str().unwrap().rsplit_once('!').unwrap().1).collect();
    for line in &listed {
        assert!(line["rating_min"].as_f64().unwrap() >= 3000.5 && line["plies"].as_u64().unwrap() >= 14);
        assert!(line["black_rating"].as_f64().unwrap() >= 3000.5 && line["has_scores"] == true, "{line}");
    }
    let sum = |member: &str| report["games_left_out"][member].as_u64().unwrap();
    assert_eq!(names.len() as u64, games as u64 - sum("not_chosen") - sum("unknown") - sum("duplicates"));
    assert!(names.len() * 40 > games && ["unknown", "duplicates"].into_iter().all(|member| sum(member) > 0));
    let bytes = fs::metadata(&out).unwrap().len();
    assert_eq!(report["written"].as_u64().unwrap() * 40, bytes);
    match plain_reading(folder.path()) {
        Some(plain) => {
            assert_eq!(report["games_left_out"], plain["counts"]);
            assert_eq!(json!(names), plain["chosen"]);
            assert_eq!(report["written"], plain["records"]);
        }
        None => println!("not compared: python3 is not installed"),
    }

    // Games are chosen to files of games alike, and the records of those are the same.
    let chosen = text("chosen.csa");
    let ran = run(["kifu", "--json", &year, &chosen, "--games", CONDITION, "--unique-games"]);
    assert_eq!((ran.code, &ran.report()["games_left_out"]), (0, &report["games_left_out"]));
    let again = text("again.psv");
    run(["convert", "--quiet", &chosen, &again]).ok();
    assert!(fs::read(&again).unwrap() == fs::read(&out).unwrap());
}

#[test]
fn games_of_records_are_chosen_like_the_records_of_games() {
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    write_year(folder.path(), 300);
    let year = folder.path().to_str().unwrap();
    let text = |name: &str| place.path(name).to_str().unwrap().to_owned();
    let condition = "plies >= 13 and winner != 'draw' and handicap == '平手' and scored == plies";
    let direct = text("direct.psv");
    let choice = ["--games", condition, "--unique-games"];
    let run_with = |options: &[&str]| {
        let ran = run([&["convert", "--json"][..], options, &choice].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.report()
    };
    let of_text = run_with(&["--recursive", year, &direct]);
    assert!(of_text["games_left_out"]["duplicates"].as_u64().unwrap() > 0);
    for format in ["hcpe3", "pack"] {
        let all = text(&format!("all.{format}"));
        run(["convert", "--quiet", "--recursive", year, &all]).ok();
        let out = text(&format!("{format}.psv"));
        let report = run_with(&[&all, &out, "--threads", "2"]);
        assert!(fs::read(&out).unwrap() == fs::read(&direct).unwrap(), "{format}");
        assert_eq!(report["games_left_out"]["duplicates"], of_text["games_left_out"]["duplicates"]);
        // In their own format whole games stay as they are.
        let same = text(&format!("same.{format}"));
        let report = run_with(&[&all, &same]);
        let again = text(&format!("again-{format}.psv"));
        run(["convert", "--quiet", &same, &again]).ok();
        assert!(fs::read(&again).unwrap() == fs::read(&direct).unwrap(), "{format}");
        assert_eq!(
            report["games"].as_u64().unwrap(),
            of_text["games"].as_u64().unwrap() - left_out(&of_text)
        );
        // Partitions choose alike; whether a game is a duplicate is not known in one.
        let whole = text("whole.psv");
        let chosen = ["--games", condition];
        run([&["convert", "--quiet", "--force", &all, &whole], &chosen[..]].concat()).ok();
        let mut parts = Vec::new();
        for part in ["0/3", "1/3", "2/3"] {
            let out = text("part.psv");
            let options = ["convert", "--quiet", "--force", &all, &out, "--partition", part];
            run([&options[..], &chosen].concat()).ok();
            parts.extend(fs::read(out).unwrap());
        }
        assert!(
            parts == fs::read(whole).unwrap() && parts.len() > fs::read(&direct).unwrap().len(),
            "{format}"
        );
        let options = ["convert", "--json", &all, &text("part.psv"), "--force", "--partition", "1/3"];
        run([&options[..], &["--unique-games"]].concat()).refused(2, "partition_undivided", &["1/3"]);
        // Nothing of names and ratings is known there.
        let none = text("none.psv");
        let ran = run(["convert", "--json", &all, &none, "--games", "rating_min >= 0 or date > '2000'"]);
        let report = ran.report();
        assert_eq!((ran.code, &report["written"]), (0, &json!(0)));
        assert_eq!(report["games_left_out"]["not_chosen"], 0);
        fs::remove_file(none).unwrap();
    }
}

/// The figures of `stats` are what the lines of `kifu --list` add up to, and of files of games what is known there.
#[test]
fn statistics_of_games_equal_the_sums_over_their_list() {
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    write_year(folder.path(), 300);
    let year = folder.path().to_str().unwrap();
    let choice = ["--recursive", year, "--games", "plies >= 11", "--unique-games"];
    let list = run([&["kifu", "--list"], &choice[..]].concat()).ok();
    let lines: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ran = run([&["stats", "--json"], &choice[..]].concat());
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    let report = ran.report();
    let fields = &report["game_fields"];
    assert_eq!((&report["game_files"], &fields["games"]), (&json!(300), &json!(lines.len())));
    assert!(report["games_left_out"]["duplicates"].as_u64().unwrap() > 20);
    assert_eq!(fields["games"].as_u64().unwrap(), 300 - left_out(&report));
    let scored = lines.iter().filter(|line| line["has_scores"] == true).count();
    assert_eq!(fields["truths"], json!({"has_scores": scored}));
    let members = |kind: &str| fields[kind].as_object().unwrap();
    assert_eq!((members("numbers").len(), members("texts").len()), (7, 9));
    for (name, field) in members("numbers").iter().chain(members("texts")) {
        let known: Vec<&Value> =
            lines.iter().map(|line| &line[name]).filter(|value| !value.is_null()).collect();
        assert_eq!(field["known"], json!(known.len()), "{name}");
        if field["most"].is_array() {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            for text in known {
                *counts.entry(text.as_str().unwrap()).or_default() += 1;
            }
            assert_eq!((&field["different"], &field["others"]), (&json!(counts.len()), &json!(0)), "{name}");
            assert_eq!(field["first"].as_str(), counts.keys().next().copied(), "{name}");
            assert_eq!(field["last"].as_str(), counts.keys().next_back().copied(), "{name}");
            let mut most: Vec<_> = counts.into_iter().collect();
            most.sort_by_key(|&(text, count)| (std::cmp::Reverse(count), text));
            let most: Vec<_> =
                most.iter().take(10).map(|(text, count)| json!({"text": text, "count": count})).collect();
            assert_eq!(field["most"], json!(most), "{name}");
        } else {
            let mut numbers: Vec<i64> =
                known.iter().map(|number| number.as_f64().unwrap().round() as i64).collect();
            numbers.sort_unstable();
            let count = numbers.len();
            let mean = numbers.iter().sum::<i64>() as f64 / count as f64;
            assert!((field["mean"].as_f64().unwrap() - mean).abs() < 1e-6, "{name}");
            assert_eq!(
                (&field["min"], &field["max"]),
                (&json!(numbers[0]), &json!(numbers[count - 1])),
                "{name}"
            );
            assert_eq!(field["median"], json!(numbers[(count - 1) / 2]), "{name}");
            for bin in field["bins"].as_array().unwrap() {
                let range = bin["from"].as_i64().unwrap()..=bin["to"].as_i64().unwrap();
                let inside = numbers.iter().filter(|number| range.contains(number)).count();
                assert_eq!(bin["count"], json!(inside), "{name}");
            }
            let binned: u64 =
                field["bins"].as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
            assert_eq!(binned, count as u64, "{name}");
        }
    }

    for format in ["hcpe3", "pack"] {
        let all = place.path(&format!("all.{format}")).to_str().unwrap().to_owned();
        run(["convert", "--quiet", "--recursive", year, &all]).ok();
        let whole = run(["stats", "--json", &all]).ok();
        let whole: Value = serde_json::from_str(&whole).unwrap();
        let fields = &whole["game_fields"];
        assert_eq!(
            fields["numbers"]["scored"]["mean"].as_f64(),
            fields["numbers"]["plies"]["mean"].as_f64(),
            "{format}"
        );
        assert_eq!(
            (&fields["texts"]["black"]["known"], &fields["texts"]["handicap"]["most"][0]["text"]),
            (&json!(0), &json!("平手"))
        );
        let plies = fields["numbers"]["plies"]["mean"].as_f64().unwrap() * fields["games"].as_f64().unwrap();
        assert!((plies - whole["records"].as_f64().unwrap()).abs() < 1e-6, "{format}");
        let mut saved = Vec::new();
        for part in ["0/2", "1/2"] {
            let path = place.path(&format!("{format}-{}.stats", &part[..1])).to_str().unwrap().to_owned();
            run(["stats", "--quiet", &all, "--partition", part, "--save", &path]).ok();
            saved.push(path);
        }
        let merged = run(["stats", "--json", "--merge", &saved[0], &saved[1]]).ok();
        let merged: Value = serde_json::from_str(&merged).unwrap();
        assert_eq!(&merged["game_fields"], fields, "{format}");
    }
}

/// The number of games that were left out, or had no result.
fn left_out(report: &Value) -> u64 {
    let members = ["not_chosen", "unknown", "duplicates"];
    members.iter().map(|member| report["games_left_out"][member].as_u64().unwrap()).sum()
}

#[test]
fn what_cannot_be_chosen_is_refused_with_the_names() {
    let place = Place::new();
    let game = place.file("a.csa", "N+a\nPI\n+\n+7776FU\n%TORYO\n").to_str().unwrap().to_owned();
    let out = place.path("out.csa").to_str().unwrap().to_owned();
    let refused = |condition: &str, names: &[&str]| {
        run(["kifu", "--json", &game, &out, "--games", condition]).refused(2, "expression", names);
    };
    refused("rating_mn > 3000", &["rating_min", "column 1", "black_rating"]);
    refused("date > '2026/01'", &["column 8", "2026-07-19"]);
    refused("winner == 'sente'", &["black, white, draw"]);
    refused("plies", &["column 1"]);
    let ran = run(["kifu", &game, &out, "--games", "plies > 1"]);
    ran.fails(1, &["out.csa"]);
    assert_eq!(place.names(), ["a.csa"]);
    let sfen = place.file("a.sfen", "startpos\n").to_str().unwrap().to_owned();
    let psv = place.path("b.psv").to_str().unwrap().to_owned();
    run(["convert", "--json", &sfen, &psv, "--games", "plies > 1"]).refused(2, "field_missing", &["a.sfen"]);
}
