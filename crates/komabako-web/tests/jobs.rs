//! Jobs on files, called as the page calls them, give the same results as the program's own jobs on the same bytes.

use std::collections::BTreeMap;
use std::path::Path;

use komabako::dataset::detect::{self, Detection};
use komabako::dataset::stats::figures::Figures;
use komabako::dataset::{DatasetError, FileFormat, Input, Output, Selection, convert, stats, validate};
use komabako::record::detect::SAMPLE_BYTES;
use komabako_web::{Answer, Module};
use serde_json::{Value, json};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Records with scattered faults of every kind, more than a block of them, and an end within a record.
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

/// The result of a job on a file passed in chunks of `chunk` bytes.
fn run(job: &Value, file: &[u8], chunk: usize) -> (Value, Vec<u8>) {
    let mut module = Module::default();
    call(&mut module, "job", job, b"");
    for chunk in file.chunks(chunk) {
        call(&mut module, "jobPush", &json!({ "last": false }), chunk);
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
        // Converted through text, like the answer, because serde_json does not read all numbers exactly.
        let expected = serde_json::to_string(&Figures::new(&summary.stats)).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let mut bad: BTreeMap<&str, u64> =
            summary.counts.bad.iter().map(|(name, count)| (&**name, *count)).collect();
        if !summary.counts.tails.is_empty() {
            bad.insert("TRUNCATED", 1);
        }
        for chunk in [1000, 4 << 20] {
            let (finished, _) = run(&json!({ "job": "stats", "format": format.name() }), &bytes, chunk);
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
    for chunk in [1000, 4 << 20] {
        let (finished, _) = run(&job, &bytes, chunk);
        assert_eq!(finished["bad"], json!(expected));
        let findings = finished["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 100);
        let records: Vec<u64> = findings.iter().map(|found| found["record"].as_u64().unwrap()).collect();
        assert!(records.is_sorted());
        for found in findings {
            assert!(expected.contains_key(found["error"]["name"].as_str().unwrap()), "{found}");
            assert_eq!(found["offset"], found["record"].as_u64().unwrap() * 40);
        }
        // The first records of each level, up to the last of a hundred findings.
        for level in &report.levels {
            for record in level.first.iter().filter(|&&record| record < records[99]) {
                assert!(records.contains(record), "{}: {record}", level.level);
            }
        }
    }
}

#[test]
fn a_sound_file_of_games_has_no_faults() {
    let job = json!({ "job": "validate", "format": "hcpe3", "findings": 100 });
    let (finished, _) = run(&job, &converted(FileFormat::Hcpe3), 4 << 20);
    assert_eq!(finished["bad"], json!({}), "{finished}");
}

/// The sample in a format.
fn converted(format: FileFormat) -> Vec<u8> {
    let psv = sample("sample.psv");
    let mut converted = Vec::new();
    let output = Output::Stream("output".into(), Box::new(&mut converted));
    let mut job = convert::Job::new(input(&psv), output);
    job.options.from = Some(FileFormat::Psv);
    job.to = Some(format);
    job.plan().unwrap().run(&mut ()).unwrap();
    converted
}

/// Changes every record of `size` bytes whose number is a multiple of `step`.
fn edited(mut bytes: Vec<u8>, size: usize, step: usize, edit: impl Fn(&mut [u8])) -> Vec<u8> {
    bytes.chunks_exact_mut(size).step_by(step).for_each(edit);
    bytes
}

/// Contents that are sound, damaged, in other codecs, or no records at all.
fn contents() -> Vec<(String, Vec<u8>)> {
    let psv = sample("sample.psv");
    let hcpe = sample("sample.hcpe");
    let hcp = converted(FileFormat::Hcp);
    let mut contents = Vec::new();
    for name in ["sample.psv", "sample.hcpe", "sample.tsv"] {
        let bytes = sample(name);
        contents.push((format!("{name}, cut"), bytes[..bytes.len() - 7].to_vec()));
        contents.push((format!("{name}, 47 bytes"), bytes[..47].to_vec()));
        let long = bytes.repeat(SAMPLE_BYTES / bytes.len() + 2);
        contents.push((format!("{name}, longer than a sample"), long[..long.len() - 7].to_vec()));
        contents.push((name.to_owned(), bytes));
    }
    for format in FileFormat::ALL.iter().copied().filter(|format| format.can_write()) {
        contents.push((format.to_string(), converted(format)));
    }
    let foreign_words = psv
        .chunks_exact(40)
        .zip(hcp.chunks_exact(32))
        .flat_map(|(record, word)| [word, &record[32..]].concat());
    let mut opponent = converted(FileFormat::Hcpe3);
    opponent[35] = 3;
    let named = |name: &str, bytes: Vec<u8>| (name.to_owned(), bytes);
    contents.extend([
        named("scattered bits", damaged()),
        named("one record in 150 is bad", edited(psv.clone(), 40, 150, |record| record[..32].fill(0xff))),
        named("a third of the records are bad", edited(psv.clone(), 40, 3, |record| record[..32].fill(0xff))),
        named("PSV with words of HCP", foreign_words.collect()),
        named("flags of hcpe2", edited(hcpe, 38, 17, |record| record[36] |= 4)),
        named("game with an unknown opponent", opponent),
        named("text without its last line end", b"startpos\nstartpos".to_vec()),
        named("CSA", b"V2.2\nPI\n+\n+7776FU\n".to_vec()),
        named("sbinpack", b"SBN2\x10\0\0\0".to_vec()),
        named("noise", (0..4000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()),
        named("empty", Vec::new()),
    ]);
    contents
}

/// The format and the sentences of the evidence, or the name of the error.
type Detected = Result<(String, Vec<String>), String>;

fn by_program(detected: Result<Detection, DatasetError>) -> Detected {
    let Detection { format, why, .. } = detected.map_err(|error| error.kind().to_uppercase())?;
    // The page shows records of one format, so an empty file needs a name.
    let format = format.ok_or("UNRECOGNIZED")?;
    Ok((format.to_string(), why.iter().map(ToString::to_string).collect()))
}

/// `size`: the size of the content, if the page knows it.
fn by_page(file: &str, bytes: &[u8], size: Option<usize>) -> Detected {
    let request = json!({ "detect": { "file": file, "size": size } }).to_string();
    let answer = Module::default().call(request.as_bytes(), &bytes[..bytes.len().min(SAMPLE_BYTES)]);
    let answer: Value = serde_json::from_slice(&answer.json).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match answer.get("ok") {
        Some(found) => {
            let why = found["why"].as_array().unwrap().iter().map(|reason| text(&reason["sentence"]["en"]));
            Ok((text(&found["format"]), why.collect()))
        }
        None => Err(text(&answer["error"]["name"])),
    }
}

#[test]
fn detection_equals_the_programs() {
    let mut found = BTreeMap::new();
    for (what, bytes) in contents() {
        for name in ["data", "data.psv", "data.hcpe3"] {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            std::fs::write(&path, &bytes).unwrap();
            let expected = by_program(detect::detect_path(&path));
            assert_eq!(by_page(name, &bytes, Some(bytes.len())), expected, "{what} in {name}");
            *found.entry(expected.map(|(format, _)| format)).or_insert(0) += 1;

            // A compressed file: its size is known only if it ends within the sample.
            let stream = Input::Stream(name.into(), Box::new(&bytes[..]));
            let expected = by_program(detect::open(stream, None).map(|(detection, _)| detection));
            let size = (bytes.len() < SAMPLE_BYTES).then_some(bytes.len());
            assert_eq!(by_page(name, &bytes, size), expected, "{what} in {name}, compressed");
        }
    }
    assert!(found.len() > 12, "{found:?}");
    for outcome in [Err("UNSUPPORTED"), Err("UNRECOGNIZED"), Ok("hcpe2"), Ok("pack"), Ok("psv")] {
        assert!(
            found.contains_key(&outcome.map(str::to_owned).map_err(str::to_owned)),
            "{outcome:?}: {found:?}"
        );
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

/// Whatever the limit, the bytes that are consumed are those of the records that are returned.
#[test]
fn records_of_games_are_read_a_few_at_a_time() {
    for format in [FileFormat::Hcpe3, FileFormat::Pack, FileFormat::Psv] {
        let file = converted(format);
        let mut module = Module::default();
        for limit in [0, 1, 10, 97, 100_000] {
            let (mut at, mut all) = (0, 0);
            while at < file.len() {
                let request =
                    json!({ "format": format.name(), "limit": limit, "first": at == 0, "last": true });
                let (read, _) = call(&mut module, "records", &request, &file[at..]);
                all += read["records"].as_array().unwrap().len();
                let bytes = read["bytes"].as_u64().unwrap() as usize;
                assert_eq!(bytes == 0, limit == 0, "{format} {limit}");
                if limit == 0 {
                    break;
                }
                at += bytes;
            }
            assert_eq!(all, if limit == 0 { 0 } else { 2_000 }, "{format} {limit}");
        }
    }
}

/// A job that is finished without a last chunk has read the whole file.
#[test]
fn the_end_of_a_job_is_the_end_of_its_file() {
    let mut file = sample("sample.psv");
    file.extend_from_slice(&[0; 17]);
    for name in ["stats", "validate", "sample"] {
        let job = json!({ "job": name, "format": "psv", "records": 10, "seed": "1" });
        let mut module = Module::default();
        call(&mut module, "job", &job, b"");
        call(&mut module, "jobPush", &json!({ "last": false }), &file);
        let finished = call(&mut module, "jobFinish", &json!({}), b"");
        assert_eq!(finished.0["records"], 2_000, "{name}");
        assert_eq!(finished.0["bad"]["TRUNCATED"], 1, "{name}: {}", finished.0);
        assert_eq!(finished, run(&job, &file, 1 << 12), "{name}");
    }
}
