//! What a conversion loses, or writes in place of what records lack.

use std::fs;
use std::path::{Path, PathBuf};

use crate::convert::convert;
use crate::support::{Place, run};

#[test]
fn games_that_are_made_of_records_are_counted_as_games() {
    let place = Place::new();
    for to in ["hcpe3", "pack"] {
        let report =
            convert(&crate::support::sample("sample.psv"), &place.path(&format!("a.{to}")), &["--json"])
                .report();
        let games =
            report["losses"].as_array().unwrap().iter().find(|loss| loss["field"] == "games").unwrap();
        assert!(games["kind"] == "made_up" && games["count"] == report["games"], "{report}");
    }
}

#[test]
fn plain_comments_that_are_not_kept_are_counted() {
    let place = Place::new();
    let csa = "V2.2\n'plain\n'\n'black_rate:a:1500\n'summary:toryo:a win:b lose\nPI\n+\n'other\n+7776FU\n'*star\n%TORYO\n";
    let csa = place.file("a.csa", csa);
    let lost = |options: &[&str], out: &str| {
        let files = [&csa, &place.path(out)].map(|path| path.to_str().unwrap().to_owned());
        let ran = run(["kifu", "--json"]
            .into_iter()
            .chain(options.iter().copied())
            .chain(files.iter().map(|s| &**s)));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let report = ran.report();
        let losses = report["losses"].as_array().unwrap().iter();
        let named = losses.map(|loss| format!("{} {}", loss["field"].as_str().unwrap(), loss["count"]));
        named.collect::<Vec<_>>()
    };
    assert_eq!(lost(&[], "a.kif"), ["plain_comments 2"]);
    assert_eq!(lost(&["--keep-comments"], "b.kif"), Vec::<String>::new());
    // No option keeps them where there are no comments.
    assert!(lost(&[], "a.usi").contains(&"comments 3".to_owned()));
    for (lang, words) in [("en", "--keep-comments keeps them) 2"), ("ja", "--keep-comments で残せます) 2")]
    {
        let output = place.path("c.kif");
        let ran = run(["kifu", "-f", "--lang", lang, csa.to_str().unwrap(), output.to_str().unwrap()]);
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
}

/// Of three records two have no score and one no result.
#[test]
fn records_that_lack_a_field_are_counted_wherever_0_takes_its_place() {
    let place = Place::new();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let csv =
        format!("sfen,move,score,ply,result\n{start},7g7f,,1,1\n{start},7g7f,5,1,\n{start},7g7f,,1,-1\n");
    let csv = place.file("a.csv", csv);
    let tsv = place.path("a.tsv");
    let jsonl = place.path("a.jsonl");
    let short = place.file("a.plain", format!("sfen {start}\ne\n"));
    for text in [&tsv, &jsonl] {
        assert_eq!(convert(&csv, text, &["--json"]).report()["losses"], serde_json::json!([]));
    }
    let missing = |from: &Path, to: &Path, options: &[&str]| {
        let report = convert(from, to, &[&["--json", "--force"], options].concat()).report();
        let losses = report["losses"].as_array().unwrap().iter().filter(|loss| loss["kind"] == "missing");
        losses.map(|loss| format!("{} {}", loss["field"], loss["count"])).collect::<Vec<_>>()
    };
    for name in ["b.psv", "b.hcpe", "b.hcpe2", "b.pack", "b.hcpe3", "b.compact36", "b.compact32", "b.plain"] {
        for text in [&csv, &tsv, &jsonl] {
            assert_eq!(missing(text, &place.path(name), &[]), [r#""score" 2"#, r#""result" 1"#], "{name}");
        }
    }
    assert_eq!(missing(&csv, &place.path("b.ext36"), &[]), [r#""score" 2"#]);
    assert_eq!(missing(&short, &place.path("c.plain"), &[]), [r#""score" 1"#, r#""result" 1"#]);
    let sfens = place.file("a.sfen", format!("{}\n{start}\n", start.replace(" 1", " 0")));
    assert_eq!(missing(&sfens, &place.path("c.sfen"), &[]), [r#""ply" 1"#]);

    let printed = convert(&csv, &place.path("c.psv"), &[]).ok();
    assert!(printed.contains("score: records that have none get 0 (2 records)"), "{printed}");
    let printed = convert(&csv, &place.path("d.psv"), &["--lang", "ja"]).ok();
    assert!(printed.contains("評価値: ないレコードには 0 を書く (2 "), "{printed}");
    for from in ["csv", "tsv", "jsonl"] {
        let listed = run(["formats", "--from", from, "--to", "psv"]).ok();
        assert!(listed.contains("score: records that have none get 0\n"), "{listed}");
    }
    // Copied records keep what they lack; a job that does not count says that it may occur.
    let shuffled = |from: &Path, to: &str| {
        let files = [from.to_owned(), place.path(to)].map(PathBuf::into_os_string);
        let options = ["shuffle", "--json", "--seed=1"].map(Into::into);
        run(options.into_iter().chain(files)).report()["losses"].take()
    };
    assert_eq!(shuffled(&short, "s.plain"), serde_json::json!([]));
    assert_eq!(fs::read(place.path("s.plain")).unwrap(), fs::read(&short).unwrap());
    let lost = shuffled(&csv, "s.psv");
    assert!(lost[1]["kind"] == "missing" && lost[1]["count"].is_null(), "{lost}");
}
