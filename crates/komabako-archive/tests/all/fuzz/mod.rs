//! The fuzz targets of archives, run on their kept inputs and on changed archives.

mod targets;

use komabako_archive::{BlockHeader, Codec, Encoding, Source, encode_block};
use komabako_testkit::setups::Rng;
use komabako_testkit::{cases, fuzz};
use twox_hash::XxHash3_64;

use crate::common::{archive, runs, sample};

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(targets::TARGETS);
}

/// Changes some bytes in one to four places.
fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        let end = (at + 1 + rng.below(64)).min(bytes.len());
        match rng.below(5) {
            0 => bytes[at] = rng.next_u64() as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copied = bytes[at..end].to_vec();
                let to = rng.below(bytes.len());
                bytes.splice(to..to, copied);
            }
            _ => bytes[at..end].fill(rng.next_u64() as u8),
        }
    }
}

/// Makes the sums of the first block right again.
fn mend(archive: &mut [u8]) {
    const START: usize = 24;
    let Some(block) = archive.get_mut(START..) else { return };
    let Some((header, payload)) = block.split_first_chunk_mut::<{ BlockHeader::SIZE }>() else { return };
    let length = u32::from_le_bytes([header[24], header[25], header[26], header[27]]) as usize;
    if let Some(payload) = payload.get(..length) {
        header[32..40].copy_from_slice(&XxHash3_64::oneshot(payload).to_le_bytes());
    }
    let sum = XxHash3_64::oneshot(&header[..48]);
    header[48..].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn changed_archives_give_an_error_or_records() {
    // Ten million by hand: KOMABAKO_ARCHIVE_RUNS=10000000 cargo test --release -p komabako-archive --test all changed_archives
    let runs = runs("KOMABAKO_ARCHIVE_RUNS", cases::scaled(4000));
    let mut rng = Rng::new(runs as u64);
    let mut originals = Vec::new();
    for source in [Source::Psv, Source::Hcpe] {
        for codec in Codec::ALL {
            let size = source.record_size();
            let records = [&sample(source)[..size * 9], &sample(source)[size * 500..][..size * 3]].concat();
            let level = i32::from(*codec == Codec::Columns && rng.chance(50));
            let encoding = Encoding { level, ..Encoding::new(*codec) };
            let block = encode_block(source, &records, 0, &encoding);
            let payload = block[BlockHeader::SIZE..].to_vec();
            originals.push((
                source,
                *codec,
                records.clone(),
                archive(source, &records, 8, &encoding),
                payload,
            ));
        }
    }
    for run in 0..runs {
        let (source, codec, records, archive, payload) = &originals[rng.below(originals.len())];
        let choice = u8::from(*codec == Codec::Model) + 2 * u8::from(*source == Source::Hcpe);
        match run % 4 {
            0 => {
                let mut archive = archive.clone();
                mutate(&mut archive, &mut rng);
                targets::ARCHIVE_FILE.test(&archive);
            }
            1 => {
                let mut archive = archive.clone();
                mutate(&mut archive, &mut rng);
                mend(&mut archive);
                targets::ARCHIVE_FILE.test(&archive);
            }
            2 => {
                let mut payload = payload.clone();
                mutate(&mut payload, &mut rng);
                targets::ARCHIVE_PAYLOAD.test(&[&[choice, 11], &*payload].concat());
            }
            _ => {
                let mut records = records.clone();
                mutate(&mut records, &mut rng);
                targets::ARCHIVE_RECORDS.test(&[&[choice], &*records].concat());
            }
        }
    }
}
