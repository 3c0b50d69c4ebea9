//! Records for tests.

use komabako_archive::{Archive, Encoding, Header, Source, write_archive};

/// The records of 20 games, of which some are left out.
pub const PSV: &[u8] = include_bytes!("../../../../data/sample.psv");
/// The same in hcpe.
pub const HCPE: &[u8] = include_bytes!("../../../../data/sample.hcpe");

/// The sample in a source's format.
pub fn sample(source: Source) -> &'static [u8] {
    match source {
        Source::Psv => PSV,
        _ => HCPE,
    }
}

/// An archive of records, with blocks of `block` of them.
pub fn archive(source: Source, records: &[u8], block: usize, encoding: &Encoding) -> Vec<u8> {
    write_archive(&Header::new(source), records, block, encoding).expect("the records are whole")
}

/// 50,056 records of some 500 games, in game order: `../data/README.md`.
pub fn selfplay() -> Vec<u8> {
    Archive::new(include_bytes!("../data/selfplay.kmb")).records().expect("the archive is whole")
}

/// The records in an order that looks random and is always the same.
pub fn shuffled(records: &[u8]) -> Vec<u8> {
    let mut order: Vec<&[u8]> = records.chunks_exact(Source::Psv.record_size()).collect();
    let mut state = 1_u64;
    for last in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (state >> 33) as usize % (last + 1));
    }
    order.concat()
}

/// The number of cases in an environment variable, else the one given.
pub fn runs(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |runs| runs.parse().expect("a number of cases"))
}
