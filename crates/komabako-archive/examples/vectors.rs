//! Prints the table `archive_public.tsv` of the test vectors: `cargo run --example vectors -- data > DIRECTORY/archive_public.tsv`, with
//! the directory of the sample data; then `cargo xtask vectors import DIRECTORY`. Codec 2 is not among them until it is frozen: add
//! `Codec::Model` to `CODECS` then.

use std::fmt::Write;
use std::path::Path;

use komabako_archive::{Codec, Encoding, Header, Source, write_archive};

/// The codecs, with the level of zstd. What zstd writes may differ by its version: its row is only read.
const CODECS: [(&str, Codec, i32); 3] =
    [("stored", Codec::Stored, 0), ("columns", Codec::Columns, 0), ("columns-zstd", Codec::Columns, 3)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("the directory of the sample data is missing")?;
    println!("name\tsource\tcodec\tblock\trecords\tarchive");
    for (source, file) in [(Source::Psv, "sample.psv"), (Source::Hcpe, "sample.hcpe")] {
        let sample = std::fs::read(Path::new(&directory).join(file))?;
        let size = source.record_size();
        let some = |start: usize, count: usize| sample[start * size..(start + count) * size].to_vec();
        let mut illegal = some(200, 3);
        illegal[size + 34] ^= 1;
        let mut labels = some(300, 3);
        // A mate, a result out of range, padding.
        labels[32..34].copy_from_slice(&31_990_i16.to_le_bytes());
        labels[2 * size - 2] = 7;
        labels[3 * size - 1] = 9;
        let cases = [
            ("no records", 4, Vec::new()),
            ("one record", 4, some(0, 1)),
            ("a game in two blocks", 8, some(20, 12)),
            ("games with gaps", 16, (0..6).flat_map(|part| some(part * 90, 2)).collect()),
            ("an illegal move", 8, illegal),
            ("a word that is none", 8, [some(400, 1), vec![0xff; size], some(401, 1)].concat()),
            ("unusual labels", 8, labels),
        ];
        for (name, block, records) in cases {
            for (codec_name, codec, level) in CODECS {
                let encoding = Encoding { level, ..Encoding::new(codec) };
                let archive = write_archive(&Header::new(source), &records, block, &encoding)?;
                let source = source.name();
                println!("{name}\t{source}\t{codec_name}\t{block}\t{}\t{}", hex(&records), hex(&archive));
            }
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
