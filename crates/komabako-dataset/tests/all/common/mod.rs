//! Helpers for the tests of whole files.

pub mod games;

use std::io::Cursor;
use std::path::PathBuf;

use komabako_dataset::convert::{Job, OnBadRecord, Summary};
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{DatasetError, FileFormat, Input, Output};

/// A file of sample data of the workspace.
pub fn sample_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}

/// The content of a file of sample data.
pub fn sample(name: &str) -> Vec<u8> {
    std::fs::read(sample_path(name)).unwrap()
}

/// The SFENs of the sample data.
pub fn sample_sfens() -> Vec<String> {
    let table = String::from_utf8(sample("sample.tsv")).unwrap();
    table.lines().skip(1).map(|row| row.split('\t').next().unwrap().to_owned()).collect()
}

/// Converts in memory.
pub fn convert_with(
    from: FileFormat,
    to: FileFormat,
    bytes: &[u8],
    change: impl FnOnce(&mut Job),
) -> Result<(Vec<u8>, Summary), DatasetError> {
    let mut out = Vec::new();
    let input = Input::Stream("input".into(), Box::new(Cursor::new(bytes)));
    let mut job = Job::new(vec![input], Output::Stream("output".into(), Box::new(&mut out)));
    job.options.from = Some(from);
    job.to = Some(to);
    change(&mut job);
    let summary = job.plan()?.run(&mut ())?;
    Ok((out, summary))
}

/// Converts records in memory, none of them bad.
pub fn convert(from: FileFormat, to: FileFormat, bytes: &[u8]) -> Vec<u8> {
    convert_with(from, to, bytes, |_| {}).unwrap().0
}

/// Converts in memory, leaving bad records out.
pub fn convert_good(from: FileFormat, to: FileFormat, bytes: &[u8]) -> (Vec<u8>, Summary) {
    convert_with(from, to, bytes, |job| job.on_bad_record = OnBadRecord::Skip).unwrap()
}

/// The records of a PSV file.
pub fn psv_records(bytes: &[u8]) -> Vec<Psv> {
    bytes.as_chunks().0.iter().map(Psv::from_bytes).collect()
}

/// The records of an hcpe file.
pub fn hcpe_records(bytes: &[u8]) -> Vec<Hcpe> {
    bytes.as_chunks().0.iter().map(Hcpe::from_bytes).collect()
}

/// Changes the records of a PSV file; `edit` gets each with its index.
pub fn edit_psv(bytes: &mut [u8], mut edit: impl FnMut(usize, &mut Psv)) {
    for (index, chunk) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
        let mut record = Psv::from_bytes(chunk);
        edit(index, &mut record);
        *chunk = record.to_bytes();
    }
}

/// Changes the records of an hcpe file; `edit` gets each with its index.
pub fn edit_hcpe(bytes: &mut [u8], mut edit: impl FnMut(usize, &mut Hcpe)) {
    for (index, chunk) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
        let mut record = Hcpe::from_bytes(chunk);
        edit(index, &mut record);
        *chunk = record.to_bytes();
    }
}

/// The names of the files in a directory, sorted, to check that nothing was left behind.
pub fn names(directory: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
