//! `solve`: what an answer says of lengths, and which problems `--skip-solved` skips for it.

use crate::support::{Place, run};
use komabako::kifu::Ending;
use serde_json::Value;

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";

/// A run on one problem, which writes an output in the form of its name.
fn solved(place: &Place, name: &str, options: &[&str]) -> String {
    let path = place.path(name).display().to_string();
    run([&["solve", THREE, "--output", &*path], options].concat());
    path
}

/// Whether a run finds its question answered in an output.
#[track_caller]
fn is_skipped(earlier: &str, options: &[&str]) -> bool {
    let ran = run([&["solve", THREE, "--output", "json", "--skip-solved", earlier], options].concat());
    assert!(ran.code < 2, "{}", ran.stderr);
    ran.stdout.is_empty()
}

#[test]
fn no_mate_within_is_not_no_mate() {
    let place = Place::new();
    let longer = ["--mate-in", "1"];
    let tsv = solved(&place, "longer.tsv", &longer);
    let json = solved(&place, "longer.json", &longer);
    let text = std::fs::read_to_string(&tsv).expect("written");
    let row = text.lines().nth(1).expect("a row");
    assert!(row.starts_with(&format!("{THREE}\tno-mate-within\t>1\t-\t")), "{row}");
    let object: Value =
        serde_json::from_str(&std::fs::read_to_string(&json).expect("written")).expect("JSON");
    assert_eq!((&object["verdict"], &object["within"]), (&"no-mate-within".into(), &1.into()), "{object}");
    assert_eq!((&object["length"], &object["reason"]), (&Value::Null, &"longer".into()), "{object}");
    assert_eq!(run(["solve", THREE, "--mate-in", "1", "--json"]).report()["problems"][0]["within"], 1);
    for (lang, sentence) in [("en", "no mate within 1 ply"), ("ja", "1 手以内には詰みません")] {
        let ran = run(["solve", THREE, "--mate-in", "1", "--lang", lang]);
        assert!(ran.stdout.starts_with(sentence), "{}", ran.stdout);
        for format in ["kif", "csa"] {
            let ran = run(["solve", THREE, "--mate-in", "1", "--output", format, "--lang", lang]);
            let games = komabako::kifu::read(ran.stdout.as_bytes(), Some(format)).expect("a game");
            let record = &games[0].record;
            assert_ne!(record.ending(), Some(&Ending::NoMate), "{}", ran.stdout);
            let comments: Vec<&str> = record.node(record.start()).comments().collect();
            assert_eq!(comments, [sentence], "{format}");
        }
    }
    for earlier in [&tsv, &json] {
        assert!(!is_skipped(earlier, &[]) && !is_skipped(earlier, &["--any"]), "{earlier}");
        assert!(!is_skipped(earlier, &["--mate-in", "3"]) && is_skipped(earlier, &longer), "{earlier}");
    }
}

#[test]
fn length_that_is_not_exact_is_not_written_as_one() {
    let place = Place::new();
    for (options, others) in [(["--any"].as_slice(), false), (&["--mate-in", "5"], true)] {
        let tsv = solved(&place, "any.tsv", &[options, &["--force"]].concat());
        let json = solved(&place, "any.json", &[options, &["--force"]].concat());
        let text = std::fs::read_to_string(&tsv).expect("written");
        let length = text.lines().nth(1).and_then(|row| row.split('\t').nth(2)).expect("a row");
        let plies: u16 = length.strip_prefix("<=").expect(length).parse().expect(length);
        assert!(plies >= 3 && (!others || plies <= 5), "{length}");
        let within = plies.to_string();
        for earlier in [&tsv, &json] {
            assert!(!is_skipped(earlier, &[]), "{options:?}: {earlier}");
            assert!(
                is_skipped(earlier, &["--any"]) && is_skipped(earlier, &["--mate-in", &within]),
                "{earlier}"
            );
            assert!(!is_skipped(earlier, &["--mate-in", "2"]), "{earlier}");
        }
        // A game says it by its comment.
        let kif = place.path("any.kif").display().to_string();
        let split = ["solve", THREE, "--output", &*kif, "--split"];
        run([&split, options, &["--force"]].concat());
        let first = place.path("any-000001.kif");
        let game = || std::fs::read(&first).expect("written");
        let before = game();
        run([&split[..], &["--any", "--skip-solved", &*kif]].concat());
        assert_eq!(game(), before);
        run([&split[..], &["--skip-solved", &*kif]].concat());
        assert_ne!(game(), before);
    }
}

