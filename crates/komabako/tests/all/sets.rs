//! Sets that say where they come from: means and their columns, held-out positions, manifests and cards.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Place, Ran, program, sample, schema};

/// A place with the sample, and the sample twice with other scores.
fn place() -> Place {
    let place = Place::new();
    let psv = fs::read(sample("sample.psv")).unwrap();
    place.file("in.psv", &psv);
    let mut twice = [&psv[..], &psv[..]].concat();
    for (number, record) in twice.chunks_exact_mut(40).enumerate() {
        record[32..34].copy_from_slice(&((number / 2000 * 101) as i16).to_le_bytes());
    }
    place.file("twice.psv", twice);
    place
}

fn run(place: &Place, words: &[&str]) -> Ran {
    program().current_dir(place.path("")).args(words).output().unwrap().into()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn dedup_keeps_the_first_the_last_or_the_mean() {
    let place = place();
    for (keep, least) in [("first", 0), ("last", 101), ("mean", 51)] {
        let words =
            ["dedup", "twice.psv", "out.psv", "--keep", keep, "--moves", "as-is", "--force", "--json"];
        let report = run(&place, &words).report();
        let out = fs::read(place.path("out.psv")).unwrap();
        assert_eq!(report["written"], out.len() as u64 / 40, "{keep}");
        let scores = out.chunks(40).map(|record| i16::from_le_bytes([record[32], record[33]]));
        assert!(scores.min() == Some(least), "{keep}");
    }
    let words = ["dedup", "twice.psv", "mean.psv", "--keep", "mean", "--columns", "c", "--moves", "as-is"];
    assert_eq!(run(&place, &words).code, 0);
    let records = fs::metadata(place.path("mean.psv")).unwrap().len() / 40;
    for name in ["c.count.u32", "c.result.f32", "c.score.f32"] {
        assert_eq!(fs::metadata(place.path(name)).unwrap().len(), 4 * records, "{name}");
    }
    let counts = fs::read(place.path("c.count.u32")).unwrap();
    let counts = counts.as_chunks().0.iter().map(|count| u64::from(u32::from_le_bytes(*count)));
    assert_eq!(counts.sum::<u64>(), 4000);
    for (words, kind) in [
        (&["dedup", "in.psv", "o.psv", "--columns", "x"][..], "not_averaged"),
        (&["dedup", "in.psv", "o.psv", "--keep", "mean", "--by", "record", "--columns", "x"], "not_averaged"),
        (
            &["dedup", "in.psv", "o.psv", "--keep", "mean", "--shuffle-seed", "1", "--columns", "x"],
            "not_averaged",
        ),
        (&["dedup", "twice.psv", "o.psv", "--keep", "mean", "--columns", "c", "--moves", "as-is"], "exists"),
    ] {
        // The advice names options.
        let named: &[&str] = if kind == "not_averaged" { &["--columns"] } else { &[] };
        run(&place, &[words, &["--json"]].concat()).refused(2, kind, named);
    }
}

#[test]
fn positions_of_a_held_out_set_are_left_out() {
    let place = place();
    let psv = fs::read(place.path("in.psv")).unwrap();
    place.file("held.psv", &psv[..40 * 700]);
    let words = ["filter", "in.psv", "out.psv", "--not-in", "held.psv", "--moves", "as-is", "--json"];
    let report = run(&place, &words).report();
    let held: Vec<&[u8]> = psv[..40 * 700].chunks(40).map(|record| &record[..32]).collect();
    let expected: Vec<u8> =
        psv.chunks(40).filter(|record| !held.contains(&&record[..32])).flatten().copied().collect();
    assert!(fs::read(place.path("out.psv")).unwrap() == expected);
    assert_eq!(report["in_references"], 2000 - expected.len() as u64 / 40);
    assert!(report.get("duplicates").is_none());
    // `--from` is the format of the inputs, and no reference is read in it.
    run(&place, &["convert", "held.psv", "held.hcpe", "--quiet"]).ok();
    run(&place, &["convert", "held.psv", "held.packed_sfen", "--quiet"]).ok();
    for (from, reference) in [("psv", "held.hcpe"), ("psv-lenient", "held.packed_sfen"), ("psv", "held.psv")]
    {
        let words = ["filter", "in.psv", "2.psv", "--from", from, "--not-in", reference, "--moves", "as-is"];
        run(&place, &[&words[..], &["--force", "--quiet"]].concat()).ok();
        assert!(fs::read(place.path("2.psv")).unwrap() == expected, "--from {from} --not-in {reference}");
    }
    for words in [
        &["filter", "in.psv", "1.psv", "--not-in", "held.psv", "--where", "won"][..],
        &["filter", "in.psv", "1.psv", "--where", "won", "--max-memory", "1G"],
        &["filter", "in.psv", "1.psv", "--not-in", "held.psv", "--invert"],
    ] {
        run(&place, &[words, &["--json"]].concat()).refused(2, "usage", &[]);
    }
}

/// The same hash as that of `sha256sum`.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn a_manifest_names_files_with_their_hashes_and_has_the_report() {
    let place = place();
    place.file("held.psv", "");
    let words = ["dedup", "in.psv", "out.psv", "--reference", "held.psv", "--keep", "mean", "--columns", "c"];
    let ran = run(&place, &[&words[..], &["--moves", "as-is", "--quiet", "--manifest", "m.json"]].concat());
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, "", ""));
    let manifest = read_json(&place.path("m.json"));
    assert!(schema::violations(&manifest["report"]).is_empty(), "{manifest:#}");
    assert_eq!(manifest["report"]["read"], 2000);
    assert_eq!(manifest["arguments"].as_array().unwrap().len(), 15);
    assert_eq!(manifest["program"], concat!("komabako ", env!("CARGO_PKG_VERSION")));
    let names = |member: &str| -> Vec<String> {
        let files = manifest[member].as_array().unwrap().iter();
        files.map(|file| file["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("inputs"), ["in.psv", "held.psv"]);
    let mut outputs = names("outputs");
    outputs.sort();
    assert_eq!(outputs, ["c.count.u32", "c.result.f32", "c.score.f32", "out.psv"]);
    assert_eq!(manifest["inputs"][1], json!({ "name": "held.psv", "bytes": 0, "sha256": EMPTY }));
    assert_eq!(manifest["inputs"][0]["bytes"], 80_000);

    // One that exists, or that is another file of the command, is refused before anything is written.
    for (words, kind) in [
        (["head", "in.psv", "-o", "1.psv", "--manifest", "m.json"], "exists"),
        (["convert", "in.psv", "1.psv", "--manifest", "1.psv", "--force"], "same_file"),
        (["convert", "in.psv", "1.psv", "--manifest", "./in.psv", "--force"], "same_file"),
        (
            ["convert", "in.psv", "1.psv", "--force", "--manifest=b.psv", "--on-error=collect=b.psv"],
            "same_file",
        ),
        (
            ["convert", "in.psv", "1.psv", "--force", "--manifest=b.reasons.tsv", "--on-error=collect=b"],
            "same_file",
        ),
    ] {
        run(&place, &[&words[..], &["--json"]].concat()).refused(2, kind, &[]);
        assert!(!place.path("1.psv").exists());
    }
    let words =
        ["shuffle", "in.psv", "1.psv", "--seed", "1", "--delete-inputs", "--manifest", "n.json", "--json"];
    run(&place, &words).refused(2, "usage", &["--delete-inputs"]);
}

/// Two such names are two, and the files have sizes and hashes.
#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_not_unicode_are_listed() {
    use std::os::unix::ffi::OsStrExt;
    let place = place();
    let name = |bytes| std::ffi::OsStr::from_bytes(bytes);
    let inputs = [name(b"in\xfe.psv"), name(b"in\xff.psv")];
    for input in inputs {
        fs::copy(place.path("in.psv"), place.path("").join(input)).unwrap();
    }
    let mut head = program();
    head.current_dir(place.path("")).arg("head").args(inputs).args(["--manifest", "m.json", "-o"]);
    assert!(head.arg(name(b"out\xff.psv")).status().unwrap().success());
    let names = |files: &Value| -> Vec<String> {
        files.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect()
    };
    let manifest = read_json(&place.path("m.json"));
    assert_eq!(names(&manifest["inputs"]), [r"in\xfe.psv", r"in\xff.psv"]);
    assert_eq!(names(&manifest["outputs"]), [r"out\xff.psv"]);
    assert_eq!(manifest["arguments"][2], r"in\xfe.psv");
    let output = &read_json(&place.path("m.json"))["outputs"][0];
    assert_eq!(
        (&output["bytes"], output["sha256"].as_str().map(str::len)),
        (&400.into(), Some(64)),
        "{output}"
    );
}

/// Every command with the option writes one, whatever its job.
#[test]
fn every_job_that_writes_has_a_manifest() {
    let place = place();
    place.file("in.i16", [0; 4000]);
    place.file("game.usi", "startpos moves 7g7f 3c3d\n");
    for (number, line) in [
        "convert in.psv 1.hcpe",
        "convert game.usi 2.psv --unfinished draw --missing-score 0",
        "convert in.psv twice.psv --to hcpe --out-dir each --moves as-is",
        "kifu game.usi 3.csa",
        "shuffle in.psv 4.psv --seed 1",
        "mix in.psv:3 in.psv 5.psv --seed 1",
        "cat in.psv -o 6.psv",
        "sample in.psv 7.psv --count 5",
        "filter in.psv 8.psv --where won",
        "filter in.psv --where won --mask 9.bits",
        "split in.psv --parts 2 --into part-{}.psv",
        "diff in.psv in.psv --only-b 10.psv",
        "merge-scores in.psv in.i16 11.psv",
        "extract-scores in.psv 12.i16",
        "scores in.psv 13.psv --scale 0.5",
        "repair in.psv 14.psv",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{number}.json");
        let words: Vec<&str> = line.split(' ').chain(["--manifest", &name]).collect();
        let ran = run(&place, &words);
        assert!(ran.code < 2, "{line}: {}", ran.stderr);
        let manifest = read_json(&place.path(&name));
        let files = |member: &str| manifest[member].as_array().unwrap().clone();
        assert_eq!(files("inputs")[0]["name"], words[1].trim_end_matches(":3"), "{line}");
        // No record of B is alone.
        if !line.starts_with("diff") {
            let outputs = files("outputs");
            assert!(
                !outputs.is_empty() && outputs.iter().all(|file| file["bytes"].is_u64()),
                "{line}: {outputs:?}"
            );
        }
        assert!(schema::violations(&manifest["report"]).is_empty(), "{line}: {manifest:#}");
    }
}

#[test]
fn a_card_has_front_matter_files_steps_sources_and_statistics() {
    let place = place();
    for line in [
        "filter twice.psv quiet.psv --where quiet --moves as-is --manifest 1.json",
        "dedup quiet.psv train.psv --keep mean --moves as-is --manifest 2.json",
        "stats train.psv --moves as-is --save train.stats",
    ] {
        let ran = run(&place, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
    }
    let words = ["card", "1.json", "2.json", "--stats", "train.stats", "--license", "cc0-1.0"];
    let card = run(&place, &[&words[..], &["--title", "A: set", "--picture", "stats.png"]].concat()).ok();
    let manifest = read_json(&place.path("2.json"));
    let records = manifest["report"]["written"].as_u64().unwrap();
    let category = if records < 1000 { "n<1K" } else { "1K<n<10K" };
    let front = format!(
        "---\nlicense: \"cc0-1.0\"\npretty_name: \"A: set\"\ntags:\n- shogi\n- komabako\nsize_categories:\n- {category}\n---\n\n# A: set\n"
    );
    assert!(card.starts_with(&front), "{card}");
    let hash = manifest["outputs"][0]["sha256"].as_str().unwrap();
    let (files, rest) = card.split_once("## How it was made").unwrap();
    let (steps, rest) = rest.split_once("## Sources").unwrap();
    let (sources, statistics) = rest.split_once("## Statistics").unwrap();
    assert!(files.contains(&format!("| `train.psv` | psv | {records} |")) || records >= 1000, "{files}");
    assert!(files.contains(hash) && !files.contains("quiet.psv"), "{files}");
    assert!(steps.contains("   komabako dedup quiet.psv train.psv --keep mean"), "{steps}");
    assert!(steps.matches("```sh").count() == 2, "{steps}");
    assert!(sources.contains("`twice.psv`") && !sources.contains("quiet.psv"), "{sources}");
    assert!(
        statistics.contains("![Statistics](<stats.png>)") && statistics.contains("```text"),
        "{statistics}"
    );
    // A card goes to a file too, and says the same in Japanese.
    let words = ["card", "1.json", "2.json", "-o", "README.md", "--lang", "ja"];
    assert_eq!(run(&place, &words).ok(), "");
    assert!(fs::read_to_string(place.path("README.md")).unwrap().contains("## 作り方"));
    run(&place, &words).fails(2, &["README.md"]);
    run(&place, &["card", "in.psv"]).fails(2, &["in.psv", "--manifest"]);
    run(&place, &["card", "none.json"]).fails(2, &["none.json"]);
    // What a card is made of is no place for it.
    for read in ["1.json", "train.stats"] {
        let before = fs::read(place.path(read)).unwrap();
        let words = ["card", "1.json", "--stats", "train.stats", "-o", read, "--force"];
        run(&place, &words).fails(2, &[read, "used twice"]);
        assert_eq!(fs::read(place.path(read)).unwrap(), before);
    }
}

#[test]
fn a_card_counts_each_record_once() {
    let place = place();
    for line in [
        "head -n 600 twice.psv -o few.psv --moves as-is",
        "split few.psv --ratio 9:1 --into most.psv --into rest.psv --moves as-is --manifest split.json",
        "shuffle most.psv shuffled.psv --seed 1 --moves as-is --manifest shuffle.json",
    ] {
        let ran = run(&place, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
    }
    let card = run(&place, &["card", "split.json", "shuffle.json"]).ok();
    assert!(card.contains("size_categories:\n- n<1K\n"), "{card}");
}

#[test]
fn a_card_keeps_files_that_later_steps_only_look_at() {
    let place = place();
    let few = fs::read(place.path("in.psv")).unwrap()[..40 * 40].repeat(2);
    place.file("again.psv", few);
    let mut words = vec!["card".to_owned()];
    for line in [
        "cat again.psv -o set.psv",
        "extract-scores set.psv set.i16",
        "filter set.psv --mask used.mask --where true",
        "filter set.psv --mask left.mask --where true",
        "filter in.psv out.psv --not-in set.psv",
        "diff set.psv out.psv --only-a alone.psv",
        "filter again.psv taken.psv --by-mask used.mask",
        "slice again.psv --range ..40 -o one.psv",
        "slice again.psv --range 40.. -o other.psv",
        "shuffle one.psv shuffled.psv --seed 1",
    ] {
        let manifest = format!("{}.json", words.len());
        let has_moves = !line.starts_with("extract-scores") && !line.starts_with("diff");
        let line = format!("{line}{} --manifest {manifest}", if has_moves { " --moves as-is" } else { "" });
        let ran = run(&place, &line.split(' ').collect::<Vec<_>>());
        assert!(ran.code < 2, "{line}: {}", ran.stderr);
        words.push(manifest);
    }
    let card = run(&place, &words.iter().map(String::as_str).collect::<Vec<_>>()).ok();
    let (files, _) = card.split_once("## How it was made").unwrap();
    for kept in [
        "`set.psv` | psv | 80 |",
        "`set.i16` |  |  |",
        "`left.mask` |  |  |",
        "`out.psv` | psv |",
        "`other.psv` | psv | 40 |",
    ] {
        assert!(files.contains(kept), "{kept}: {files}");
    }
    assert_eq!(read_json(&place.path("6.json"))["report"]["outputs"][0]["name"], "alone.psv");
    for used in ["used.mask", "one.psv"] {
        assert!(!files.contains(&format!("`{used}`")), "{used}: {files}");
    }
}
