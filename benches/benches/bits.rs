//! The primitives of `komabako-bits` on each backend, in the amounts in which a codec uses them.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komabako_bits::{Backend, BitOps, Kernel, Reference, dispatch};

/// The sum of a board of words compressed by one mask each: what packing a position costs at least.
#[derive(Clone, Copy)]
struct Pext<'a>(&'a [(u64, u64)]);

impl Kernel for Pext<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> u64 {
        self.0.iter().fold(0, |sum, &(word, mask)| sum.wrapping_add(ops.pext(word, mask)))
    }
}

/// The same for expanding.
#[derive(Clone, Copy)]
struct Pdep<'a>(&'a [(u64, u64)]);

impl Kernel for Pdep<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> u64 {
        self.0.iter().fold(0, |sum, &(word, mask)| sum.wrapping_add(ops.pdep(word, mask)))
    }
}

/// Five planes of a board compressed by one mask, which is prepared once.
#[derive(Clone, Copy)]
struct SharedMask<'a>(&'a [([u64; 2], [[u64; 2]; 5])]);

impl Kernel for SharedMask<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> u64 {
        self.0.iter().fold(0, |sum, (lanes, planes)| {
            let mask = ops.board_mask(*lanes);
            planes.iter().fold(sum, |sum, &plane| sum.wrapping_add(mask.compress(plane) as u64))
        })
    }
}

/// Runs a kernel on every backend, each result asserted once against the reference.
fn on_each_backend<K: Kernel<Output = u64> + Copy>(
    c: &mut Criterion,
    name: &str,
    elements: usize,
    kernel: K,
) {
    let expected = kernel.run(Reference);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(elements as u64));
    for backend in komabako_benches::backends() {
        assert_eq!(dispatch(backend, kernel), expected, "{name} on {backend}");
        group.bench_function(backend.name(), |b| b.iter(|| dispatch(black_box(backend), black_box(kernel))));
    }
    group.finish();
}

/// Words with no pattern (`SplitMix64`).
fn words(count: usize) -> Vec<u64> {
    (1..=count as u64)
        .map(|index| {
            let z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        })
        .collect()
}

fn bits(c: &mut Criterion) {
    let words = words(4096);
    let pairs: Vec<_> = words.as_chunks::<2>().0.iter().map(|&[word, mask]| (word, mask)).collect();
    on_each_backend(c, "pext", pairs.len(), Pext(&pairs));
    on_each_backend(c, "pdep", pairs.len(), Pdep(&pairs));

    let boards: Vec<_> = (words.as_chunks::<12>().0.iter())
        .map(|w| ([w[0], w[1]], [[w[2], w[3]], [w[4], w[5]], [w[6], w[7]], [w[8], w[9]], [w[10], w[11]]]))
        .collect();
    on_each_backend(c, "five planes by one mask", boards.len(), SharedMask(&boards));

    // The cost of one choice and one call: there is only one word to do.
    c.bench_function("detect and dispatch", |b| {
        assert_eq!(dispatch(Backend::detect(), Pext(&[(0b1010, 0b1100)])), 0b10);
        b.iter(|| dispatch(Backend::detect(), black_box(Pext(&[(0b1010, 0b1100)]))));
    });
}

criterion_group!(benches, bits);
criterion_main!(benches);
