//! `komabako kifu`, and game records read by other commands.

use std::fs;
use std::path::PathBuf;

use crate::support::{Place, run, run_on};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../komabako-kifu/tests/data").join(name)
}

fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap()
}

#[test]
fn games_convert_between_formats_and_losses_are_counted() {
    let place = Place::new();
    let csa = place.path("out.csa");
    let ran = run(["kifu", "--json", &text(data("000.kifu")), &text(csa.clone())]);
    let report: serde_json::Value = serde_json::from_str(&ran.ok()).unwrap();
    let losses = report["losses"].as_array().unwrap();
    assert!(losses.iter().any(|loss| loss["field"] == "variation_nodes" && loss["count"] == 14), "{report}");
    assert_eq!(fs::read(csa).unwrap(), fs::read(data("000.csa")).unwrap());

    let kif = place.path("out.kif");
    assert_eq!(run(["kifu", &text(data("012.jkf")), &text(kif.clone())]).code, 0);
    let expected = fs::read(data("012.kif")).unwrap();
    let start = expected.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    assert_eq!(fs::read(&kif).unwrap(), expected[start..]);

    run(["kifu", "--json", &text(data("000.jkf")), &text(kif)]).refused(2, "exists", &["out.kif"]);
}

#[test]
fn several_games_are_split_or_joined() {
    let place = Place::new();
    let two = text(data("edge/two_games.csa"));
    run(["kifu", &two, &text(place.path("out.kifu"))]).fails(2, &["--split"]);
    assert_eq!(place.names(), Vec::<String>::new());
    assert_eq!(run(["kifu", "--split", &two, &text(place.path("out.kifu"))]).code, 0);
    assert_eq!(place.names(), ["out-000001.kifu", "out-000002.kifu"]);
    assert_eq!(run(["kifu", &two, &text(place.path("out.usi"))]).code, 0);
    assert_eq!(
        fs::read_to_string(place.path("out.usi")).unwrap(),
        "position startpos moves 7g7f resign\nposition startpos moves 2g2f 8c8d\n"
    );
}

#[test]
fn bad_games_are_named_and_the_others_listed() {
    let place = Place::new();
    let bad = text(data("edge/bad_from.kif"));
    let good = text(data("001.csa"));
    let ran = run(["kifu", "--list", &bad, &good]);
    ran.fails(1, &["bad_from.kif: line 4, column 6: "]);
    let listed: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(listed["moves"], 7);
    assert_eq!(listed["ending"], "CHUDAN");
    assert_eq!(listed["result"], serde_json::Value::Null);
    let ran = run(["--lang", "ja", "kifu", "--check", &bad]);
    ran.fails(1, &["4 行 6 桁"]);
    let lenient = run(["kifu", "--lenient", &bad, &text(place.path("out.kifu"))]);
    assert_eq!(lenient.code, 1);
    assert!(fs::read_to_string(place.path("out.kifu")).unwrap().contains("   1 ７六歩(77)"));
}

#[test]
fn games_pass_through_pipes_and_unmappable_letters_are_reported() {
    let ran = run_on("startpos moves 7g7f\n", ["kifu", "--to", "csa", "-", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "V2.2\nPI\n+\n+7776FU\n"));
    let game = "手合割：平手\n先手：😀\n   1 ７六歩(77)\n";
    let place = Place::new();
    let output = text(place.path("out.kif"));
    run_on(game, ["kifu", "-", &output]).fails(1, &["😀", "--unmappable"]);
    assert_eq!(run_on(game, ["kifu", "--unmappable", "〓", "-", &output]).code, 0);
    assert_eq!(place.names(), ["out.kif"]);
}

#[test]
fn convert_turns_game_records_into_positions() {
    let place = Place::new();
    let output = text(place.path("out.psv"));
    let ran = run([
        "convert",
        "--json",
        "--unfinished",
        "draw",
        &text(data("floodgate_0.csa")),
        &text(data("edge/bad_side.csa")),
        &output,
    ]);
    ran.fails(1, &["bad_side.csa: line 4, column 1: "]);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((summary["games"].as_u64(), summary["bad_total"].as_u64()), (Some(1), Some(1)));
    assert_eq!(fs::metadata(&output).unwrap().len(), 40 * summary["written"].as_u64().unwrap());
    run(["convert", "--json", &text(data("floodgate_0.csa")), &output]).refused(2, "exists", &[]);
    let stopped = text(place.path("none.psv"));
    run(["convert", "--json", "--on-error", "stop", &text(data("edge/bad_side.csa")), &stopped]).refused(
        1,
        "bad_game",
        &["line 4"],
    );
    assert_eq!(place.names(), ["out.psv"]);
}

