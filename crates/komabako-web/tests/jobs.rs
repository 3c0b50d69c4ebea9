//! Jobs on files, driven as the page drives them, give what the program's own jobs give of the same bytes.

use std::collections::BTreeMap;

use komabako::dataset::stats::figures::Figures;
use komabako::dataset::{FileFormat, Input, Output, Selection, convert, stats, validate};
use komabako_web::{Answer, Module};
use serde_json::{Value, json};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Records with every kind of fault here and there, more than a block of them, and an end within a record.
fn damaged() -> Vec<u8> {
    let mut bytes = sample("sample.psv").repeat(9);
    for (index, byte) in bytes.iter_mut().enumerate().filter(|(index, _)| index % 997 == 0) {
        *byte ^= 1 << (index % 8);
    }
    bytes.truncate(bytes.len() - 7);
    bytes
}

fn call(module: &mut Module, name: &str, request: &Value, raw: &[u8]) -> (Value, Vec<u8>) {
    let Answer { json, raw } = module.call(json!({ name: request }).to_string().as_bytes(), raw);
    let answer: Value = serde_json::from_slice(&json).unwrap();
    assert!(answer.get("error").is_none(), "{name}: {answer}");
    (answer["ok"].clone(), raw)
}

/// What a job gives of a file in pieces of some size.
fn run(job: &Value, file: &[u8], piece: usize) -> (Value, Vec<u8>) {
    let mut module = Module::default();
    call(&mut module, "job", job, b"");
    for piece in file.chunks(piece) {
        call(&mut module, "jobPush", &json!({ "last": false }), piece);
    }
    call(&mut module, "jobPush", &json!({ "last": true }), b"");
    call(&mut module, "jobFinish", &json!({}), b"")
}

fn input(bytes: &[u8]) -> Vec<Input<'_>> {
    vec![Input::Stream("input".into(), Box::new(bytes))]
}

#[test]
fn statistics_equal_the_programs() {
    for (format, bytes) in [
        (FileFormat::Psv, sample("sample.psv")),
        (FileFormat::Hcpe, sample("sample.hcpe")),
        (FileFormat::Psv, damaged()),
    ] {
        let mut job = stats::Job::new(input(&bytes));
        job.options.from = Some(format);
        job.options.salvage = true;
        let summary = job.plan().unwrap().run(&mut ()).unwrap();
        // Through text, as the answer: serde_json reads some numbers a bit off.
        let expected = serde_json::to_string(&Figures::new(&summary.stats)).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let mut bad: BTreeMap<&str, u64> =
            summary.counts.bad.iter().map(|(name, count)| (&**name, *count)).collect();
        if !summary.counts.tails.is_empty() {
            bad.insert("TRUNCATED", 1);
        }
        for piece in [1000, 4 << 20] {
            let (finished, _) = run(&json!({ "job": "stats", "format": format.name() }), &bytes, piece);
            assert_eq!(finished["stats"], expected);
            assert_eq!(finished["bad"], json!(bad));
            assert_eq!(finished["records"], summary.counts.read);
        }
    }
}

#[test]
fn findings_equal_the_programs() {
    let bytes = damaged();
    let mut job = validate::Job::new(input(&bytes));
    job.options.from = Some(FileFormat::Psv);
    let report = job.run(&mut ()).unwrap().files.remove(0);
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, count) in report.levels.iter().flat_map(|level| &level.faults) {
        *expected.entry(name).or_default() += count;
    }
    assert!(expected.len() > 8, "{expected:?}");
    let job = json!({ "job": "validate", "format": "psv", "findings": 100 });
    for piece in [1000, 4 << 20] {
        let (finished, _) = run(&job, &bytes, piece);
        assert_eq!(finished["bad"], json!(expected));
        let findings = finished["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 100);
        let records: Vec<u64> = findings.iter().map(|found| found["record"].as_u64().unwrap()).collect();
        assert!(records.is_sorted());
        for found in findings {
            assert!(expected.contains_key(found["error"]["name"].as_str().unwrap()), "{found}");
            assert_eq!(found["offset"], found["record"].as_u64().unwrap() * 40);
        }
        // Each level's first records, as far as a hundred findings reach.
        for level in &report.levels {
            for record in level.first.iter().filter(|&&record| record < records[99]) {
                assert!(records.contains(record), "{}: {record}", level.level);
            }
        }
    }
}

#[test]
fn constant_ply_is_not_a_fault() {
    let mut bytes = sample("sample.psv");
    bytes.chunks_exact_mut(40).for_each(|record| record[36..38].copy_from_slice(&[1, 0]));
    let job = json!({ "job": "validate", "format": "psv", "findings": 100 });
    assert_eq!(run(&job, &bytes, 1 << 20).0["bad"], json!({}));
}

#[test]
fn samples_equal_the_programs() {
    let bytes = sample("sample.psv");
    for (count, seed) in [(0, 0), (100, 7), (100, u64::MAX), (5000, 1)] {
        let mut expected = Vec::new();
        let mut job =
            convert::Job::new(input(&bytes), Output::Stream("output".into(), Box::new(&mut expected)));
        job.options.from = Some(FileFormat::Psv);
        job.to = Some(FileFormat::Psv);
        job.select = Selection::Sample { count, seed };
        job.plan().unwrap().run(&mut ()).unwrap();
        let job = json!({ "job": "sample", "format": "psv", "records": count, "seed": seed.to_string() });
        let (finished, drawn) = run(&job, &bytes, 3000);
        assert_eq!(finished["records"], 2000);
        assert!(drawn == expected, "{count} records, seed {seed}: {} bytes", drawn.len());
    }
}

#[test]
fn impossible_requests_are_refused() {
    let mut module = Module::default();
    let mut error = |name: &str, request: Value| {
        let answer = module.call(json!({ name: request }).to_string().as_bytes(), b"");
        serde_json::from_slice::<Value>(&answer.json).unwrap()["error"]["name"].clone()
    };
    assert_eq!(error("jobPush", json!({ "last": true })), "NO_JOB");
    assert_eq!(error("jobFinish", json!({})), "NO_JOB");
    assert_eq!(error("job", json!({ "job": "stats", "format": "doc" })), "FORMAT");
    let sample =
        |format: &str, seed: &str| json!({ "job": "sample", "format": format, "records": 1, "seed": seed });
    assert_eq!(error("job", sample("csv", "1")), "SAMPLE_SIZE");
    assert_eq!(error("job", sample("psv", "-1")), "SEED");
}
