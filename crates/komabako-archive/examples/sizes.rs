//! The size of a PSV file in each codec, in its own order and shuffled, with times: `cargo run --release --example sizes FILE.psv`

use std::time::Instant;

use komabako_archive::{Archive, Codec, Encoding, Header, Source, write_archive};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("the name of a PSV file is missing")?;
    let records = std::fs::read(path)?;
    for (order, records) in [("as it is", &records), ("shuffled", &shuffled(&records))] {
        for codec in [Codec::Columns, Codec::Model] {
            let encoding = Encoding { verify: false, ..Encoding::new(codec) };
            let count = (records.len() / Source::Psv.record_size()) as f64;
            let start = Instant::now();
            let archive = write_archive(&Header::new(Source::Psv), records, 65_536, &encoding)?;
            let encoded = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let is_same = Archive::new(&archive).records()? == *records;
            let decoded = start.elapsed().as_secs_f64();
            println!(
                "{order} {:8} {:7.3} bytes a record, {:7.0} encoded and {:7.0} decoded a ms, same: {is_same}",
                codec.name(),
                archive.len() as f64 / count,
                count / encoded / 1e3,
                count / decoded / 1e3,
            );
        }
    }
    Ok(())
}

/// The records in an order that looks random and is always the same.
fn shuffled(records: &[u8]) -> Vec<u8> {
    let mut order: Vec<&[u8]> = records.chunks_exact(Source::Psv.record_size()).collect();
    let mut state = 1_u64;
    for last in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (state >> 33) as usize % (last + 1));
    }
    order.concat()
}
