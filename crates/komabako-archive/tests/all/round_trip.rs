//! Whatever the records are, they come back byte for byte.

use komabako_archive::{Archive, Codec, Encoding, Source, join_games};
use komabako_board::Position;
use komabako_record::record::Psv;
use komabako_rules::{MoveList, State};
use komabako_testkit::cases;
use komabako_testkit::setups::Rng;
use komabako_variants::WordFormat;
use proptest::prelude::*;

use crate::common::{archive, runs, sample, selfplay, shuffled};

/// A stretch of records, changed in some way.
#[derive(Clone, Debug)]
enum Piece {
    /// Records of a game, some left out.
    Games { start: usize, step: usize, length: usize },
    /// The same record several times.
    Repeated { start: usize, length: usize },
    /// Records of games with flipped bits.
    Damaged { start: usize, length: usize, bits: Vec<usize> },
    /// Random bytes.
    Noise(Vec<u8>),
    /// Random positions, legal or not, of any number of pieces, with random labels.
    Positions { seed: u64, length: usize },
}

fn piece() -> impl Strategy<Value = Piece> {
    let start = 0..1900_usize;
    prop_oneof![
        (start.clone(), 1..4_usize, 1..40_usize).prop_map(|(start, step, length)| Piece::Games {
            start,
            step,
            length
        }),
        (start.clone(), 1..5_usize).prop_map(|(start, length)| Piece::Repeated { start, length }),
        (start, 1..12_usize, prop::collection::vec(any::<usize>(), 1..6))
            .prop_map(|(start, length, bits)| Piece::Damaged { start, length, bits }),
        prop::collection::vec(any::<u8>(), 40..200).prop_map(Piece::Noise),
        (any::<u64>(), 1..8_usize).prop_map(|(seed, length)| Piece::Positions { seed, length }),
    ]
}

impl Piece {
    fn records(&self, source: Source) -> Vec<u8> {
        let size = source.record_size();
        let records: Vec<&[u8]> = sample(source).chunks_exact(size).collect();
        match self {
            Piece::Games { start, step, length } => {
                records[*start..].iter().step_by(*step).take(*length).copied().collect::<Vec<_>>().concat()
            }
            Piece::Repeated { start, length } => records[*start].repeat(*length),
            Piece::Damaged { start, length, bits } => {
                let mut damaged = records[*start..start + length].concat();
                for bit in bits {
                    let bit = bit % (damaged.len() * 8);
                    damaged[bit / 8] ^= 1 << (bit % 8);
                }
                damaged
            }
            Piece::Noise(bytes) => bytes[..bytes.len() / size * size].to_vec(),
            Piece::Positions { seed, length } => positions(source, *seed, *length),
        }
    }
}

fn positions(source: Source, seed: u64, length: usize) -> Vec<u8> {
    let format = if source == Source::Psv { WordFormat::PackedSfen } else { WordFormat::Hcp };
    let mut rng = Rng::new(seed);
    let mut records = Vec::new();
    for setup in komabako_testkit::setups::random(seed).take(length) {
        let Ok(word) = format.pack(&setup) else { continue };
        records.extend_from_slice(&word);
        let labels = rng.next_u64().to_le_bytes();
        records.extend_from_slice(&labels[..source.record_size() - 32]);
        // Half of the results are valid.
        if rng.chance(50) {
            let result = records.len() - 2;
            records[result] = rng.below(2) as u8;
        }
    }
    records
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn records_come_back_byte_for_byte(pieces in prop::collection::vec(piece(), 0..8), block in 1..100_usize) {
        for source in [Source::Psv, Source::Hcpe] {
            let records: Vec<u8> = pieces.iter().flat_map(|piece| piece.records(source)).collect();
            for codec in Codec::ALL {
                // A block that did not verify would be stored, and panics in a test.
                let archive = archive(source, &records, block, &Encoding::new(*codec));
                prop_assert_eq!(&Archive::new(&archive).records().unwrap(), &records);
            }
            let sorted = |records: &[u8]| {
                let mut records: Vec<_> = records.chunks(source.record_size()).map(<[u8]>::to_vec).collect();
                records.sort_unstable();
                records
            };
            prop_assert_eq!(sorted(&join_games(source, &records)), sorted(&records));
        }
    }
}

#[test]
fn the_samples_come_back_and_are_small() {
    for source in [Source::Psv, Source::Hcpe] {
        let records = sample(source);
        for (codec, most) in [(Codec::Columns, 5), (Codec::Model, 3)] {
            let archive = archive(source, records, 65_536, &Encoding::new(codec));
            assert_eq!(Archive::new(&archive).records().as_deref(), Ok(records));
            let per_record = archive.len() * source.record_size() / records.len();
            assert!(per_record < most, "{source:?} {codec:?}: {} bytes", archive.len());
        }
    }
}

/// Records of games of random moves from the start, of which some are left out, repeated or damaged.
fn random_games(rng: &mut Rng, count: usize) -> Vec<u8> {
    let mut records = Vec::with_capacity((count + 400) * Psv::SIZE);
    let mut moves = MoveList::new();
    while records.len() < count * Psv::SIZE {
        let Ok(mut state) = State::<()>::new(&Position::START) else { break };
        let mut score = 0_i16;
        for ply in 1..=1 + rng.below(300) as u16 {
            state.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            score = (-score).wrapping_add((rng.next_u64() % 200) as i16 - 100);
            let word = WordFormat::PackedSfen.pack(&state.setup()).expect("all pieces");
            let record = Psv { position: word, score, best_move: mv.bits(), ply, result: 1, padding: 0 };
            let mut bytes = Psv { result: if ply % 2 == 1 { 1 } else { -1 }, ..record }.to_bytes();
            match rng.below(200) {
                0 => bytes[rng.below(Psv::SIZE)] ^= 1 << rng.below(8),
                1 => records.extend_from_slice(&bytes),
                _ => {}
            }
            if !rng.chance(3) {
                records.extend_from_slice(&bytes);
            }
            state.do_move(mv);
        }
    }
    records.truncate(count * Psv::SIZE);
    records
}

/// Real and made-up records, in order and shuffled, in blocks of many sizes, the largest of 200,000 records.
#[test]
fn many_records_come_back() {
    // Ten million by hand: KOMABAKO_ARCHIVE_RECORDS=10000000 cargo test --release -p komabako-archive --test all many_records
    let all = runs("KOMABAKO_ARCHIVE_RECORDS", cases::scaled(40_000));
    let mut rng = Rng::new(all as u64);
    let games = selfplay();
    let mut done = 0;
    while done < all {
        let block = [1 + rng.below(3000), 65_536, 200_000][rng.below(3)].min(all - done);
        let mut records = if rng.chance(50) {
            let repeats = (block * Psv::SIZE).div_ceil(games.len());
            games.repeat(repeats)[..block * Psv::SIZE].to_vec()
        } else {
            random_games(&mut rng, block)
        };
        if rng.chance(50) {
            records = shuffled(&records);
        }
        for codec in [Codec::Columns, Codec::Model] {
            let encoding = Encoding { verify: false, ..Encoding::new(codec) };
            let archive = archive(Source::Psv, &records, block, &encoding);
            assert!(Archive::new(&archive).records().is_ok_and(|read| read == records), "{codec:?} {done}");
        }
        done += block;
    }
}