#[test]
fn answer_that_lacks_what_is_asked_does_not_count() {
    let place = Place::new();
    let check = ["--check"];
    let needless = ["--check", "--needless"];
    let strict = ["--convention", "strict"];
    for extension in ["tsv", "json"] {
        let output = |name: &str, options: &[&str]| solved(&place, &format!("{name}.{extension}"), options);
        let [plain, checked] = [output("plain", &[]), output("checked", &check)];
        let [all, both] = [output("all", &needless), output("both", &["--convention", "both"])];
        for earlier in [&plain, &checked, &all, &both] {
            assert!(is_skipped(earlier, &[]), "{earlier}");
        }
        assert!(!is_skipped(&plain, &check) && is_skipped(&checked, &check));
        assert!(!is_skipped(&plain, &[&check[..], &["--skip-unknown"]].concat()), "it was never checked");
        assert!(!is_skipped(&checked, &needless) && is_skipped(&all, &needless));
        assert!(is_skipped(&both, &strict));
    }
    let tsume = solved(&place, "tsume.json", &[]);
    for (option, name) in [(["--variations", "1"].as_slice(), "variations.json"), (&["--all"], "checks.json")]
    {
        let earlier = solved(&place, name, option);
        assert!(!is_skipped(&tsume, option) && is_skipped(&earlier, option) && is_skipped(&earlier, &[]));
    }
    // Empty lists are there too.
    let none = "9/9/9/9/k8/9/9/9/8R b - 1";
    let report = run(["solve", none, "--json", "--all", "--variations", "1"]).report();
    assert_eq!(
        (&report["problems"][0]["variations"], report["problems"][0]["checks"].is_array()),
        (&Value::Array(Vec::new()), true)
    );
    let strictly = solved(&place, "strict.json", &strict);
    assert!(!is_skipped(&tsume, &strict) && is_skipped(&strictly, &strict) && !is_skipped(&strictly, &[]));
    // A limit ended the search for the strict length.
    let text = std::fs::read_to_string(place.path("plain.tsv")).expect("written");
    let text = text.replace("\tmate\t3\t3\t", "\tmate\t3\t-\t");
    let limited = place.file("limited.tsv", text).display().to_string();
    assert!(is_skipped(&limited, &[]) && !is_skipped(&limited, &strict));
    // Games say in a comment whether they were checked.
    let kif = place.path("game.kif").display().to_string();
    let split = ["solve", THREE, "--output", &*kif, "--split"];
    let game = || std::fs::read(place.path("game-000001.kif")).expect("written");
    run(split);
    let before = game();
    for lang in ["en", "ja"] {
        run([&split[..], &check, &["--skip-solved", &*kif, "--lang", lang]].concat());
        assert_ne!(game(), before);
    }
    let checked = game();
    run([&split[..], &check, &["--skip-solved", &*kif, "--lang", "ja"]].concat());
    assert_eq!(game(), checked);
}

#[test]
fn what_an_output_cannot_hold_is_named() {
    let place = Place::new();
    let solve = |name: &str, options: &[&str]| {
        let path = place.path(name).display().to_string();
        run([&["solve", THREE, "--output", &*path, "--force"], options].concat()).stderr
    };
    for name in ["a.csa", "a.usi", "a.sfen", "a.tsv"] {
        assert_eq!(solve(name, &[]), "", "{name}");
        for options in [["--variations", "1"].as_slice(), &["--all"]] {
            let said = solve(name, options);
            assert!(said.contains("lost: moves of variations "), "{name}: {said}");
            assert_eq!(solve(name, &[options, &["--quiet"]].concat()), "", "{name}");
        }
        let said = solve(name, &["--variations", "1", "--lang", "ja"]);
        assert!(said.contains("喪失: 変化の手 "), "{name}: {said}");
    }
    for name in ["a.kif", "a.kifu", "a.jkf", "a.json", "a.txt"] {
        assert_eq!(solve(name, &["--variations", "1"]), "", "{name}");
        assert_eq!(solve(name, &["--check"]), "", "{name}");
    }
    // The author's line is longer than the shortest mate: no column says that.
    let dual = "8k/9/9/9/9/9/9/9/9 b 2R2b4g4s4n4l18p 1";
    for name in ["a.usi", "a.tsv"] {
        let path = place.path(name).display().to_string();
        let game = format!("sfen {dual} moves R*1b 1a1b R*1h");
        let said = run(["solve", "--check", &*game, "--output", &*path, "--force"]).stderr;
        assert!(said.contains("lost: findings of the checker "), "{name}: {said}");
    }
}

