//! `cat`, `head`, `tail`, `slice`, `sample` and `filter`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use crate::support::{Place, Ran, feed, program, run, run_on, sample};
use serde_json::Value;

const SIZE: usize = 40;

fn psv() -> Vec<u8> {
    fs::read(sample("sample.psv")).unwrap()
}

/// The standard output of a command on the sample, which must print nothing else.
fn written(arguments: &[&str]) -> Vec<u8> {
    let mut command = program();
    let (name, options) = arguments.split_first().unwrap();
    let output = feed(command.arg(name).arg(sample("sample.psv")).args(options), b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""));
    output.stdout
}

#[test]
fn heads_tails_and_slices_match_the_bytes() {
    let psv = psv();
    assert!(written(&["cat"]) == psv);
    assert!(written(&["head"]) == psv[..10 * SIZE]);
    assert!(written(&["head", "-n", "3"]) == psv[..3 * SIZE]);
    assert!(written(&["head", "-n", "5000"]) == psv);
    assert!(written(&["tail"]) == psv[1990 * SIZE..]);
    assert!(written(&["tail", "-n", "1"]) == psv[1999 * SIZE..]);
    assert!(written(&["slice", "--range", "100..200"]) == psv[100 * SIZE..200 * SIZE]);
    assert!(written(&["slice", "--range", "1900.."]) == psv[1900 * SIZE..]);
    assert!(written(&["slice", "--range", "..7", "--check"]) == psv[..7 * SIZE]);
}

#[test]
fn text_is_written_on_request() {
    let lines = String::from_utf8(written(&["head", "-n", "2", "--to", "sfen"])).unwrap();
    assert_eq!(lines.lines().count(), 2);
    let back = run_on(&lines, ["tail", "-n", "1", "-"]).ok();
    assert_eq!(Some(back.trim_end()), lines.lines().last());
}

#[test]
fn records_pass_through_pipes() {
    let psv = psv();
    for arguments in [&["cat", "-"][..], &["tail", "-n", "2000", "-"], &["sample", "-n", "2000", "-", "-"]] {
        let output = feed(program().args(arguments), &psv);
        assert!(output.stdout == psv && output.status.success(), "{arguments:?}");
    }
    let output = feed(program().args(["sample", "-n", "2003", "-", "-"]), &psv);
    assert!(output.stdout == psv && output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("3 records missing"));
    let output = feed(program().args(["filter", "--where", "true", "--invert", "-", "-"]), &psv);
    assert!(output.stdout.is_empty() && output.status.success());
}

#[test]
fn files_of_different_compression_are_joined() {
    let place = Place::new();
    let packed = place.path("a.psv.zst");
    run([OsString::from("cat"), sample("sample.psv").into(), "-o".into(), packed.clone().into()]).ok();
    let joined = place.path("b.psv");
    let printed = run([
        OsString::from("cat"),
        packed.into(),
        sample("sample.psv").into(),
        "-o".into(),
        joined.clone().into(),
    ])
    .ok();
    assert!(printed.contains("4,000 records"), "{printed}");
    assert!(fs::read(joined).unwrap() == [psv(), psv()].concat());
}

