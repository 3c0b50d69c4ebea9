//! The command line itself: usage, languages, backends, completions, manual.

use crate::support::{Place, Ran, program, run, run_on, sample};

#[test]
fn every_command_prints_help_in_both_languages() {
    let help = run(["--help"]).ok();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // The continuation of a long text is indented further.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        assert!(run([command, "--help"]).ok().contains("Usage: komabako"), "{command}");
        let japanese = run([command, "--help", "--lang", "ja"]).ok();
        assert!(japanese.contains("使い方: komabako"), "{command}: {japanese}");
        assert!(!japanese.contains("Options:") && !japanese.contains("Arguments:"), "{command}: {japanese}");
    }
}

#[test]
fn usage_errors_exit_with_code_2() {
    run([] as [&str; 0]).fails(2, &["Usage"]);
    run(["fly"]).fails(2, &["fly"]);
    run(["encode"]).fails(2, &["--format"]);
    run(["--lang=ja", "encode"]).fails(2, &["引数が足りません", "--format", "使い方"]);
    run(["--lang=ja", "encode", "--format", "csa"]).fails(2, &["csa", "使える値", "sspfv1"]);
}

#[test]
fn usage_errors_are_whole_in_reports() {
    let report = run(["shuffle", "a.psv", "b.psv", "--json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["error"]["message"], "the following required arguments were not provided: --seed <N>");
}

#[test]
fn options_without_a_command_print_the_help() {
    run(["--lang", "ja"]).fails(2, &["使い方: komabako", "コマンド:", "convert"]);
    run(["-q"]).fails(2, &["Usage: komabako", "Commands:"]);
    run(["--lang", "ja", "--bogus"]).fails(2, &["--bogus"]);
}

#[test]
fn version_is_one_line_in_every_language() {
    let line = format!("komabako {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(["--version"]).ok(), line);
    assert_eq!(run(["--lang", "ja", "-V"]).ok(), line);
}

#[test]
fn usage_errors_are_japanese_on_request() {
    for (arguments, texts) in [
        (&["slice", "a", "--range", "q"][..], &["`q`", "使える値の例: 1000..2000"][..]),
        (&["split", "a", "--into", "b", "--records", "0"], &["`0`", "1 以上の整数"]),
        (&["head", "-n", "many", "a"], &["`many`", "0 以上の整数"]),
        (&["perft", "--depth", "99999999999"], &["使える値: 0 … 4294967295"]),
        (&["sample", "--ratio", "q", "a", "b"], &["使える値: 数"]),
        (&["head", "-n", "3", "-n", "4", "a"], &["1 回しか指定できません"]),
        (&["stats", "a", "--json=3"], &["`3` は付けられません"]),
        (&["split", "a", "--into", "b", "--records", "1", "--parts", "2"], &["同時に指定できません"]),
    ] {
        let ran = run([&["--lang", "ja"][..], arguments].concat());
        ran.fails(2, texts);
        assert!(!ran.stderr.contains("error") && !ran.stderr.contains("Usage"), "{}", ran.stderr);
    }
}

#[test]
fn usage_errors_show_valid_values() {
    for (arguments, text) in [
        (&["slice", "a", "--range", "5..1"][..], "give a value such as 1000..2000, ..2000, 1000.."),
        (&["split", "a", "--into", "b", "--records", "0"], "give 1 or more"),
        (&["split", "a", "--into", "b", "--bytes", "0"], "give a value such as 512M"),
        (&["dedup", "a", "b", "--parts", "0"], "give 1 … 65536"),
        (&["dedup", "a", "b", "--partition", "3/3"], "give a partition I/N"),
        (&["dedup", "a", "b", "--partition", "3/3", "--lang", "ja"], "使える値: 分担 I/N"),
        (&["stats", "a", "--threads", "x"], "give a whole number, 0 or more"),
        (&["shuffle", "a", "b", "--seed", "-1"], "give a whole number, 0 or more"),
        (&["dedup", "a", "b", "--shuffle-seed", "-1"], "give a whole number, 0 or more"),
        (&["convert", "a", "b", "--level", "77"], "give 1 … 19"),
        (&["convert", "a", "b", "--level", "77", "--lang", "ja"], "使える値: 1 … 19"),
        (&["convert", "a", "b", "--missing-score", "-40000"], "give skip, -32768 … 32767"),
        (&["solve", "a", "--time", "x", "--lang", "ja"], "使える値の例: 10s"),
    ] {
        let ran = run(arguments);
        ran.fails(2, &[text, "--help"]);
        assert!(!ran.stderr.contains("zero type"), "{}", ran.stderr);
    }
}

#[test]
fn directory_in_place_of_a_file_is_refused() {
    let place = Place::new();
    let directory = place.path("dir.psv");
    std::fs::create_dir(&directory).unwrap();
    let directory = directory.to_str().unwrap();
    let sample = sample("sample.psv");
    let sample = sample.to_str().unwrap();
    for (arguments, kind) in [
        (&["validate", directory][..], "open"),
        (&["stats", sample, directory], "open"),
        (&["cat", sample, "-o", directory], "create"),
        (&["convert", sample, directory, "--force"], "create"),
        (&["shuffle", "--seed", "1", sample, directory], "create"),
        (&["merge-scores", sample, directory, "out.psv"], "open"),
    ] {
        run([arguments, &["--json"]].concat()).refused(2, kind, &["dir.psv", "a directory"]);
    }
    run(["info", directory]).fails(2, &["dir.psv", "a directory"]);
    run(["cat", directory, "--lang", "ja"]).fails(2, &["ディレクトリです", "対処"]);
}

/// A shell sets the limit of open files.
#[cfg(unix)]
#[test]
fn too_many_open_files_is_reported() {
    let place = Place::new();
    let ratio = ["1"; 60].join(":");
    for lang in ["en", "ja"] {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -n 30 && exec \"$0\" \"$@\""]).arg(program().get_program());
        command.args(["split", "--json", "--ratio", &ratio, "--lang", lang, "--into"]);
        let output = command.arg(place.path("{}.psv")).arg(sample("sample.psv")).output().unwrap();
        Ran::from(output).refused(2, "create", &["ulimit -n"]);
        assert!(place.names().is_empty());
    }
}

#[test]
fn environment_sets_the_language_and_the_option_overrides_it() {
    let japanese = |arguments: &[&str]| {
        let output = program().args(arguments).env("LC_ALL", "ja_JP.UTF-8").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(japanese(&["--help"]).contains("使い方"));
    assert!(japanese(&["--help", "--lang", "en"]).contains("Usage"));
    assert!(japanese(&["backends"]).contains("バックエンド"));
}

#[test]
fn messages_are_japanese_on_request() {
    let ran = run_on("4k4/9/9/9/x8\n", ["encode", "--format", "psv", "--lang", "ja"]);
    ran.fails(1, &["標準入力: 1 行目 11 桁目", "`x`", "対処"]);
}

#[test]
fn one_backend_is_chosen_and_every_available_one_can_be_forced() {
    let listed = run(["backends"]).ok();
    assert_eq!(listed.lines().filter(|line| line.starts_with('*')).count(), 1, "{listed}");
    let available = |line: &&str| line.split_whitespace().any(|cell| cell == "yes");
    for line in listed.lines().filter(available) {
        let name = line.trim_start_matches('*').split_whitespace().next().unwrap();
        let forced = run(["backends", "--backend", name]).ok();
        assert!(forced.contains("set by --backend"), "{forced}");
        let encoded = run_on("startpos\n", ["encode", "--format", "sspfv1", "--backend", name]).ok();
        assert_eq!(encoded, "8a1e2f5a5454b4e8f1a22c12000000003967923927f66ff03ccfb0cd31d3cc31\n");
    }
}

#[test]
fn unavailable_backend_is_an_error_wherever_it_is_named() {
    run(["backends", "--backend", "abacus"]).fails(2, &["--backend", "abacus", "soft"]);
    let output = program().arg("backends").env("KOMABAKO_BACKEND", "abacus").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("KOMABAKO_BACKEND"));
}

#[test]
fn completions_contain_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(run(["completions", shell]).ok().contains("convert"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    assert!(run(["man"]).ok().contains(".TH komabako 1 \"\" \"komabako "));
    // Examples keep their lines.
    let page = run(["man"]).ok();
    assert!(page.contains("\n.nf\n  komabako convert ") && page.contains("\n.fi\n"), "{page}");
    let directory = tempfile::tempdir().unwrap();
    run([std::ffi::OsStr::new("man"), directory.path().as_os_str()]).ok();
    for page in ["komabako.1", "komabako-convert.1", "komabako-inspect.1"] {
        assert!(directory.path().join(page).is_file(), "{page}");
    }
    // A directory cannot be created in a file.
    let file = directory.path().join("komabako.1/below");
    run([std::ffi::OsStr::new("man"), file.as_os_str()]).fails(2, &["komabako.1/below"]);
}

#[test]
fn the_manual_has_its_headings_in_the_language() {
    let headings = |arguments: &[&str]| -> Vec<String> {
        let page = run(arguments).ok();
        page.lines().filter_map(|line| Some(line.strip_prefix(".SH ")?.to_owned())).collect()
    };
    let english = headings(&["man"]);
    assert_eq!(english[..3], ["NAME", "SYNOPSIS", "DESCRIPTION"]);
    let japanese = headings(&["man", "--lang", "ja"]);
    assert_eq!(japanese[..3], ["名前", "書式", "説明"]);
    assert!(japanese.iter().all(|heading| !heading.is_ascii()), "{japanese:?}");
    assert_eq!(japanese.len(), english.len());
}

#[test]
fn shorthands_of_other_programs_are_understood() {
    assert_eq!(run(["help", "convert"]).ok(), run(["convert", "--help"]).ok());
    assert_eq!(run(["help"]).ok(), run(["--help"]).ok());
    let psv = sample("sample.psv");
    let psv = psv.to_str().unwrap();
    let plain = |count: &[&str]| run([&["head"][..], count, &[psv, "--to", "plain"]].concat()).ok();
    assert_eq!(plain(&["-2"]), plain(&["-n", "2"]));
    let after_options = run(["--lang", "en", "-q", "head", "-2", psv, "--to", "plain"]).ok();
    assert_eq!(after_options, plain(&["-2"]));
    assert_eq!(run(["--lang", "ja", "help", "head"]).ok(), run(["head", "--help", "--lang", "ja"]).ok());
    let ran = run([psv]);
    ran.fails(2, &["komabako info "]);
    assert!(!ran.stderr.contains("similar"), "a file is no misspelled command: {}", ran.stderr);
    run([psv, "--lang", "ja"]).fails(2, &["komabako info ", "ファイルです"]);
    let place = Place::new();
    let spaced = place.file("棋 譜.psv", "");
    let quote = if cfg!(windows) { '"' } else { '\'' };
    let quoted = format!("komabako info {quote}{}{quote}", spaced.display());
    run([spaced.as_os_str()]).fails(2, &[&quoted]);
}

#[test]
fn directory_for_the_manual_is_created_and_its_pages_are_kept() {
    let place = Place::new();
    let folder = place.path("new/man1");
    let man = ["man".as_ref(), folder.as_os_str()];
    run(man).ok();
    let page = folder.join("komabako-convert.1");
    std::fs::write(&page, "mine").unwrap();
    std::fs::remove_file(folder.join("komabako.1")).unwrap();
    run(man).fails(2, &["--force"]);
    assert_eq!(std::fs::read(&page).unwrap(), b"mine");
    // All pages or none.
    assert!(!folder.join("komabako.1").exists());
    run([&man[..], &["--force".as_ref()]].concat()).ok();
    assert!(std::fs::metadata(&page).unwrap().len() > 100);
}

#[test]
fn quiet_prints_only_faults_and_verbose_prints_needs() {
    let place = Place::new();
    let psv = std::fs::read(sample("sample.psv")).unwrap();
    let mut bad = psv.clone();
    bad[..2].fill(0xff);
    place.file("in.psv", psv);
    place.file("bad.psv", bad);
    let job = |line: &str| -> Ran {
        program().current_dir(place.path("")).args(line.split(' ')).output().unwrap().into()
    };
    for line in [
        "convert in.psv 1.hcpe -q",
        "shuffle in.psv 2.psv --seed 1 --quiet",
        "split in.psv --parts 2 --into part-{}.psv -q",
        "repair in.psv 3.psv -q",
        "extract-scores in.psv 4.i16 -q",
    ] {
        assert_eq!(job(line).ok(), "", "{line}");
    }
    let ran = job("convert bad.psv 5.hcpe -q --on-error skip");
    assert!(ran.code == 1 && ran.stdout.contains("KING_CODE"), "{}{}", ran.stdout, ran.stderr);
    assert!(job("convert in.psv 6.hcpe -v").stderr.contains("2,000 records"));
    assert_eq!(job("convert in.psv 7.hcpe").stderr, "");
    job("convert in.psv 8.hcpe -q -v").fails(2, &["--quiet", "--verbose"]);
}

#[test]
fn only_the_closest_command_is_suggested() {
    for lang in ["en", "ja"] {
        let ran = run(["conver", "--lang", lang]);
        ran.fails(2, &["convert"]);
        assert!(!ran.stderr.contains("moves") && !ran.stderr.contains("solve"), "{}", ran.stderr);
    }
}

/// `head a b` reads both; `sample a b` writes the second.
#[test]
fn an_output_in_the_wrong_place_is_explained() {
    let place = Place::new();
    place.file("in.psv", std::fs::read(sample("sample.psv")).unwrap());
    let run = |line: &str| -> Ran {
        program().current_dir(place.path("")).args(line.split(' ')).output().unwrap().into()
    };
    for command in ["cat", "head", "tail", "slice --range 1..2"] {
        run(&format!("{command} in.psv out.psv")).fails(2, &["out.psv: ", "--output out.psv"]);
        assert_eq!(run(&format!("{command} in.psv -o out.psv")).code, 0, "{command}");
        std::fs::remove_file(place.path("out.psv")).unwrap();
    }
    run("sample in.psv --count 1 --json").refused(2, "output_missing", &["OUT"]);
}

#[test]
fn help_and_usage_name_the_same_arguments() {
    for command in ["convert", "dedup", "filter", "sample", "shuffle", "repair", "merge-scores", "kifu"] {
        let help = run([command, "--help"]).ok();
        assert!(help.contains("<IN>... ") && help.contains("|OUT>...") && !help.contains("<PATH>"), "{help}");
    }
    assert!(!run(["shuffle", "--help"]).ok().contains("--reference"), "an option of `dedup` alone");
}

/// Advice names options of the command that gives it.
#[test]
fn advice_on_bad_records_names_only_options_of_the_command() {
    let place = Place::new();
    let bad = place.file("bad.sfen", "startpos\nx\n").into_os_string().into_string().unwrap();
    let ran = run(["diff", "--json", &bad, &bad]);
    ran.refused(1, "record", &["record 1 (line 2, byte 9)", "komabako cat --check --on-error"]);
    let out = place.path("out.hcpe").into_os_string().into_string().unwrap();
    let ran = run(["convert", "--json", &bad, &out]);
    ran.refused(1, "record", &["`--on-error skip`"]);
    assert!(!ran.stderr.contains("cat --check"), "{}", ran.stderr);
}

#[test]
fn help_and_usage_obey_color() {
    for arguments in [&["convert", "--help"][..], &["convert", "--no-such"], &["slice", "a", "--range", "x"]]
    {
        for (option, is_coloured) in [("--color=always", true), ("--color=never", false)] {
            let ran = program().env("CLICOLOR_FORCE", "1").args(arguments).arg(option).output();
            let ran = Ran::from(ran.unwrap());
            assert_eq!((ran.stdout + &ran.stderr).contains('\u{1b}'), is_coloured, "{arguments:?} {option}");
        }
    }
}

#[test]
fn a_folder_is_searched_on_request() {
    let place = Place::new();
    let folder = place.path("");
    let folder = folder.to_str().unwrap();
    run(["kifu", "--check", folder]).fails(2, &["--recursive"]);
    run(["convert", folder, "o.psv"]).fails(2, &["--recursive"]);
}
