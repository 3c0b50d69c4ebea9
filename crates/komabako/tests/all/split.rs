//! `split`.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::support::{Place, Ran, run, run_on, sample};
use serde_json::Value;

fn split(options: &[&str], into: &[PathBuf]) -> Ran {
    let mut arguments = vec![OsString::from("split"), sample("sample.psv").into()];
    arguments.extend(options.iter().map(OsString::from));
    for name in into {
        arguments.extend(["--into".into(), name.into()]);
    }
    run(arguments)
}

#[test]
fn parts_are_numbered_and_listed() {
    let place = Place::new();
    let printed = split(&["--records", "900"], &[place.path("部分-{}.psv")]).ok();
    assert_eq!(place.names(), ["部分-001.psv", "部分-002.psv", "部分-003.psv"]);
    assert!(printed.contains("部分-003.psv  200 records, 8,000 bytes"), "{printed}");
    let whole: Vec<u8> = place.names().iter().flat_map(|name| fs::read(place.path(name)).unwrap()).collect();
    assert!(whole == fs::read(sample("sample.psv")).unwrap());
}

#[test]
fn split_ratio_of_games_is_in_the_json() {
    let place = Place::new();
    let into = ["train.psv", "valid.hcpe.zst"].map(|name| place.path(name));
    let printed = split(&["--ratio", "9:1", "--by-game", "--seed", "3", "--json", "--to", "psv"], &into).ok();
    let summary: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&summary["games"], &summary["read"]), (&Value::from(20), &Value::from(2000)));
    let records = |part: usize| summary["parts"][part]["records"].as_u64().unwrap();
    assert_eq!(records(0) + records(1), 2000);
    assert_eq!(fs::metadata(place.path("train.psv")).unwrap().len(), 40 * records(0));
}

#[test]
fn losses_of_all_parts_are_reported_together() {
    let place = Place::new();
    let into = [place.path("part-{}.hcpe")];
    let printed = split(&["--records", "900"], &into).ok();
    assert!(printed.contains("lost") && printed.contains("(2,000 records)"), "{printed}");
    let printed = split(&["--records", "900", "--json", "--force"], &into).ok();
    let summary: Value = serde_json::from_str(&printed).unwrap();
    let ply = summary["losses"].as_array().unwrap().iter().find(|lost| lost["field"] == "ply");
    assert_eq!(ply.unwrap()["count"], 2000, "{printed}");
    // Records that stay in their format lose nothing.
    let printed = split(&["--records", "900"], &[place.path("same-{}.psv")]).ok();
    assert!(!printed.contains("lost"), "{printed}");
}

#[test]
fn unfit_names_and_rules_are_refused() {
    let place = Place::new();
    let names = ["part-{}.psv"];
    split(&["--ratio", "1:1", "--json"], &[place.path("a.psv")]).refused(2, "part_names", &names);
    split(&["--bytes", "2G", "--json"], &[place.path("a.psv")]).refused(2, "part_names", &names);
    split(&["--ratio", "0:0"], &[place.path("{}.psv")]).fails(2, &["--ratio 98:1:1"]);
    split(&["--ratio", "1:x"], &[place.path("{}.psv")]).fails(2, &["98:1:1"]);
    split(&[], &[place.path("{}.psv")]).fails(2, &["--records", "--ratio"]);
    let mut arguments: Vec<OsString> =
        ["split", "-", "--json", "--parts", "2", "--into"].map(OsString::from).into();
    arguments.push(place.path("{}.psv").into());
    let counted = run_on(fs::read(sample("sample.psv")).unwrap(), arguments);
    counted.refused(2, "read_once", &["standard input", "--records"]);
    assert_eq!(place.names(), [] as [&str; 0]);
    place.file("part-002.psv", "precious");
    split(&["--parts", "2", "--lang", "ja"], &[place.path("part-{}.psv")]).fails(2, &["すでに存在します"]);
    assert_eq!(place.names(), ["part-002.psv"]);
}

#[test]
fn parts_of_an_earlier_split_are_named() {
    let place = Place::new();
    let into = [place.path("p-{}.psv")];
    let report = split(&["--records", "500", "--json"], &into).report();
    assert_eq!(report["notes"], Value::Array(Vec::new()));
    let ran = split(&["--records", "1000", "--force", "--json"], &into);
    let notes = &ran.report()["notes"];
    assert_eq!(notes[0]["kind"], "older_parts", "{notes}");
    let message = notes[0]["message"].as_str().unwrap();
    assert!(message.contains("p-003.psv") && message.contains("p-004.psv"), "{message}");
    assert!(!message.contains("p-002.psv") && place.names().len() == 4, "{message}");
}

/// Parts in a format of games are whole games, even without `--by-game`.
#[test]
fn games_are_split_between_games() {
    let place = Place::new();
    let games = place.path("games.hcpe3");
    run([OsString::from("convert"), sample("sample.psv").into(), games.clone().into()]).ok();
    let into = place.path("part-{}.hcpe3");
    let mut arguments: Vec<OsString> = vec!["split".into(), games.clone().into()];
    arguments.extend(["--records", "700", "--json", "--into"].map(OsString::from));
    arguments.push(into.into());
    let summary: Value = serde_json::from_str(&run(arguments).ok()).unwrap();
    // Eight gaps in the 20 games of the sample.
    assert_eq!((&summary["games"], &summary["read"]), (&Value::from(28), &Value::from(2000)));
    let parts = place.names().into_iter().filter(|name| name.starts_with("part"));
    let whole: Vec<u8> = parts.flat_map(|name| fs::read(place.path(&name)).unwrap()).collect();
    assert!(whole == fs::read(games).unwrap());
}