#[test]
fn every_selection_accepts_an_empty_input() {
    let place = Place::new();
    let empty = place.file("empty.psv", "");
    for arguments in [&["cat"][..], &["head"], &["tail"], &["slice", "--range", ".."]] {
        let output = program().arg(arguments[0]).arg(&empty).args(&arguments[1..]).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn selection_beyond_the_end_is_reported() {
    let sliced = |range: &str| {
        let mut command = program();
        command.arg("slice").arg(sample("sample.psv")).args(["--to", "sfen", "--json", "--range", range]);
        Ran::from(command.output().unwrap())
    };
    for (range, code, lines, beyond) in
        [("1990..2010", 1, 10, 10), ("5000..5001", 1, 0, 1), ("5000..", 0, 0, 0)]
    {
        let ran = sliced(range);
        assert_eq!((ran.code, ran.stdout.lines().count()), (code, lines), "{range}: {}", ran.stderr);
        assert_eq!(ran.report()["beyond"], beyond, "{range}");
        assert_eq!(ran.stderr.contains("warning:"), code == 1, "{range}: {}", ran.stderr);
    }
    sliced("7..3").fails(2, &["1000..2000"]);
}

#[test]
fn samples_have_their_size_and_depend_on_the_seed() {
    let place = Place::new();
    let draw = |name: &str, options: &[&str]| {
        let output = place.path(name);
        let mut arguments =
            vec![OsString::from("sample"), sample("sample.psv").into(), output.clone().into()];
        arguments.extend(options.iter().map(OsString::from));
        run(arguments).ok();
        fs::read(output).unwrap()
    };
    let a = draw("a.psv", &["--count", "100", "--seed", "1"]);
    assert_eq!(a.len(), 100 * SIZE);
    assert!(a == draw("b.psv", &["--count", "100", "--seed", "1", "--threads", "2"]));
    assert!(a != draw("c.psv", &["--count", "100", "--seed", "2"]));
    let tenth = draw("d.psv", &["--ratio", "0.1"]).len() / SIZE;
    assert!((140..260).contains(&tenth), "{tenth}");
}

#[test]
fn samples_are_refused_without_a_size_or_output() {
    run(["sample", "a.psv", "b.psv"]).fails(2, &["--count"]);
    run(["sample", "--json", "a.psv", "b.psv", "--ratio", "2"]).refused(2, "ratio", &["2"]);
    run(["sample", "--json", "a.psv", "-n", "2"]).refused(2, "output_missing", &["IN... OUT"]);
}

#[test]
fn filter_and_its_inverse_divide_the_records() {
    let place = Place::new();
    let keep = |name: &str, options: &[&str]| -> u64 {
        let output = place.path(name);
        let mut arguments = vec![OsString::from("filter"), sample("sample.psv").into(), output.into()];
        arguments.extend(["--where", "won && !in_check", "--json"].iter().map(OsString::from));
        arguments.extend(options.iter().map(OsString::from));
        let summary: Value = serde_json::from_str(&run(arguments).ok()).unwrap();
        assert_eq!(summary["read"], 2000);
        summary["written"].as_u64().unwrap()
    };
    let kept = keep("a.psv", &[]);
    let left = keep("b.psv", &["--invert"]);
    assert!(kept > 100 && kept + left == 2000, "{kept} {left}");
}

/// The records up to the limit, and nothing of what follows them: neither bad records nor other inputs.
#[test]
fn limit_ends_the_output_and_the_reading() {
    let place = Place::new();
    let psv = psv();
    place.file("in.psv", &psv);
    run([OsString::from("convert"), place.path("in.psv").into(), place.path("in.pack").into()]).ok();
    let filter = |line: &str| -> Value {
        let line = format!("filter --where ply%3==1 --json -f {line}");
        let output = feed(program().current_dir(place.path("")).args(line.split(' ')), b"");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let count = |report: &Value, name: &str| report[name].as_u64().unwrap();
    for (input, to) in [("in.psv", "psv"), ("in.psv", "tsv"), ("in.psv", "pack"), ("in.pack", "pack")] {
        let all = filter(&format!("{input} all.{to}"));
        let written = count(&all, "written");
        for limit in [0, 1, 7, written - 1, written, written + 1] {
            let some = filter(&format!("{input} some.{to} --limit {limit} --threads 2"));
            assert_eq!(count(&some, "written"), limit.min(written), "{input} {to} {limit}");
            if limit > written {
                assert_eq!(count(&some, "read"), count(&all, "read"));
            }
            let [all, some] =
                ["all", "some"].map(|name| fs::read(place.path(&format!("{name}.{to}"))).unwrap());
            assert!(to == "pack" || all.starts_with(&some), "{input} {to} {limit}");
            assert!(limit < written || all == some, "{input} {to} {limit}");
        }
    }
    let read = count(&filter("in.psv some.psv --limit 7"), "read") as usize;
    let mut bad = psv.clone();
    bad[read * SIZE..].fill(0xff);
    place.file("bad.psv", &bad);
    assert_eq!(
        count(&filter("bad.psv bad.psv some.psv --from psv --moves as-is --limit 7"), "read"),
        read as u64
    );
    run(["filter", "a.psv", "b.psv", "--where", "won", "--limit", "1", "--partition", "0/2"])
        .fails(2, &["--limit"]);
}

#[test]
fn bad_expressions_are_refused_with_the_column_and_valid_names() {
    let refused = |expression: &str, lang: &str, names: &[&str]| {
        let ran = run(["filter", "a.psv", "b.psv", "--json", "--lang", lang, "--where", expression]);
        ran.refused(2, "expression", names);
    };
    refused("ply > 3 && scroe < 9", "en", &["column 12: ", "`scroe`", "`score`", "plies_left"]);
    refused("scroe", "ja", &["1 桁目", "使える名前"]);
    refused("score +", "en", &["column 8", "filter --help"]);
    refused("score", "ja", &["条件が必要"]);
}

#[test]
fn missing_field_is_an_error() {
    let ran = run_on("startpos\n", ["filter", "-", "-", "--where", "score > 0", "--json"]);
    ran.fails(2, &["\"kind\": \"field_missing\"", "`score`", "komabako formats"]);
}

/// Files of games: cut, but not torn.
#[test]
fn games_stay_games() {
    let place = Place::new();
    let psv = sample("sample.psv");
    let pack = place.path("games.pack");
    run([OsString::from("convert"), psv.into(), pack.clone().into()]).ok();
    let games = fs::read(&pack).unwrap();
    let written = |arguments: &[&str]| {
        let output = feed(program().args(arguments).current_dir(place.path("")), &games);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    assert!(written(&["cat", "games.pack"]) == games && written(&["cat", "-"]) == games);
    let tail = written(&["tail", "-n", "700", "games.pack"]);
    assert!(games.ends_with(&tail[tail.len() - 1000..]));
    assert!(tail == written(&["tail", "-n", "700", "-"]));
    assert!(tail == written(&["slice", "--range", "1300..", "games.pack"]));
    for lang in ["en", "ja"] {
        let drawn = run(["--lang", lang, "sample", "--json", "-n", "9", "-", "x.pack"]);
        drawn.refused(2, "games_in_order", &["split --ratio", "--to psv"]);
    }
}

#[test]
fn an_expression_may_begin_with_a_sign_and_is_refused_as_json_too() {
    let psv = psv();
    let output = feed(program().args(["filter", "-", "-", "--where", "-score < 40000"]), &psv);
    assert!(output.stdout == psv, "{}", String::from_utf8_lossy(&output.stderr));
    let place = Place::new();
    let input = place.file("in.psv", &psv);
    let out = place.path("out.psv");
    let options = ["filter", "--where", "score >", "--json"].map(OsString::from);
    let ran = run(options.into_iter().chain([input.into(), out.into()]));
    ran.refused(2, "expression", &["`score >`"]);
    let error: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(error["error"]["kind"], "expression");
    assert_eq!(place.names(), ["in.psv"]);
}

#[test]
fn records_are_kept_by_their_mates() {
    let place = Place::new();
    let mate = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1";
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!("{mate}\n{start}\n{mate}\n");
    let input = place.file("in.sfen", text).display().to_string();
    let kept = |expression: &str| {
        let output = place.path("out.sfen").display().to_string();
        let ran = run(["filter", &*input, &*output, "--force", "--where", expression]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        fs::read_to_string(output).unwrap().lines().count()
    };
    assert_eq!([kept("mate_in <= 7"), kept("mate_in > 7"), kept("mate_in == 3")], [2, 1, 0]);
}

#[test]
fn masks_choose_the_same_records() {
    let place = Place::new();
    let input = sample("sample.psv");
    let mask = place.path("won.bits");
    let filter = |arguments: &[&OsStr]| {
        let mut command = program();
        command.arg("filter").args(arguments);
        Ran::from(command.output().unwrap())
    };
    let [input, mask] = [input.as_os_str(), mask.as_os_str()];
    filter(&[input, "--where".as_ref(), "won".as_ref(), "--mask".as_ref(), mask, "--quiet".as_ref()]).ok();
    let won = written(&["filter", "--where", "won", "-"]);
    let bits = fs::read(mask).unwrap();
    assert_eq!(bits.len(), 250);
    assert_eq!(bits.iter().map(|byte| byte.count_ones() as usize).sum::<usize>() * SIZE, won.len());
    assert!(written(&["filter", "--by-mask", mask.to_str().unwrap(), "-"]) == won);
    // The same records in another format, of which the number is not known before they are read.
    let text = place.path("in.tsv");
    let out = place.path("out.psv");
    run(["convert".as_ref(), input, text.as_os_str(), "--quiet".as_ref()]).ok();
    let choose = |input: &OsStr, out: &Path, mask: &OsStr| {
        let to = ["--to", "psv", "--json", "--by-mask"].map(OsStr::new);
        let arguments: Vec<_> = [input, out.as_os_str()].into_iter().chain(to).chain([mask]).collect();
        filter(&arguments)
    };
    assert!(choose(text.as_os_str(), &out, mask).report()["error"].is_null());
    assert_eq!(fs::read(&out).unwrap().len(), won.len());
    // A mask of other records is refused, before or after they are counted, and leaves no output.
    let short = place.file("short.bits", &bits[1..]);
    for input in [input, text.as_os_str()] {
        let out = place.path("none.psv");
        choose(input, &out, short.as_os_str()).refused(2, "mask_length", &["short.bits", "249"]);
        assert!(!out.exists());
    }
    // So is one of as many bytes that selects a record beyond the end. Bits that fill the last byte are 0.
    let few = place.file("few.psv", &psv()[..13 * SIZE]);
    let fitting = place.file("13.bits", [0xff, 0x1f]);
    let more = place.file("14.bits", [0xff, 0x3f]);
    assert!(choose(few.as_os_str(), &place.path("13.psv"), fitting.as_os_str()).report()["error"].is_null());
    choose(few.as_os_str(), &place.path("none.psv"), more.as_os_str()).refused(
        2,
        "mask_length",
        &["record 13"],
    );
    // A bad record has a bit, which is 0.
    let mut bytes = psv()[..9 * SIZE].to_vec();
    bytes[SIZE..SIZE + 32].fill(0xff);
    let bad = place.file("bad.psv", &bytes);
    let bad_bits = place.path("bad.bits");
    let options = ["--where", "true", "--moves", "as-is", "--json", "--mask"].map(OsStr::new);
    let mut arguments: Vec<_> = [bad.as_os_str()].into_iter().chain(options).collect();
    arguments.push(bad_bits.as_os_str());
    assert_eq!(filter(&arguments).error_kind(1), "record");
    // Bad records are never collected into an input.
    let collect = format!("collect={}", bad.display());
    let overwriting = [&arguments[..], &["--force", "--on-error", &collect].map(OsStr::new)].concat();
    assert_eq!(filter(&overwriting).error_kind(2), "same_file");
    assert!(fs::read(&bad).unwrap() == bytes);
    arguments.extend(["--on-error", "skip"].map(OsStr::new));
    assert_eq!(filter(&arguments).report()["bad_total"], 1);
    assert_eq!(fs::read(bad_bits).unwrap(), [0b1111_1101, 1]);
}
