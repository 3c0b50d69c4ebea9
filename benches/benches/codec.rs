//! The position codecs on each backend over real positions, one call a position (`oneshot`) and one a slice (`batch`).

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komabako::board::{Setup, sfen};
use komabako::codec::{Hcp, Nshogi, PackedSfen, PositionCodec, Sspf};

/// 12,288 positions; see `corpus/README.md`.
const CORPUS: &str = include_str!("../corpus/corpus.sfen");

fn codec<C: PositionCodec>(c: &mut Criterion, setups: &[Setup]) {
    let expected: Vec<_> = setups.iter().map(|setup| C::reference_pack(setup).expect("a full set")).collect();
    for backend in komabako_benches::backends() {
        let codec = C::with_backend(backend);
        let mut words = vec![[0; 32]; setups.len()];
        let mut unpacked = vec![Setup::EMPTY; setups.len()];
        codec.pack_slice(setups, &mut words).expect("full sets");
        assert!(words == expected, "{} on {backend}", C::NAME);
        codec.unpack_slice(&words, &mut unpacked).expect("good words");
        assert!(unpacked == setups, "{} on {backend}", C::NAME);

        let mut group = c.benchmark_group(format!("{}/{backend}", C::NAME));
        group.throughput(Throughput::Elements(setups.len() as u64));
        group.bench_function("pack/oneshot", |b| {
            b.iter(|| setups.iter().for_each(|setup| _ = black_box(codec.pack(black_box(setup)))));
        });
        group.bench_function("pack/batch", |b| b.iter(|| codec.pack_slice(black_box(setups), &mut words)));
        group.bench_function("unpack/oneshot", |b| {
            b.iter(|| expected.iter().for_each(|word| _ = black_box(codec.unpack(black_box(word)))));
        });
        group.bench_function("unpack/batch", |b| {
            b.iter(|| codec.unpack_slice(black_box(&expected), &mut unpacked));
        });
        group.finish();
    }
}

fn codecs(c: &mut Criterion) {
    let setups: Vec<Setup> =
        CORPUS.lines().map(|line| sfen::parse(line).expect("a position of the corpus").setup).collect();
    codec::<Sspf>(c, &setups);
    codec::<PackedSfen>(c, &setups);
    codec::<Hcp>(c, &setups);
    codec::<Nshogi>(c, &setups);
}

criterion_group!(benches, codecs);
criterion_main!(benches);
