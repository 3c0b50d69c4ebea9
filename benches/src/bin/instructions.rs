//! A small fixed workload for each backend, format and operation, to be counted by callgrind: `cargo xtask bench-check`
//! runs it. Prints one line `backend,format,operation` a workload, in the order of its calls of `counted`, then the
//! number of positions in each.

#![forbid(unsafe_code)]

use std::hint::black_box;

use komabako::board::Setup;
use komabako::codec::reference::Reference;
use komabako::codec::{ByteBoard, ByteBoardCodec, Hcp, Nshogi, PackedSfen, Sspf, Word};
use komabako_benches::{backends, corpus};
use komabako_bits::{Backend, BitOps, Kernel, Soft, dispatch};

const POSITIONS: usize = 256;

fn main() {
    let mut setups = corpus::setups();
    setups.truncate(POSITIONS);
    workloads::<Sspf>(&setups);
    workloads::<PackedSfen>(&setups);
    workloads::<Hcp>(&setups);
    workloads::<Nshogi>(&setups);
    dispatches();
    println!("{POSITIONS}");
}

/// The batch forms of one format on each backend.
fn workloads<C: ByteBoardCodec + Reference>(setups: &[Setup]) {
    let mut boards: Vec<ByteBoard> = setups.iter().map(ByteBoard::of_setup).collect();
    let mut unpacked = setups.to_vec();
    let mut words: Vec<Word> =
        setups.iter().map(|setup| C::reference_pack(setup).expect("a base position")).collect();
    for backend in counted_backends() {
        let codec = C::with_backend(backend);
        let row = |operation| println!("{backend},{},{operation}", C::NAME);
        row("pack");
        counted(&mut || codec.pack_slice(black_box(setups), &mut words).expect("base positions"));
        row("unpack");
        counted(&mut || codec.unpack_slice(black_box(&words), &mut unpacked).expect("its own words"));
        row("pack from bytes");
        counted(&mut || codec.pack_bytes_slice(black_box(&boards), &mut words).expect("base positions"));
        row("unpack to bytes");
        counted(&mut || codec.unpack_bytes_slice(black_box(&words), &mut boards).expect("its own words"));
        assert_eq!(unpacked, setups, "{} on {backend}", C::NAME);
    }
}

/// One dispatch a position, with next to no work.
fn dispatches() {
    struct Turn(u64);

    impl Kernel for Turn {
        type Output = u64;

        #[inline(always)]
        fn run<B: BitOps>(self, _: B) -> u64 {
            self.0.rotate_left(7) ^ 1
        }
    }

    let expected = (0..POSITIONS).fold(0, |word, _| Turn(word).run(Soft));
    for backend in counted_backends() {
        let mut word = 0;
        println!("{backend},dispatch,one");
        counted(&mut || (0..POSITIONS).for_each(|_| word = dispatch(black_box(backend), Turn(word))));
        assert_eq!(word, expected, "{backend}");
    }
}

/// AVX-512 is left out: callgrind does not know it.
fn counted_backends() -> impl Iterator<Item = Backend> {
    backends().into_iter().filter(|backend| backend.name() != "avx512")
}

/// Runs a workload. Callgrind counts what happens inside of this function.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
}
