//! Every codec over the corpus on each backend, one position at a time and as a slice.
//!
//! This gives statistics for one machine and one build; `cargo xtask bench-matrix` compares builds and peers.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komabako::board::Setup;
use komabako::codec::reference::Reference;
use komabako::codec::{Hcp, Nshogi, PackedSfen, Sspf, Word};

fn codec<C: Reference>(c: &mut Criterion, setups: &[Setup]) {
    let mut group = c.benchmark_group(C::NAME);
    group.throughput(Throughput::Elements(setups.len() as u64));
    for backend in komabako_benches::backends() {
        let codec = C::with_backend(backend);
        let mut words = vec![Word::default(); setups.len()];
        let mut unpacked = vec![Setup::EMPTY; setups.len()];
        codec.pack_slice(setups, &mut words).expect("every format holds the corpus");
        assert!(setups.iter().zip(&words).all(|(setup, word)| C::reference_pack(setup) == Ok(*word)));
        codec.unpack_slice(&words, &mut unpacked).expect("its own words");
        assert_eq!(unpacked, setups, "{} on {backend}", C::NAME);

        group.bench_function(format!("pack/{backend}"), |b| {
            b.iter(|| {
                for (setup, word) in setups.iter().zip(&mut words) {
                    *word = codec.pack(black_box(setup)).unwrap();
                }
            });
        });
        group.bench_function(format!("pack slice/{backend}"), |b| {
            b.iter(|| codec.pack_slice(black_box(setups), &mut words).unwrap());
        });
        group.bench_function(format!("unpack/{backend}"), |b| {
            b.iter(|| {
                for (word, setup) in words.iter().zip(&mut unpacked) {
                    *setup = codec.unpack(black_box(word)).unwrap();
                }
            });
        });
        group.bench_function(format!("unpack slice/{backend}"), |b| {
            b.iter(|| codec.unpack_slice(black_box(&words), &mut unpacked).unwrap());
        });
    }
    group.finish();
}

fn codecs(c: &mut Criterion) {
    let setups = komabako_benches::corpus::setups();
    codec::<Sspf>(c, &setups);
    codec::<PackedSfen>(c, &setups);
    codec::<Hcp>(c, &setups);
    codec::<Nshogi>(c, &setups);
}

criterion_group!(benches, codecs);
criterion_main!(benches);
