//! The orders against known answers, and against a plain reference.

use komabako_loader::order::{Chance, Draws, Kind, Mixing, Rotation, shuffle};
use komabako_record::order::Permutation;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::common::{joined, rows};

/// The order of a stream by the definition, without regard for time and memory.
pub fn reference(mixing: Mixing, blocks: &[u64], epoch: u64, stream: u64) -> Vec<u64> {
    let Mixing { seed, source, streams, passes, per_tick, lag, .. } = mixing;
    let m = blocks.len() as u64;
    let mut first = 0;
    let mut inner = Vec::new();
    for (block, &records) in (0..).zip(blocks) {
        let mut list: Vec<u64> = (first..first + records).collect();
        shuffle(&mut list, &[seed, epoch, source, 1, block]);
        first += records;
        inner.push(list);
    }
    let slots_of = |stream: u64| (0..m).filter(|slot| slot % streams == stream).collect::<Vec<_>>();
    let ticks_of = |stream: u64| (slots_of(stream).len() as u64).div_ceil(per_tick);
    let lag = (0..streams).map(ticks_of).fold(lag, u64::min);
    let slots = slots_of(stream);
    let ticks = ticks_of(stream);
    let mut order = Vec::new();
    for pass in 0..passes {
        let permutation = Permutation::new(m, &[seed, epoch, source, 0, pass]);
        for tick in 0..ticks {
            let mut list = Vec::new();
            for l in 0..lag {
                let group = (tick + ticks - l) % ticks;
                for slot in slots.iter().skip((group * per_tick) as usize).take(per_tick as usize) {
                    let records = &inner[permutation.at(*slot) as usize];
                    let slices = passes * lag;
                    let place = |x: u64| (records.len() as u64 * x / slices) as usize;
                    let x = pass * lag + l;
                    list.extend_from_slice(&records[place(x)..place(x + 1)]);
                }
            }
            shuffle(&mut list, &[seed, epoch, source, 2, pass, stream, tick]);
            order.extend(list);
        }
    }
    order
}

/// The order of a stream by the crate's functions, tick by tick.
pub fn order(mixing: Mixing, blocks: &[u64], epoch: u64, stream: u64) -> Vec<u64> {
    let mut firsts = Vec::new();
    let mut first = 0;
    for records in blocks {
        firsts.push(first);
        first += records;
    }
    let records_of = |block: u64| blocks[block as usize];
    let mixing = mixing.for_blocks(blocks.len() as u64);
    let mut order = Vec::new();
    let mut inner = Vec::new();
    for number in 0..mixing.passes {
        let pass = mixing.pass(blocks.len() as u64, epoch, number, stream);
        let before = order.len();
        for tick in 0..pass.ticks() {
            let mut list = Vec::new();
            for slice in 0..mixing.lag {
                let Some(group) = pass.group(tick, slice) else { continue };
                for slot in pass.slots(group) {
                    let block = pass.block(slot);
                    pass.write_inner_order(block, records_of(block), &mut inner);
                    let range = pass.slice(slice, records_of(block));
                    let numbers = &inner[range.start as usize..range.end as usize];
                    list.extend(numbers.iter().map(|&number| firsts[block as usize] + u64::from(number)));
                }
            }
            assert_eq!(list.len() as u64, pass.records_of_tick(tick, records_of));
            pass.shuffle_tick(tick, &mut list);
            order.extend(list);
        }
        assert_eq!((order.len() - before) as u64, pass.records(records_of));
    }
    order
}

fn riffle(seed: u64, streams: u64, passes: u64, per_tick: u64, lag: u64) -> Mixing {
    Mixing { kind: Kind::Riffle, seed, source: 0, streams, passes, per_tick, lag }
}

#[test]
fn orders_are_the_published_ones() {
    let rows = rows(include_str!("../data/order.tsv"));
    assert_eq!(rows.len(), 23);
    for row in rows {
        let blocks: Vec<u64> = row[0].split(',').map(|size| size.parse().unwrap()).collect();
        let number = |column: usize| row[column].parse::<u64>().unwrap();
        let mixing = riffle(number(1), number(3), number(4), number(5), number(6));
        let order = order(mixing, &blocks, number(2), number(7));
        assert_eq!(order.len() as u64, number(8));
        assert_eq!(joined(order.iter().take(40)), row[9]);
        let bytes: Vec<u8> = order.iter().flat_map(|number| number.to_le_bytes()).collect();
        let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, row[10]);
    }
}

#[test]
fn rotations_are_the_published_ones() {
    for row in rows(include_str!("../data/rotation.tsv")) {
        let weights: Vec<u64> = row[0].split(',').map(|weight| weight.parse().unwrap()).collect();
        let mut rotation = Rotation::new(&weights);
        let places: u64 = weights.iter().sum();
        for _ in 0..3 {
            let period: Vec<usize> = (0..places).filter_map(|_| rotation.next_source()).collect();
            assert_eq!(joined(&period), row[1]);
        }
        assert!(rotation.credits().all(|credit| credit == Some(0)));
    }
}

#[test]
fn a_source_without_records_leaves_the_rotation() {
    let mut rotation = Rotation::new(&[2, 0, 1]);
    assert_eq!(rotation.next_source(), Some(0));
    rotation.remove(0);
    assert_eq!([rotation.next_source(), rotation.next_source()], [Some(2); 2]);
    rotation.remove(2);
    assert_eq!(rotation.next_source(), None);
}

