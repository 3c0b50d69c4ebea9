//! The primitives of `komabako-bits` on each backend, with the amounts of data that a codec uses.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komabako_bits::{Backend, BitOps, Bytes, Kernel, Reference, Soft, dispatch};

/// Declares kernels that do `$work` for each element of a slice, and add up numbers that depend on all results.
macro_rules! kernels {
    ($($(#[$docs:meta])* $name:ident: $element:ty => |$ops:ident, $x:ident| $work:expr;)*) => {$(
        $(#[$docs])*
        #[derive(Clone, Copy)]
        struct $name<'a>(&'a [$element]);

        impl Kernel for $name<'_> {
            type Output = u64;

            #[inline(always)]
            fn run<B: BitOps>(self, $ops: B) -> u64 {
                let mut sum = 0_u64;
                for $x in self.0 {
                    sum = sum.wrapping_add($work);
                }
                sum
            }
        }
    )*};
}

/// Five boards, or five planes, and the squares of pieces.
type Symbols = ([[u64; 2]; 5], [u64; 2]);
/// Codes and their lengths.
type Strings = (Bytes, Bytes);

kernels! {
    Pext: (u64, u64) => |ops, x| ops.pext(x.0, x.1);
    Pdep: (u64, u64) => |ops, x| ops.pdep(x.0, x.1);
    BoardsToDense: Symbols => |ops, x| mix(&ops.boards_to_dense(&x.0, x.1));
    DenseToBoards: Symbols => |ops, x| mix(ops.dense_to_boards(&low_lanes(&x.0), x.1).as_flattened());
    BoardsToBytes: Symbols => |ops, x| mix_bytes(&ops.boards_to_bytes(&x.0));
    BytesToDense: Strings => |ops, x| mix(&ops.bytes_to_dense::<8>(&x.0, ops.nonzero(&x.1)));
    DenseToBytes: Symbols => |ops, x| mix_bytes(&ops.dense_to_bytes(&low_lanes(&x.0), x.1));
    Join: Strings => |ops, x| mix(&ops.join(&x.0, &x.1).0);
    /// The first half is a stream; the second half may mark every fourth bit of it.
    Windows: [u64; 8] => |ops, x| mix(&ops.windows(
        [x[0], x[1], x[2], x[3]],
        [x[4] & MARKS, x[5] & MARKS, x[6] & MARKS, x[7] & MARKS],
    ));
}

const MARKS: u64 = 0x1111_1111_1111_1111;

#[inline(always)]
fn low_lanes(boards: &[[u64; 2]; 5]) -> [u64; 5] {
    [boards[0][0], boards[1][0], boards[2][0], boards[3][0], boards[4][0]]
}

#[inline(always)]
fn mix(words: &[u64]) -> u64 {
    let mut mixed = 0_u64;
    for word in words {
        mixed = mixed.rotate_left(7) ^ word;
    }
    mixed
}

#[inline(always)]
fn mix_bytes(bytes: &Bytes) -> u64 {
    let mut mixed = 0_u64;
    for eight in bytes.as_chunks().0 {
        mixed = mixed.rotate_left(7) ^ u64::from_le_bytes(*eight);
    }
    mixed
}

/// Runs a kernel on every backend, and asserts each result once against the reference.
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

/// A dispatch with next to no work, and the same work without a dispatch: the difference is the cost of a dispatch. Each
/// call depends on the result of the previous one.
fn one_dispatch(c: &mut Criterion) {
    const CALLS: usize = 4096;
    let direct = || (0..CALLS).fold(0, |word, _| Turn(black_box(word)).run(Soft));
    let dispatched =
        |backend| (0..CALLS).fold(0, |word, _| dispatch(black_box(backend), Turn(black_box(word))));
    let mut group = c.benchmark_group("one dispatch");
    group.throughput(Throughput::Elements(CALLS as u64));
    group.bench_function("none", |b| b.iter(direct));
    for backend in komabako_benches::backends() {
        assert_eq!(dispatched(backend), direct(), "{backend}");
        group.bench_function(backend.name(), |b| b.iter(|| dispatched(backend)));
    }
    group.finish();
}

/// A kernel with next to no work.
struct Turn(u64);

impl Kernel for Turn {
    type Output = u64;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> u64 {
        self.0.rotate_left(7) ^ 1
    }
}

/// Random words (`SplitMix64`).
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

    // About 40 of 81 squares, as in a position.
    let board = |w: &[u64]| [w[0] >> 1, w[1] >> 46];
    let symbols: Vec<Symbols> = (words.as_chunks::<12>().0.iter())
        .map(|w| {
            ([board(w), board(&w[2..]), board(&w[4..]), board(&w[6..]), board(&w[8..])], board(&w[10..]))
        })
        .collect();
    on_each_backend(c, "boards to dense", symbols.len(), BoardsToDense(&symbols));
    on_each_backend(c, "dense to boards", symbols.len(), DenseToBoards(&symbols));
    on_each_backend(c, "boards to bytes", symbols.len(), BoardsToBytes(&symbols));
    on_each_backend(c, "dense to bytes", symbols.len(), DenseToBytes(&symbols));

    // Lengths of 0 to 8, half of them 0, and codes within them.
    let bytes = |w: &[u64]| -> Bytes { std::array::from_fn(|i| w[i / 8].to_le_bytes()[i % 8]) };
    let strings: Vec<Strings> = (words.as_chunks::<24>().0.iter())
        .map(|w| (bytes(w), bytes(&w[12..]).map(|byte| (byte >> 4).saturating_sub(7))))
        .map(|(codes, lengths)| {
            (std::array::from_fn(|i| (codes[i] as u16 & ((1 << lengths[i]) - 1)) as u8), lengths)
        })
        .collect();
    on_each_backend(c, "bytes to dense", strings.len(), BytesToDense(&strings));
    on_each_backend(c, "join", strings.len(), Join(&strings));
    on_each_backend(c, "windows", words.len() / 8, Windows(words.as_chunks().0));

    one_dispatch(c);

    // The cost of one detection and one call, for a single word.
    c.bench_function("detect and dispatch", |b| {
        assert_eq!(dispatch(Backend::detect(), Pext(&[(0b1010, 0b1100)])), 0b10);
        b.iter(|| dispatch(Backend::detect(), black_box(Pext(&[(0b1010, 0b1100)]))));
    });
}

criterion_group!(benches, bits);
criterion_main!(benches);
