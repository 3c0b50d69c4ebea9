//! `solve --certificate` and `certificate`.

use std::fs;
use std::io::Write;

use crate::support::{Place, run};
use komabako::dataset::Compression;
use serde_json::Value;

const THREE: &str = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
const NO_MATE: &str = "8k/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1";
const USELESS: &str = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1";

/// The claims of the certificates in a file, checked by the program.
fn claims(path: &str) -> Vec<String> {
    let report = run(["certificate", path, "--json"]).report();
    let certificates = report["certificates"].as_array().expect("a list");
    assert!(certificates.iter().all(|own| own["holds"] == true), "{report}");
    certificates
        .iter()
        .map(|own| {
            let rule = match own["rule"].as_str().expect("a name") {
                "strict" => String::new(),
                rule => format!(" {rule}"),
            };
            format!("{} {}{rule}", own["claim"].as_str().expect("a name"), own["within"])
        })
        .collect()
}

#[test]
fn certificates_follow_the_question() {
    let place = Place::new();
    for (number, (options, sfen, expected)) in [
        (&[][..], THREE, &["mate-within 3", "no-mate-within 1"][..]),
        (&["--any"], THREE, &["mate null"]),
        (&["--mate-in", "5"], THREE, &["mate-within 5"]),
        (&["--mate-in", "1"], THREE, &["no-mate-within 1 free"]),
        (&["--mate-in", "2"], THREE, &["no-mate-within 1 free"]),
        // One ply by tsume lengths, three where the useless interposition counts.
        (&["--mate-in", "1"], USELESS, &["mate-within 1 tsume"]),
        (&[], USELESS, &["mate-within 1 tsume"]),
        (&["--convention", "strict"], USELESS, &["mate-within 3", "no-mate-within 1"]),
        (&["--mate-in", "1"], NO_MATE, &["no-mate null"]),
        (&[], NO_MATE, &["no-mate null"]),
    ]
    .into_iter()
    .enumerate()
    {
        let file = place.path(&format!("{number}.kmc")).display().to_string();
        let ran = run([&["solve", sfen, "--certificate", &*file, "--json"], options].concat());
        let certificates = &ran.report()["problems"][0]["proofs"];
        assert_eq!(certificates.as_array().map(Vec::len), Some(expected.len()), "{options:?}");
        if expected != ["no-mate null"] || options.is_empty() {
            assert_eq!(claims(&file), expected, "{options:?}");
        }
        let text = run([&["solve", sfen, "--certificate", &*file, "--force"], options].concat()).stdout;
        assert_eq!(text.matches("certificate: ").count(), expected.len(), "{text}");
    }
}

#[test]
fn a_report_is_certified_check_by_check() {
    let place = Place::new();
    let file = place.path("sound.kmc").display().to_string();
    let text = run(["solve", THREE, "--check", "--certificate", &*file]).ok();
    let report = run(["certificate", &*file, "--json"]).report();
    let certificates = report["certificates"].as_array().expect("a list");
    assert!(text.contains(&format!("{} certificates, ", certificates.len())), "{text}");
    assert!(certificates.iter().all(|own| own["holds"] == true), "{report}");
    assert_eq!(claims(&file)[..2], ["mate-within 3", "no-mate-within 1"]);
    // The other checks of the first ply.
    let others: Vec<&str> = certificates[2..].iter().filter_map(|own| own["first"].as_str()).collect();
    assert_eq!(others.len(), certificates.len() - 2);
    assert!(others.contains(&"S*4b") && !others.contains(&"9f5b+"), "{others:?}");
    assert!(certificates[2..].iter().all(|own| own["claim"] == "no-mate"), "{report}");
    let shown = run(["certificate", &*file]).ok();
    assert!(shown.contains("no mate after S*4b, "), "{shown}");
}

#[test]
fn lists_give_one_file_of_certificates() {
    let place = Place::new();
    let list = place.file("list.txt", format!("{THREE}\n{NO_MATE}\n{THREE}\n")).display().to_string();
    let file = place.path("all.kmc").display().to_string();
    let ran = run(["solve", &*list, "--certificate", &*file, "--threads", "2"]);
    assert_eq!(ran.code, 1, "one is no mate: {}", ran.stderr);
    let mate = ["mate-within 3", "no-mate-within 1"];
    assert_eq!(claims(&file), [&mate[..], &["no-mate null"], &mate].concat());
    assert!(!place.path("all.kmc.part").exists());
    // Nothing is replaced, and no input is an output.
    run(["solve", &*list, "--certificate", &*file, "--json"]).refused(2, "exists", &["all.kmc", "--force"]);
    run(["solve", &*list, "--certificate", &*list, "--json", "--force"]).refused(
        2,
        "same_file",
        &["list.txt"],
    );
    let same = ["solve", &*list, "--certificate", &*file, "--output", &*file, "--force"];
    run(same).fails(2, &["all.kmc"]);
}

