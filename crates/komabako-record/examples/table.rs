//! Converts two PSV records to a table with a batch: `cargo run --example table`.

use komabako_codec::Backend;
use komabako_record::{Batch, Block, FileFormat, RecordFault, boundaries};

fn main() -> Result<(), RecordFault> {
    let mut psv = Vec::new();
    for row in ["startpos\t7g7f\t35\t1\t1", "startpos\t2g2f\t-12\t1\t0"] {
        FileFormat::Psv.encode(&FileFormat::Tsv.decode(row.as_bytes())?, &mut psv)?;
    }

    let cut = boundaries::cut(FileFormat::Psv, &psv, true, true);
    let block = Block::new(psv, cut.cuts);
    let mut batch = Batch::new(Backend::detect());
    batch.decode(FileFormat::Psv, &block, 0..block.len());
    let mut table = FileFormat::Tsv.header().to_vec();
    let written = batch.encode(FileFormat::Tsv, &mut table);
    for (row, fault) in batch.faults() {
        eprintln!("record {row}: {fault}");
    }

    print!("{}", String::from_utf8_lossy(&table));
    assert_eq!(written, 2);
    Ok(())
}