#[test]
fn draws_are_the_published_ones() {
    for row in rows(include_str!("../data/keep.tsv")) {
        let draws = Draws::new(row[0].parse().unwrap(), row[1].parse().unwrap(), row[2].parse().unwrap());
        let chance = Chance::new(row[3].parse().unwrap()).unwrap();
        let kept: String =
            (0..64).map(|record| if draws.keeps(chance, record) { '1' } else { '0' }).collect();
        assert_eq!(kept, row[4]);
    }
    assert!([-0.1, 1.1, f64::NAN, f64::INFINITY].into_iter().all(|number| Chance::new(number).is_none()));
}

/// Without a wrap, the ticks before and after the file are shorter, but every record comes once.
#[test]
fn a_stream_is_a_permutation_near_the_order_of_the_file() {
    let mixing =
        Mixing { kind: Kind::Stream, seed: 1, source: 0, streams: 1, passes: 1, per_tick: 2, lag: 4 };
    let blocks = [16; 21];
    let order = order(mixing, &blocks, 0, 0);
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..16 * 21));
    let farthest = order.iter().zip(0_u64..).map(|(&number, place)| number.abs_diff(place)).max();
    assert!(farthest.is_some_and(|farthest| farthest < 2 * 4 * 2 * 16), "{farthest:?}");
    let file = Mixing { kind: Kind::File, per_tick: 1, lag: 1, ..mixing };
    assert!(self::order(file, &blocks, 0, 0).into_iter().eq(0..16 * 21));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_streams_are_the_reference_and_together_a_permutation(
        blocks in prop::collection::vec(1_u64..40, 1..30),
        seed: u64,
        epoch in 0_u64..4,
        source in 0_u64..3,
        streams in 1_u64..5,
        passes in 1_u64..4,
        per_tick in 1_u64..6,
        lag in 1_u64..7,
    ) {
        let streams = streams.min(blocks.len() as u64);
        let mixing = Mixing { source, ..riffle(seed, streams, passes, per_tick, lag) };
        let mut all = Vec::new();
        for stream in 0..streams {
            let order = order(mixing, &blocks, epoch, stream);
            prop_assert_eq!(&order, &reference(mixing, &blocks, epoch, stream));
            all.extend(order);
        }
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..blocks.iter().sum()));
    }
}

/// The pairs of positions of one game in a batch follow the law b²(g − 1) / 2W, with the factor 1 − KL/B for drawing slices without
/// replacement.
#[test]
fn pairs_of_a_game_in_a_batch_follow_the_law() {
    const BLOCK: u64 = 512;
    const BATCH: usize = 128;
    let blocks = [BLOCK; 128];
    // Games of 20 to 99 positions, and the mean length of a position's game.
    let mut games = Vec::new();
    let mut square_sum = 0.0;
    for game in 0_u32.. {
        let length = 20 + u64::from(game) * 37 % 80;
        games.extend((0..length).map(|_| game));
        square_sum += (length * length) as f64;
        if games.len() as u64 >= BLOCK * 128 {
            break;
        }
    }
    games.truncate((BLOCK * 128) as usize);
    let mean = square_sum / games.len() as f64;
    for (passes, per_tick, lag) in [(1, 1, 16), (1, 4, 4), (4, 1, 16)] {
        let mut pairs = 0;
        let mut batches = 0;
        for seed in 0..4 {
            let order = order(riffle(seed, 1, passes, per_tick, lag), &blocks, 0, 0);
            for batch in order.chunks_exact(BATCH) {
                let mut of: Vec<u32> = batch.iter().map(|&number| games[number as usize]).collect();
                of.sort_unstable();
                pairs += of.chunk_by(u32::eq).map(|same| same.len() * (same.len() - 1) / 2).sum::<usize>();
                batches += 1;
            }
        }
        let window = (per_tick * lag * BLOCK) as f64;
        let slices = 1.0 - (passes * lag) as f64 / BLOCK as f64;
        let law = (BATCH * BATCH) as f64 * (mean - 1.0) / (2.0 * window) * slices;
        let found = pairs as f64 / f64::from(batches);
        assert!((found / law - 1.0).abs() < 0.06, "{found} of {law}");
    }
}

/// Each record is equally likely at each place. For permutations the sum of squares is n / (n − 1) times chi-square with (n − 1)²
/// degrees of freedom.
#[test]
fn every_place_of_a_record_is_equally_likely() {
    const SEEDS: u64 = 2_000;
    for (blocks, passes, per_tick, lag) in [(8, 1, 1, 4), (6, 2, 2, 2), (7, 1, 3, 2)] {
        let sizes = vec![8; blocks];
        let n = 8 * blocks;
        let mut counts = vec![0_u64; n * n];
        for seed in 0..SEEDS {
            let order = order(riffle(seed, 1, passes, per_tick, lag), &sizes, 0, 0);
            for (place, number) in order.into_iter().enumerate() {
                counts[place * n + number as usize] += 1;
            }
        }
        let expected = SEEDS as f64 / n as f64;
        let squares: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
        let chi_square = squares * (n - 1) as f64 / n as f64;
        let freedom = ((n - 1) * (n - 1)) as f64;
        // Wilson and Hilferty's approximation of the quantile 0.999.
        let quantile =
            freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.0902 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        assert!(chi_square < quantile, "{chi_square} of {quantile}");
    }
}
