//! Prints the table `archive_public.tsv` of the test vectors: `cargo run --example vectors -- data > DIRECTORY/archive_public.tsv`, with
//! the directory of the sample data; then `cargo xtask vectors import DIRECTORY`. Published lines never change: new ones go to the end.

use std::fmt::Write;
use std::path::Path;

use komabako_archive::{Codec, Encoding, Header, Source, write_archive};
use komabako_board::Position;
use komabako_record::record::{Hcpe, Psv};
use komabako_rules::move16::MoveEncoding;
use komabako_rules::{MoveList, State};
use komabako_testkit::vectors;
use komabako_variants::WordFormat;

/// The codecs that came first, with the level of zstd. What zstd writes may differ by its version: its row is only read.
const FIRST: [(&str, Codec, i32); 3] =
    [("stored", Codec::Stored, 0), ("columns", Codec::Columns, 0), ("columns-zstd", Codec::Columns, 3)];
const MODEL: [(&str, Codec, i32); 1] = [("model", Codec::Model, 0)];

/// A name, the records in a block, the records.
type Case = (&'static str, usize, Vec<u8>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("the directory of the sample data is missing")?;
    println!("name\tsource\tcodec\tblock\trecords\tarchive");
    let mut samples = Vec::new();
    for (source, file) in [(Source::Psv, "sample.psv"), (Source::Hcpe, "sample.hcpe")] {
        samples.push((source, std::fs::read(Path::new(&directory).join(file))?));
    }
    for (source, sample) in &samples {
        print(*source, &samples_of_all(*source, sample), &FIRST)?;
    }
    for (source, sample) in &samples {
        print(*source, &samples_of_all(*source, sample), &MODEL)?;
        print(*source, &samples_of_model(*source, sample), &MODEL)?;
    }
    Ok(())
}

fn print(
    source: Source,
    cases: &[Case],
    codecs: &[(&str, Codec, i32)],
) -> Result<(), Box<dyn std::error::Error>> {
    for (name, block, records) in cases {
        for (codec_name, codec, level) in codecs {
            let encoding = Encoding { level: *level, ..Encoding::new(*codec) };
            let archive = write_archive(&Header::new(source), records, *block, &encoding)?;
            let source = source.name();
            println!("{name}\t{source}\t{codec_name}\t{block}\t{}\t{}", hex(records), hex(&archive));
        }
    }
    Ok(())
}

/// Records of the sample, some changed.
fn samples_of_all(source: Source, sample: &[u8]) -> Vec<Case> {
    let size = source.record_size();
    let some = |start: usize, count: usize| sample[start * size..(start + count) * size].to_vec();
    let mut illegal = some(200, 3);
    illegal[size + 34] ^= 1;
    let mut labels = some(300, 3);
    // A mate, a result out of range, padding.
    labels[32..34].copy_from_slice(&31_990_i16.to_le_bytes());
    labels[2 * size - 2] = 7;
    labels[3 * size - 1] = 9;
    vec![
        ("no records", 4, Vec::new()),
        ("one record", 4, some(0, 1)),
        ("a game in two blocks", 8, some(20, 12)),
        ("games with gaps", 16, (0..6).flat_map(|part| some(part * 90, 2)).collect()),
        ("an illegal move", 8, illegal),
        ("a word that is none", 8, [some(400, 1), vec![0xff; size], some(401, 1)].concat()),
        ("unusual labels", 8, labels),
    ]
}

/// What only the model sees: hidden moves, mates, removed pieces; and enough records to learn from.
fn samples_of_model(source: Source, sample: &[u8]) -> Vec<Case> {
    let size = source.record_size();
    let every = |step: usize| sample.chunks_exact(size).step_by(step).flatten().copied();
    let from_start = game(source, Position::START, 24, 1);
    let missing = vectors::handicap().filter_map(|vector| Position::new(vector.setup).ok());
    let handicaps = missing.take(12).flat_map(|position| game(source, position, 4, 1)).collect();
    vec![
        ("from the start", 64, from_start),
        ("hidden moves", 64, game(source, Position::START, 32, 2)),
        ("missing pieces", 64, handicaps),
        (
            "much of a game, and loose records",
            256,
            sample[..size * 100].iter().copied().chain(every(29)).collect(),
        ),
    ]
}

/// Every `step`th record of a game of arbitrary moves, whose scores end in mates.
fn game(source: Source, position: Position, plies: u16, step: usize) -> Vec<u8> {
    let mut records = Vec::new();
    let mut moves = MoveList::new();
    let Ok(mut state) = State::<()>::new(&position) else { return records };
    for ply in 1..=plies {
        state.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        // The list has no order of its own.
        let mut sorted = moves.to_vec();
        sorted.sort_unstable();
        let mv = sorted[usize::from(ply) * 37 % sorted.len()];
        let is_odd = ply % 2 == 1;
        let sign = if is_odd { 1 } else { -1 };
        let score = if ply + 5 > plies { 32_000 - (plies - ply) as i16 } else { (ply * ply % 300) as i16 };
        let score = score * sign;
        let padding = 0;
        if usize::from(ply) % step == 0 {
            let word = |format: WordFormat| format.pack(&state.setup());
            match source {
                Source::Hcpe => {
                    let (Ok(position), Ok(best_move)) =
                        (word(WordFormat::Hcp), MoveEncoding::Apery.encode(mv))
                    else {
                        break;
                    };
                    let record = Hcpe { position, score, best_move, result: 1, padding };
                    records.extend_from_slice(&record.to_bytes());
                }
                Source::Psv => {
                    let Ok(position) = word(WordFormat::PackedSfen) else { break };
                    let result = sign as i8;
                    let record = Psv { position, score, best_move: mv.bits(), ply, result, padding };
                    records.extend_from_slice(&record.to_bytes());
                }
            }
        }
        state.do_move(mv);
    }
    records
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
