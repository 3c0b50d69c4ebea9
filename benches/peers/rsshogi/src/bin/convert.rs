//! PSV to hcpe and back with rsshogi, on `THREADS` threads: `convert IN.psv OUT.hcpe [THREADS]`, or hcpe to psv.
//!
//! The program that a user of the crate would write: read a block, give each thread its share, write the block.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::thread;

use rsshogi::board::{HuffmanCodedPos, PackedSfen, Position};
use rsshogi::records::formats::hcpe::{HcpeGameResult, HuffmanCodedPosAndEval, decode_entry, encode_entry};
use rsshogi::types::{Color, Move};

const PSV: usize = 40;
const HCPE: usize = 38;
const BLOCK: usize = 1 << 15;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output, threads @ ..] = arguments.as_slice() else {
        return Err("usage: convert IN OUT [THREADS]".into());
    };
    let threads = threads.first().map_or(Ok(1), |text| text.parse())?;
    rsshogi::board::init();
    let (from, convert): (usize, Convert) =
        if input.ends_with(".psv") { (PSV, psv_to_hcpe) } else { (HCPE, hcpe_to_psv) };
    let mut reader = File::open(input)?;
    let mut writer = BufWriter::with_capacity(1 << 20, File::create(output)?);
    let mut block = vec![0; BLOCK * from];
    loop {
        let length = read_whole(&mut reader, &mut block)?;
        if length == 0 {
            break;
        }
        let records = length / from;
        let share = records.div_ceil(threads) * from;
        let converted = thread::scope(|scope| {
            let workers: Vec<_> = block[..records * from]
                .chunks(share)
                .map(|part| scope.spawn(move || convert(part)))
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("worker")).collect::<Vec<_>>()
        });
        for part in converted {
            writer.write_all(&part?)?;
        }
    }
    Ok(writer.flush()?)
}

type Convert = fn(&[u8]) -> Result<Vec<u8>, Failure>;

fn psv_to_hcpe(records: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(records.len() / PSV * HCPE);
    let mut position = Position::empty();
    for record in records.chunks_exact(PSV) {
        position.set_packed_sfen(&PackedSfen::from_bytes(record[..32].try_into()?), false, 0)?;
        let black = position.turn() == Color::BLACK;
        let result = match record[38] as i8 {
            0 => HcpeGameResult::Draw,
            win => {
                if (win == 1) == black {
                    HcpeGameResult::BlackWin
                } else {
                    HcpeGameResult::WhiteWin
                }
            }
        };
        let best = Move::from_raw(u16::from_le_bytes([record[34], record[35]]));
        let score = i16::from_le_bytes([record[32], record[33]]);
        out.extend(encode_entry(&HuffmanCodedPosAndEval::from_position(&position, score, best, result)));
    }
    Ok(out)
}

fn hcpe_to_psv(records: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(records.len() / HCPE * PSV);
    let mut position = Position::empty();
    for record in records.chunks_exact(HCPE) {
        let entry = decode_entry(record)?;
        position.set_huffman_coded_pos(&HuffmanCodedPos { data: entry.hcp.data }, 0)?;
        let black = position.turn() == Color::BLACK;
        let result: i8 = match entry.game_result {
            HcpeGameResult::Draw => 0,
            winner => {
                if (winner == HcpeGameResult::BlackWin) == black {
                    1
                } else {
                    -1
                }
            }
        };
        out.extend(position.to_packed_sfen().as_bytes());
        out.extend(entry.eval.to_le_bytes());
        out.extend(entry.best_move16.to_move().raw().to_le_bytes());
        out.extend([0, 0, result as u8, 0]);
    }
    Ok(out)
}

fn read_whole(reader: &mut impl Read, block: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < block.len() {
        match reader.read(&mut block[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}