/// A folder of games, one in a thousand of them broken.
fn folder_with_a_broken_game(place: &Place, games: usize) -> PathBuf {
    let folder = place.path("games");
    fs::create_dir(&folder).unwrap();
    let good = fs::read_to_string(data("floodgate_0.csa")).unwrap();
    for number in 0..games {
        let is_broken = number % 1000 == 500;
        let text = if is_broken { good.replacen("-4344FU", "-4345FU", 1) } else { good.clone() };
        fs::write(folder.join(format!("{number:04}.csa")), text).unwrap();
    }
    folder
}

#[test]
fn one_broken_game_of_a_thousand_is_named_and_listed() {
    let place = Place::new();
    let folder = text(folder_with_a_broken_game(&place, 1000));
    let (output, list) = (text(place.path("out.psv")), text(place.path("bad.tsv")));
    let collect = format!("collect={list}");
    let options = ["--json", "--recursive", "--missing-score", "0", "--on-error", &collect];
    let ran = run(["convert"].iter().chain(&options).chain(&[folder.as_str(), &output]));
    ran.fails(1, &["0500.csa: line 20, column 1: "]);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["games"], 999);
    assert_eq!(fs::metadata(&output).unwrap().len(), 40 * summary["written"].as_u64().unwrap());
    let list = fs::read_to_string(list).unwrap();
    assert_eq!(list.lines().count(), 2);
    assert!(list.contains("0500.csa\t20\t1\tILLEGAL_MOVE\t"), "{list}");
}

/// A game of seven moves, unfinished and without scores: by default nothing of it becomes a record.
#[test]
fn omissions_name_the_option_that_keeps_them() {
    let place = Place::new();
    let convert = |name: &str, options: &[&str]| {
        let (game, output) = (text(data("001.csa")), text(place.path(name)));
        let ran = |more: &[&str]| run(["convert", &game, &output].iter().chain(options).chain(more)).ok();
        let said = ran(&[]);
        let report: serde_json::Value = serde_json::from_str(&ran(&["--json", "--force"])).unwrap();
        let counts = ["unfinished", "without_score", "written"].map(|name| report[name].as_u64().unwrap());
        assert_eq!(fs::metadata(output).unwrap().len(), 40 * counts[2]);
        (counts, ["`--unfinished draw`", "`--missing-score 0`"].map(|option| said.contains(option)))
    };
    assert_eq!(convert("neither.psv", &[]), ([1, 0, 0], [true, false]));
    assert_eq!(convert("finished.psv", &["--unfinished", "draw"]), ([0, 7, 0], [false, true]));
    let both = ["--unfinished", "draw", "--missing-score", "0"];
    assert_eq!(convert("both.psv", &both), ([0, 0, 7], [false, false]));
}

#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_no_output() {
    use std::process::Stdio;
    let place = Place::new();
    let folder = text(folder_with_a_broken_game(&place, 4000));
    let output = place.path("out.psv");
    let mut convert = crate::support::program();
    convert.args(["convert", "--recursive", "--missing-score", "0", "--threads", "1", &folder]).arg(&output);
    let mut child = convert.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while place.names() == ["games"] && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    let kill = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    kill.unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(place.names(), ["games"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    let full = fs::File::create("/dev/full").unwrap();
    let mut convert = crate::support::program();
    convert.args(["convert", "--missing-score", "0", "--to", "psv", &text(data("floodgate_0.csa")), "-"]);
    let ended = convert.stdout(full).output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn other_commands_read_game_records() {
    let game = text(data("edge/no_header.kif"));
    let played = run(["play", &game]).ok();
    assert!(
        played.starts_with("lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5"),
        "{played}"
    );
    assert!(run(["inspect", "--record", "4", &game]).ok().contains("b Bb 5"));
    assert!(run(["info", &game]).ok().contains("resignation 1"));
    assert!(run(["info", &game, "--lang", "ja"]).ok().contains("投了 1"));
    assert!(run(["moves", &game]).code == 0);
    assert!(run(["formats"]).ok().contains("csa3"));
}
