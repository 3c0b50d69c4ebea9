//! The specification is complete: a decoder in plain Python that was written from it, `tests/python/decode.py`, reads archives.

use std::path::Path;
use std::process::Command;

use komabako_archive::{Codec, Encoding, Source};
use komabako_testkit::{cases, vectors};

use crate::common::{archive, runs, sample, selfplay, shuffled};

/// Decodes an archive in Python; `None` where Python is not installed.
fn decoded(archive: &[u8], name: &str) -> Option<Vec<u8>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/decode.py");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, archive).expect("the directory of temporary files can be written");
    let output = Command::new("python3").arg("-B").arg(script).arg(&file).output().ok()?;
    std::fs::remove_file(&file).expect("the file was just written");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

#[test]
fn python_reads_every_codec() {
    for source in [Source::Psv, Source::Hcpe] {
        let size = source.record_size();
        // Two games' records, some loose ones, one whose move is illegal, one whose word is not canonical.
        let mut records = sample(source)[..size * 130].to_vec();
        records.extend(sample(source).chunks_exact(size).step_by(97).flatten());
        let illegal = records[..size].to_vec();
        records.extend(illegal);
        let end = records.len();
        records[end - size + 34] ^= 1;
        records.extend([0xff; 40][..size].iter());
        records.extend_from_slice(&sample(source)[size * 40..size * 44]);
        for codec in Codec::ALL {
            // Python reads zstd from version 3.14 on.
            let encoding = Encoding { level: 0, ..Encoding::new(*codec) };
            let archive = archive(source, &records, 120, &encoding);
            let name = format!("{}-{}.kmb", source.name(), codec.name());
            let Some(decoded) = decoded(&archive, &name) else {
                println!("skipped: python3 is not installed");
                return;
            };
            assert!(decoded == records, "{source:?} {codec:?}");
        }
    }
}

/// All of them at once: archives may be joined.
#[test]
fn python_reads_the_published_archives() {
    for source in [Source::Psv, Source::Hcpe] {
        let of_source = || {
            vectors::archives()
                .filter(|vector| vector.source == source.name() && vector.codec != "columns-zstd")
        };
        let archive: Vec<u8> = of_source().flat_map(|vector| vector.archive).collect();
        let records: Vec<u8> = of_source().flat_map(|vector| vector.records).collect();
        match decoded(&archive, &format!("published-{}.kmb", source.name())) {
            Some(decoded) => assert!(decoded == records, "{source:?}"),
            None => println!("skipped: python3 is not installed"),
        }
    }
}

/// The decoder in Python is the slow reference of the model: more records, among them shuffled ones.
#[test]
fn python_reads_what_the_model_has_learnt() {
    // All by hand: KOMABAKO_ARCHIVE_PYTHON=50056 cargo test --release -p komabako-archive --test all python_reads_what
    let count = runs("KOMABAKO_ARCHIVE_PYTHON", cases::scaled(600));
    let games = selfplay();
    let mut records = games[..count * 40].to_vec();
    records.extend_from_slice(&shuffled(&games)[..count / 4 * 40]);
    let archive = archive(Source::Psv, &records, 65_536, &Encoding::new(Codec::Model));
    match decoded(&archive, "learnt.kmb") {
        Some(decoded) => assert!(decoded == records),
        None => println!("skipped: python3 is not installed"),
    }
}
