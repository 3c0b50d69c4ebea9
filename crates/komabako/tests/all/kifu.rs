//! `komabako kifu`, and game records read by other commands.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Place, Ran, program, run, run_on};

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

/// Two games, the second of which is good.
const ONE_BAD: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8899FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n";

/// Of a collection, the files and folders that may not be read are left out like bad games.
#[test]
#[cfg(unix)]
fn what_may_not_be_read_is_reported_and_the_rest_written() {
    use std::fs::{File, Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    for folder in ["games", "games/b"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    for name in ["games/a.csa", "games/b/a.csa", "games/c.csa", "games/d.csa"] {
        place.file(name, "V2.2\nPI\n+\n+7776FU\n%TORYO\n");
    }
    let [folder, file] = ["games/b", "games/c.csa"].map(|name| place.path(name));
    for path in [&folder, &file] {
        set_permissions(path, Permissions::from_mode(0o000)).unwrap();
    }
    let may_all_be_read = File::open(&file).is_ok();
    if may_all_be_read {
        println!("skipped: this user may read every file");
    } else {
        let games = place.path("games").display().to_string();
        for (command, name) in [("kifu", "out.usi"), ("convert", "out.psv")] {
            let out = place.path(name).display().to_string();
            let words = [command, "--json", "--recursive", &*games, &*out];
            let report = run([&words[..], &["--on-error", "skip"]].concat());
            assert_eq!(report.code, 1, "{}", report.stderr);
            let report = report.report();
            assert_eq!((&report["bad_total"], &report["bad"]["FILE"]), (&2.into(), &2.into()), "{report}");
            assert_eq!(report["games"], 2, "{report}");
            run([&words[..], &["--on-error", "stop", "--force"]].concat()).refused(
                1,
                "bad_game",
                &["games/"],
            );
        }
    }
    // So that the folder can be removed.
    set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn parts_of_a_split_never_replace_inputs() {
    let place = Place::new();
    let path = |name: &str| text(place.path(name));
    place.file("x-000001.csa", ONE_BAD);
    let split = ["kifu", "--json", "--split", "-f"];
    let run = |more: &[&str]| run(split.iter().chain(more).copied());
    run(&[&path("x-000001.csa"), &path("x.csa")]).refused(2, "same_file", &["x-000001.csa"]);
    assert_eq!(place.names(), ["x-000001.csa"]);

    // Nothing is written, although only the second part has the name of an input.
    fs::copy(data("000.kifu"), place.path("q-000002.csa")).unwrap();
    run(&[&text(data("001.csa")), &path("q-000002.csa"), &path("q.csa")]).refused(
        2,
        "same_file",
        &["q-000002.csa"],
    );
    assert_eq!(place.names(), ["q-000002.csa", "x-000001.csa"]);
    assert_eq!(fs::read(place.path("q-000002.csa")).unwrap(), fs::read(data("000.kifu")).unwrap());

    // Names that only resemble those of parts are no parts.
    place.file("x-00001.csa", ONE_BAD);
    assert_eq!(run(&[&path("x-00001.csa"), &path("y.csa")]).code, 1);
    assert_eq!(run(&[&path("x-000001.csa"), &path("x.kifu")]).code, 1);
    assert_eq!(fs::read_to_string(place.path("x-000001.csa")).unwrap(), ONE_BAD);
}

#[test]
fn parts_of_a_split_never_replace_a_list_or_a_manifest() {
    let place = Place::new();
    let two = place.file("two.csa", ONE_BAD);
    for option in ["--on-error=collect=", "--manifest="] {
        let option = format!("{option}{}", text(place.path("out-000001.csa")));
        let ran = run([
            "kifu",
            "--json",
            "--split",
            "-f",
            &option,
            &text(two.clone()),
            &text(place.path("out.csa")),
        ]);
        ran.refused(2, "same_file", &["out-000001.csa"]);
    }
    let list = text(place.path("b.txt"));
    let collect = format!("--on-error=collect={list}");
    let out = text(place.path("o.csa"));
    let ran = run(["kifu", "--json", "-f", &collect, "--manifest", &list, &text(two.clone()), &out]);
    ran.refused(2, "same_file", &["b.txt"]);
    assert_eq!(place.names(), ["two.csa"]);
}

#[test]
fn parts_of_an_earlier_split_are_named_and_standard_output_is_no_part() {
    let place = Place::new();
    let two = text(data("edge/two_games.csa"));
    let parts = text(place.path("out.kifu"));
    run(["kifu", "--split", &two, &parts]);
    let one = text(place.file("one.csa", "PI\n+\n+7776FU\n"));
    let ran = run(["kifu", "--split", "-f", &one, &parts]);
    ran.fails(0, &["out-000002.kifu"]);
    assert!(!ran.stderr.contains("out-000001.kifu"));
    let names = place.names();
    let ran =
        program().current_dir(place.path("")).args(["kifu", &one, "-", "--split", "--to", "kif"]).output();
    Ran::from(ran.unwrap()).fails(2, &["--split"]);
    assert_eq!(place.names(), names);
}

#[cfg(unix)]
#[test]
fn parts_of_a_split_never_replace_inputs_through_links() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let input = place.file("games.csa", ONE_BAD);
    symlink(&input, place.path("x-000001.csa")).unwrap();
    let ran = run(["kifu", "--json", "--split", "-f", &text(input.clone()), &text(place.path("x.csa"))]);
    ran.refused(2, "same_file", &["x-000001.csa"]);
    symlink(&input, place.path("link.csa")).unwrap();
    let ran = run(["kifu", "--json", "-f", &text(place.path("link.csa")), &text(input.clone())]);
    ran.refused(2, "same_file", &["games.csa"]);
    assert_eq!(fs::read_to_string(input).unwrap(), ONE_BAD);
}

#[test]
fn earlier_outputs_in_a_searched_folder_are_refused() {
    let place = Place::new();
    let folder = place.path("d");
    fs::create_dir(&folder).unwrap();
    for name in ["a.usi", "b.usi"] {
        fs::write(folder.join(name), "startpos moves 7g7f resign\n").unwrap();
    }
    let [folder, output] = [folder.clone(), folder.join("out.csa")].map(text);
    let kifu =
        |more: &[&str]| run(["kifu", "--json", "--recursive", "-f", &folder, &output].iter().chain(more));
    assert_eq!(kifu(&[]).report()["games_written"], 2);
    let written = fs::read(&output).unwrap();
    kifu(&[]).refused(2, "same_file", &["out.csa"]);
    assert_eq!(fs::read(&output).unwrap(), written);
    fs::remove_file(&output).unwrap();
    assert_eq!(kifu(&["--split"]).report()["games_written"], 2);
    kifu(&["--split"]).refused(2, "same_file", &["out-00000"]);
    // Game records are not read from files of positions, so that a conversion can be repeated.
    let positions = text(place.path("d/out.psv"));
    let options = ["convert", "--json", "--recursive", "--missing-score", "0", "-f", &folder, &positions];
    for _ in 0..2 {
        assert_eq!(run(options).report()["written"], 4);
    }
}

/// Links to folders, members of archives that are no game records, and JSON without moves: named, in both commands and languages.
#[cfg(unix)]
#[test]
fn what_a_search_passes_by_is_named() {
    let place = Place::new();
    for folder in ["d", "other"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    let other = r#"{"name": "x", "nested": {"moves": []}}"#;
    fs::write(place.path("d/package.json"), other).unwrap();
    fs::write(place.path("d/a.usi"), "startpos moves 7g7f resign\n").unwrap();
    let mut zip = zip::ZipWriter::new(fs::File::create(place.path("d/games.zip")).unwrap());
    for (name, content) in
        [("notes.txt", ""), ("b.usi", "startpos moves 2g2f resign\n"), ("README", ""), ("list.json", "[1]")]
    {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    std::os::unix::fs::symlink(place.path("other"), place.path("d/link")).unwrap();
    let [folder, csa, psv] = ["d", "out.csa", "out.psv"].map(|name| text(place.path(name)));
    for (lang, words) in
        [("en", ["a link to a folder", "2 members"]), ("ja", ["フォルダーへのリンク", "2 個のメンバー"])]
    {
        let kifu = run(["kifu", "--lang", lang, "--json", "--recursive", "-f", &folder, &csa]);
        let options = ["--json", "--recursive", "--missing-score", "0", "-f", &folder, &psv];
        let convert = run(["convert", "--lang", lang].iter().chain(&options));
        for ran in [kifu, convert] {
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            assert!(words.iter().all(|words| ran.stderr.contains(words)), "{}", ran.stderr);
            for name in ["d/link", "games.zip: ", "d/package.json: ", "games.zip!list.json: "] {
                assert!(ran.stderr.contains(name), "{name}: {}", ran.stderr);
            }
            let report = ran.report();
            assert_eq!((&report["game_files"], &report["games"]), (&2.into(), &2.into()), "{report}");
        }
    }
    // One that the user names is to be a game.
    run(["kifu", "--check", &text(place.path("d/package.json"))]).fails(1, &["package.json: line 1"]);
}

#[test]
fn old_outputs_stay_if_no_game_can_be_read() {
    let place = Place::new();
    let bad = text(data("edge/bad_from.kif"));
    fs::create_dir(place.path("empty")).unwrap();
    let empty = text(place.path("empty"));
    for (command, name) in [("kifu", "p.csa"), ("convert", "p.psv")] {
        let output = text(place.file(name, "old"));
        for (input, lang) in [(&bad, "en"), (&bad, "ja"), (&empty, "en")] {
            let ran = run(["--lang", lang, command, "--json", "--recursive", input, &output, "-f"]);
            ran.fails(1, &[name]);
            assert!(ran.report()["output"].is_null(), "{command}");
            assert_eq!(fs::read_to_string(&output).unwrap(), "old", "{command}");
        }
    }
}

#[test]
fn bad_games_are_named_and_the_others_listed() {
    let place = Place::new();
    let bad = text(data("edge/bad_from.kif"));
    let good = text(data("001.csa"));
    let ran = run(["kifu", "--list", &bad, &good]);
    ran.fails(1, &["bad_from.kif: line 4, column 6: "]);
    let listed: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(listed["plies"], 7);
    assert_eq!(listed["ending"], "CHUDAN");
    assert_eq!(listed["winner"], serde_json::Value::Null);
    let ran = run(["--lang", "ja", "kifu", "--check", &bad]);
    ran.fails(1, &["4 行目 6 桁目"]);
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
    run_on(game, ["kifu", "-", &output])
        .fails(1, &["😀", "--unmappable", "out.kif: not written, because no game could be written"]);
    assert_eq!(run_on(game, ["kifu", "--unmappable", "〓", "-", &output]).code, 0);
    assert_eq!(place.names(), ["out.kif"]);

    // The game is named, and the others are written.
    let games = "PI\n+\n+7776FU\n/\nN+😀\nPI\n+\n/\nPI\n+\n+2726FU\n";
    let games = text(place.file("games.csa", games));
    let output = text(place.path("out.csa"));
    let options = ["kifu", "--json", "--encoding", "cp932", &games, &output];
    let ran = run(options);
    ran.fails(1, &["games.csa: game 2, from line 5: ", "😀", "--unmappable"]);
    let report = ran.report();
    assert_eq!((&report["games_written"], &report["bad_games"][0]["game"]), (&2.into(), &2.into()));
    assert_eq!(fs::read_to_string(&output).unwrap().matches("PI").count(), 2);
    let stopped = run(options.iter().chain(&["-f", "--on-error", "stop"]));
    stopped.refused(1, "bad_game", &["game 2", "--unmappable"]);
}

/// The bytes of these kana are letters of UTF-8 too.
#[test]
fn half_width_kana_of_csa_in_cp932_are_read_back() {
    let place = Place::new();
    let input = text(place.path("a.csa"));
    let output = text(place.path("b.csa"));
    fs::write(&input, "V2.2\nN+ﾐｶ\nPI\n+\n+7776FU\n%TORYO\n").unwrap();
    run(["kifu", "--encoding", "cp932", &input, &output]).ok();
    assert!(fs::read(&output).unwrap().starts_with(b"'CSA encoding=SHIFT_JIS\nV2.2\n"));
    let list = run(["kifu", "--list", &output]).ok();
    assert!(list.contains("ﾐｶ"), "{list}");
}

#[test]
fn replaced_characters_are_counted_and_a_replacement_must_be_in_cp932() {
    let place = Place::new();
    let output = text(place.path("out.kif"));
    let game = "手合割：平手\n先手：😀é\n   1 ７六歩(77)\n";
    let ran = run_on(game, ["kifu", "--json", "--unmappable", "〓", "-", &output]);
    let losses = &ran.report()["losses"];
    assert_eq!((&losses[0]["field"], &losses[0]["count"]), (&"characters".into(), &2.into()), "{losses}");
    assert!(run(["kifu", "--check", &output]).code == 0);
    for bad in ["😀", "\n", "\r", "\t", "é", "", "〓〓", "\"", "*"] {
        // On Windows the program replaces it by the names of files, since no shell does.
        if cfg!(windows) && bad == "*" {
            continue;
        }
        for lang in ["en", "ja"] {
            let ran = run_on(game, ["--lang", lang, "kifu", "-f", "--unmappable", bad, "-", &output]);
            // Controls are shown escaped.
            let shown = if bad.contains(char::is_control) {
                bad.escape_default().to_string()
            } else {
                bad.to_owned()
            };
            ran.fails(2, &["--unmappable", &shown, "〓"]);
        }
    }
}

/// A header of JKF may have any keys.
#[test]
fn header_keys_that_look_like_another_format_do_not_make_kif_unreadable() {
    let place = Place::new();
    let keys = ["N+foo", "V2.2", "PI", "P1", "+7776FU", "position startpos", "{"];
    let header: Vec<String> = keys.iter().map(|key| format!("{key:?}:\"v\"")).collect();
    let mv = r#"{"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}"#;
    let jkf = format!(r#"{{"header":{{{}}},"moves":[{{}},{mv}]}}"#, header.join(","));
    let game = text(place.file("a.jkf", jkf));
    for name in ["out.kifu", "out.kif", "out.ki2u", "out.ki2"] {
        let output = text(place.path(name));
        let ran = run(["kifu", "--json", &game, &output]);
        assert_eq!((ran.code, &ran.report()["losses"][0]["count"]), (0, &keys.len().into()), "{name}");
        run(["kifu", "--check", &output]).ok();
    }
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
    for lang in ["en", "ja"] {
        let whole = text(place.path("none.hcpe3"));
        let ran = run(["--lang", lang, "convert", "--variations", &text(data("floodgate_0.csa")), &whole]);
        ran.fails(2, &["hcpe3", "--variations"]);
    }
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
    let output = text(place.path("out.psv"));
    let list = text(place.path("bad.tsv"));
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
        let game = text(data("001.csa"));
        let output = text(place.path(name));
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
    let mut convert = program();
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
    let mut convert = program();
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

#[test]
fn a_dry_run_of_games_checks_the_output() {
    let place = Place::new();
    let game = place.file("game.csa", "V2.2\nPI\n+\n+7776FU\n%TORYO\n");
    let known = place.file("known.psv", "precious");
    let dry_run = |output: &Path| {
        let output = output.to_str().unwrap();
        run(["convert", game.to_str().unwrap(), output, "--dry-run", "--json", "--to", "psv"])
    };
    assert_eq!(dry_run(&known).error_kind(2), "exists");
    assert_eq!(dry_run(&game).error_kind(2), "same_file");
    dry_run(&place.path("new.psv")).ok();
}