#[test]
fn nodes_are_listed_and_faults_named() {
    let place = Place::new();
    let file = place.path("mate.kmc");
    let name = file.display().to_string();
    run(["solve", THREE, "--mate-in", "3", "--certificate", &*name]).ok();
    let text = run(["certificate", &*name, "--text"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["0  9f5b+ 4a5b→1 6a5b→2", "1  S*4b", "2  S*6b"]);
    assert!(
        lines[3].ends_with("[1]: mate within 3, 3 nodes: 3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p"),
        "{text}"
    );
    let whole = fs::read(&file).expect("a file");
    let mut encoder = Compression::Zstd.encoder(Vec::new(), 1).expect("an encoder");
    encoder.write_all(&whole).expect("compressed");
    let compressed = encoder.finish().expect("compressed");
    assert_eq!(claims(&place.file("mate.kmc.zst", compressed).display().to_string()), ["mate-within 3"]);

    let mut damaged = whole.clone();
    damaged[60] ^= 1;
    let bad = place.file("bad.kmc", [whole, damaged].concat()).display().to_string();
    let ran = run(["certificate", &*bad]);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].contains("[1]: mate within 3, "), "{lines:?}");
    assert!(
        lines[1].ends_with("[2]: not shown: the checksum does not fit: the file is damaged"),
        "{lines:?}"
    );
    let report: Value = run(["certificate", &*bad, "--json", "--lang", "ja"]).report();
    assert_eq!(report["certificates"][1]["holds"], false);
    let empty = place.file("empty.kmc", "").display().to_string();
    run(["certificate", &*empty, "--json"]).refused(2, "empty_input", &["empty.kmc"]);
    let absent = place.path("absent.kmc").display().to_string();
    run(["certificate", &*absent, "--json"]).refused(2, "open", &["absent.kmc"]);
}

#[test]
fn a_limit_leaves_the_verdict_and_says_that_a_certificate_is_missing() {
    let place = Place::new();
    let file = place.path("mate.kmc").display().to_string();
    // The tsume length is found within the limit, the strict one takes more nodes.
    let ran = run(["solve", USELESS, "--certificate", &*file, "--nodes", "20"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("no certificate: the node limit was reached"), "{}", ran.stdout);
    let absent = "mate.kmc: not written, since no answer has a certificate";
    assert!(ran.stderr.contains(absent), "{}", ran.stderr);
    assert!(!place.path("mate.kmc").exists() && !place.path("mate.kmc.part").exists());
    // An earlier file is not replaced by an empty one.
    place.file("mate.kmc", "earlier");
    let ran = run(["solve", THREE, "--depth", "1", "--certificate", &*file, "--force"]);
    assert!(ran.code == 1 && ran.stderr.contains(absent), "{}", ran.stderr);
    assert_eq!(fs::read(&file).expect("kept"), b"earlier");
}

#[test]
fn certificates_are_compressed_by_their_name() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{USELESS}\n")).display().to_string();
    let expected = ["mate-within 3", "no-mate-within 1", "mate-within 1 tsume"];
    for name in ["a.kmc", "a.kmc.zst", "a.kmc.gz", "a.kmc.xz"] {
        let file = place.path(name).display().to_string();
        run(["solve", &*input, "--certificate", &*file, "--output", "sfen"]).ok();
        assert_eq!(claims(&file), expected, "{name}");
        let start = fs::read(&file).expect("written");
        assert_eq!(
            Compression::from_magic(&start),
            Compression::from_path(place.path(name).as_ref()),
            "{name}"
        );
    }
    for name in ["-", "a.kmb", "a.kmc.bz2", "a.kmc.lz4"] {
        run(["solve", THREE, "--certificate", name]).fails(2, &["--certificate", ".kmc.zst"]);
    }
}

/// A stopped run advises `--skip-solved`; the certificates of what the next run solves go to another file.
#[test]
fn resumed_run_writes_the_other_certificates() {
    let place = Place::new();
    let input = place.file("in.sfen", format!("{THREE}\n{USELESS}\n")).display().to_string();
    let answers = place.path("out.tsv").display().to_string();
    let [first, second] = ["1.kmc", "2.kmc"].map(|name| place.path(name).display().to_string());
    let solve = |input: &str, certificate: &str, options: &[&str]| {
        let arguments = ["solve", input, "--output", &*answers, "--certificate", certificate];
        run([&arguments[..], options].concat())
    };
    solve(THREE, &first, &[]).ok();
    let rest = ["--skip-solved", &*answers];
    solve(&input, &first, &rest).fails(2, &["1.kmc", "--force"]);
    solve(&input, &second, &rest).ok();
    assert_eq!((claims(&first).len(), claims(&second)), (2, vec!["mate-within 1 tsume".to_owned()]));
    let rows = fs::read_to_string(&answers).expect("written");
    assert_eq!(rows.lines().count(), 3);
    // The answers of the earlier run are an input.
    let ran = run(["solve", THREE, "--certificate", &*answers, "--skip-solved", &*answers, "--force"]);
    ran.fails(2, &["out.tsv", "used twice"]);
    assert_eq!(fs::read_to_string(&answers).expect("kept"), rows);
    let missing = place.path("none.tsv").display().to_string();
    let ran = run(["solve", THREE, "--certificate", &*second, "--skip-solved", &*missing, "--force"]);
    ran.fails(2, &["none.tsv"]);
}