/// A mate in one by the convention of problems, and in three strictly.
const ONE_OR_THREE: &str = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s3n3l18p 1";

/// The number of answers in an output of rows, and the exit code of the run that wrote it.
fn rows_of(problem: &str, output: &str, options: &[&str]) -> (usize, i32) {
    let ran = run([&["solve", problem, "--output", output], options].concat());
    let text = std::fs::read_to_string(output).unwrap_or_else(|_| panic!("{}", ran.stderr));
    (text.lines().count() - 1, ran.code)
}

#[test]
fn answer_by_another_convention_does_not_count() {
    let place = Place::new();
    let path = place.path("answers.tsv").display().to_string();
    let again = ["--skip-solved", &*path];
    assert_eq!(rows_of(ONE_OR_THREE, &path, &["--convention", "strict"]), (1, 0));
    assert_eq!(rows_of(ONE_OR_THREE, &path, &again), (2, 0));
    assert_eq!(rows_of(ONE_OR_THREE, &path, &again), (2, 0));
    let text = std::fs::read_to_string(&path).expect("written");
    let lengths: Vec<&str> = text.lines().skip(1).filter_map(|row| row.split('\t').nth(2)).collect();
    assert_eq!(lengths, ["3", "1"]);
}

/// With the complement in hand the king is not mated.
#[test]
fn answer_about_another_hand_or_side_does_not_count() {
    let place = Place::new();
    let bare = "8k/9/8G/9/R8/9/9/9/9 b - 1";
    for name in ["hands.tsv", "hands.json"] {
        let path = place.path(name).display().to_string();
        let written = |options: &[&str]| {
            run([&["solve", bare, "--output", &*path], options].concat());
            std::fs::read_to_string(&path).expect("written").lines().count()
                - usize::from(name.ends_with("tsv"))
        };
        let given = ["--hands", "as-given", "--skip-solved", &*path];
        assert_eq!(written(&[]), 1);
        assert_eq!(written(&given), 2);
        assert_eq!(written(&given), 2);
        assert_eq!(written(&["--skip-solved", &*path]), 2);
        let complement = ["--hands", "complement", "--skip-solved", &*path];
        assert_eq!(written(&complement), 2);
    }
    let path = place.path("root.tsv").display().to_string();
    let mated = "3gkg3/9/4R4/9/9/9/9/9/4K4 w - 1";
    let defend = ["--root", "defend", "--skip-solved", &*path];
    let (first, _) = rows_of(mated, &path, &[]);
    assert_eq!((first, rows_of(mated, &path, &defend).0, rows_of(mated, &path, &defend).0), (1, 2, 2));
    // The answer names the rules.
    let answer = run(["solve", bare, "--json"]).report()["problems"][0].clone();
    let rules = [&answer["hands"], &answer["hands_changed"], &answer["root"]];
    assert_eq!(rules, [&Value::from("complement"), &true.into(), &"attack".into()]);
    let sentence = "the defender holds all remaining pieces";
    assert!(
        run(["solve", bare]).stdout.contains(sentence) && !run(["solve", THREE]).stdout.contains(sentence)
    );
}

#[test]
fn skipped_problem_without_a_mate_counts_in_the_exit_code() {
    let place = Place::new();
    let no_mate = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
    let problems = place.file("two.sfen", format!("{THREE}\n{no_mate}\n")).display().to_string();
    for name in ["answers.tsv", "answers.json"] {
        let path = place.path(name).display().to_string();
        let codes = [&[][..], &["--skip-solved", &*path]]
            .map(|options| run([&["solve", &*problems, "--output", &*path], options].concat()).code);
        assert_eq!(codes, [1, 1], "{name}");
        assert_eq!(run(["solve", THREE, "--skip-solved", &*path, "--output", "json"]).code, 0);
    }
    // Not sound, though a mate.
    let path = place.path("checked.tsv").display().to_string();
    let dual = "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    assert_eq!(rows_of(dual, &path, &["--check"]), (1, 1));
    assert_eq!(rows_of(dual, &path, &["--check", "--skip-solved", &*path]), (1, 1));
    assert_eq!(run(["solve", dual, "--skip-solved", &*path, "--output", "json"]).code, 0);
}

#[test]
fn columns_of_the_input_have_names() {
    let place = Place::new();
    let solved = |name: &str, text: String| {
        let input = place.file(name, text).display().to_string();
        let ran = run(["solve", &*input, "--output", "tsv"]);
        let rows: Vec<Vec<String>> =
            ran.stdout.lines().map(|row| row.split('\t').map(str::to_owned).collect()).collect();
        let own = rows[0].iter().position(|name| name == "root").expect("a header") + 1;
        assert!(rows.iter().all(|row| row.len() <= rows[0].len()), "{rows:?}");
        rows[0][own..].to_vec()
    };
    assert_eq!(solved("plain.tsv", format!("{THREE}\n")), [""; 0]);
    assert_eq!(solved("bare.tsv", format!("{THREE}\tone\n{ONE_OR_THREE}\ta\tb\n")), ["input_2", "input_3"]);
    // A name that a column of answers can have is no name.
    let header = "sfen\tid\tsound\tauthor of it";
    let named = solved("named.tsv", format!("{header}\n{THREE}\t1\t3\tX\n"));
    assert_eq!(named, ["id", "input_3", "author of it"]);
    // A continued output keeps its header.
    let input = place.file("again.tsv", format!("{header}\n{THREE}\t1\t3\tX\n")).display().to_string();
    let path = place.path("kept.tsv").display().to_string();
    assert_eq!(rows_of(&input, &path, &[]), (1, 0));
    assert_eq!(rows_of(&input, &path, &["--skip-solved", &*path]), (1, 0));
}

#[test]
fn earlier_output_that_is_missing_is_an_error() {
    let place = Place::new();
    let [own, other] = ["own.tsv", "other.tsv"].map(|name| place.path(name).display().to_string());
    let skip = |earlier: &str| run(["solve", THREE, "--output", &*own, "--force", "--skip-solved", earlier]);
    skip(&other).fails(2, &["other.tsv"]);
    for earlier in [own.clone(), format!("{own}.part")] {
        skip(&earlier).ok();
        std::fs::remove_file(&own).expect("written");
    }
}

#[test]
fn input_without_a_position_is_an_error() {
    let place = Place::new();
    for text in ["", "\n \n", "# none\n", "sfen\tauthor\n"] {
        let input = place.file("in.sfen", text).display().to_string();
        run(["solve", &*input, "--json"]).refused(2, "empty_input", &["no position"]);
        let path = place.path("out.tsv");
        run(["solve", &*input, "--output", &*path.display().to_string()]).fails(2, &["no position"]);
        assert!(!path.exists());
    }
    run(["solve", "--json"]).refused(2, "empty_input", &["no position"]);
}

#[test]
fn strict_lengths_are_refused_where_they_are_not_counted() {
    for option in [&["--check"][..], &["--line", "author"]] {
        let ran = run([&["solve", THREE, "--convention", "strict"], option].concat());
        assert!(ran.code == 2 && ran.stderr.contains("--convention both"), "{}", ran.stderr);
        assert_eq!(run([&["solve", THREE, "--convention", "both"], option].concat()).code, 0);
    }
}

#[test]
#[cfg(unix)]
fn replaced_files_keep_their_permissions_and_links() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let [answers, certificate] = ["s.tsv", "k.kmc"].map(|name| place.path(name).display().to_string());
    let solve = ["solve", THREE, "--output", &*answers, "--certificate", &*certificate];
    symlink("end.tsv", &answers).unwrap();
    // A link that leads nowhere is not written through unasked.
    run(solve).fails(2, &["s.tsv", "--force"]);
    assert_eq!(place.names(), ["s.tsv"]);
    run([&solve[..], &["--force"]].concat()).ok();
    assert_eq!(place.names(), ["end.tsv", "k.kmc", "s.tsv"]);
    let is_private = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777 == 0o600;
    for options in [&["--force"][..], &["--skip-solved", &*answers, "--force"]] {
        for path in [&answers, &certificate] {
            fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
        }
        run([&solve[..], options].concat());
        assert!(is_private(&answers) && is_private(&certificate), "{options:?}");
        assert!(place.path("s.tsv").is_symlink());
    }
}
