//! A small fixed workload for each backend, format and operation, whose instructions callgrind counts: `cargo xtask
//! bench-check` runs it. Prints one line `backend,format,operation` per workload, in the order of the calls of `counted`, and
//! then the number of positions in each.

#![forbid(unsafe_code)]

use std::hint::black_box;

use komabako::board::{Piece, Setup};
use komabako::codec;
use komabako::codec::reference::Reference;
use komabako::codec::{
    ByteBoard, ByteBoardCodec, Hcp, Nshogi, PackedSfen, PieceBoards, PieceTable, PositionCodec, Sspf, Word,
    recode,
};
use komabako::features::nnue::{self, FeatureSet, RowOptions, Rows};
use komabako::variants::{C250, R238};
use komabako_benches::mailbox::{Mailbox, Whole};
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
    single::<C250>(&setups);
    single::<R238>(&setups);
    recodings(&setups);
    features(&setups);
    dispatches();
    println!("{POSITIONS}");
}

/// The batch forms of one format on each backend, then single calls, and conversions from and to engines' own boards.
fn workloads<C: ByteBoardCodec + Reference>(setups: &[Setup]) {
    let mut boards: Vec<ByteBoard> = setups.iter().map(ByteBoard::of_setup).collect();
    let mut unpacked = setups.to_vec();
    let mut words: Vec<Word> =
        setups.iter().map(|setup| C::reference_pack(setup).expect("a base position")).collect();
    let piece_boards: Vec<PieceBoards> = setups.iter().map(PieceBoards::of_setup).collect();
    let table = PieceTable::new(|piece| piece.map_or(0, Piece::as_u8));
    let mut mailboxes: Vec<Mailbox> = setups.iter().map(Mailbox::of_setup).collect();
    let mut whole: Vec<Whole> = setups.iter().map(|setup| Whole(Mailbox::of_setup(setup))).collect();
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
        row("pack one");
        counted(&mut || {
            for (setup, word) in setups.iter().zip(&mut words) {
                codec.pack_to(black_box(setup), word).expect("a base position");
            }
        });
        row("unpack one");
        counted(&mut || {
            for (word, setup) in words.iter().zip(&mut unpacked) {
                codec.unpack_to(black_box(word), setup).expect("its own word");
            }
        });
        row("pack from bitboards");
        counted(&mut || {
            for (board, word) in piece_boards.iter().zip(&mut words) {
                codec.pack_from_to(black_box(board), word).expect("a base position");
            }
        });
        row("unpack to bitboards");
        counted(&mut || {
            let mut boards = PieceBoards::EMPTY;
            for word in &words {
                codec.unpack_boards_to(black_box(word), &mut boards).expect("its own word");
                black_box(&boards);
            }
        });
        row("pack from mailbox");
        counted(&mut || {
            for (&Mailbox { ref squares, hands, side }, word) in mailboxes.iter().zip(&mut words) {
                let mailbox = codec::Mailbox { squares: black_box(squares), table: &table, hands, side };
                codec.pack_from_to(&mailbox, word).expect("a base position");
            }
        });
        row("unpack to mailbox");
        counted(&mut || {
            for (word, mailbox) in words.iter().zip(&mut mailboxes) {
                codec.unpack_mailbox(black_box(word), &table, &mut mailbox.squares).expect("its own word");
            }
        });
        row("pack from Source");
        counted(&mut || {
            for (mailbox, word) in mailboxes.iter().zip(&mut words) {
                *word = codec.pack_from(black_box(mailbox)).expect("a base position");
            }
        });
        row("unpack to Sink");
        counted(&mut || {
            for (word, mailbox) in words.iter().zip(&mut mailboxes) {
                codec.unpack_into(black_box(word), mailbox).expect("its own word");
            }
        });
        row("pack from Source as a whole");
        counted(&mut || {
            for (board, word) in whole.iter().zip(&mut words) {
                codec.pack_from_to(black_box(board), word).expect("a base position");
            }
        });
        row("unpack to Sink as a whole");
        counted(&mut || {
            for (word, board) in words.iter().zip(&mut whole) {
                codec.unpack_into(black_box(word), board).expect("its own word");
            }
        });
    }
}

/// Single calls of a format without forms of its own for slices and byte boards.
fn single<C: PositionCodec + Reference>(setups: &[Setup]) {
    let mut words: Vec<Word> =
        setups.iter().map(|setup| C::reference_pack(setup).expect("a base position")).collect();
    let mut unpacked = setups.to_vec();
    // On AVX2 the compiler uses `VMOVQ` between registers here, which valgrind 3.19 does not know.
    for backend in counted_backends().filter(|backend| backend.name() != "avx2") {
        let codec = C::with_backend(backend);
        println!("{backend},{},pack", C::NAME);
        counted(&mut || codec.pack_slice(black_box(setups), &mut words).expect("base positions"));
        println!("{backend},{},unpack", C::NAME);
        counted(&mut || codec.unpack_slice(black_box(&words), &mut unpacked).expect("its own words"));
        assert_eq!(unpacked, setups, "{} on {backend}", C::NAME);
    }
}

/// PSV and HCP converted to each other, or checked in place.
fn recodings(setups: &[Setup]) {
    let words = |pack: fn(&Setup) -> Word| setups.iter().map(pack).collect::<Vec<_>>();
    let psv = words(|setup| PackedSfen::reference_pack(setup).expect("a base position"));
    let hcp = words(|setup| Hcp::reference_pack(setup).expect("a base position"));
    let mut recoded = psv.clone();
    for backend in counted_backends() {
        println!("{backend},psv,recode to hcp");
        counted(&mut || recode::psv_to_hcp(backend, black_box(&psv), &mut recoded).expect("good words"));
        assert_eq!(recoded, hcp, "{backend}");
        println!("{backend},hcp,recode to psv");
        counted(&mut || recode::hcp_to_psv(backend, black_box(&hcp), &mut recoded).expect("good words"));
        assert_eq!(recoded, psv, "{backend}");
        println!("{backend},psv,check");
        counted(&mut || recode::check_psv(backend, black_box(&psv)).expect("good words"));
        println!("{backend},hcp,check");
        counted(&mut || recode::check_hcp(backend, black_box(&hcp)).expect("good words"));
    }
}

/// The rows of both colours: of each set, and in ascending order of a set that is mirrored and of one that is not.
fn features(setups: &[Setup]) {
    for backend in counted_backends() {
        for set in FeatureSet::ALL {
            println!("{backend},features,{set}");
            count_rows(backend, set, RowOptions::default(), setups);
        }
        for set in [FeatureSet::HalfKp, FeatureSet::HalfKaHm2] {
            println!("{backend},features,{set} sorted");
            let options = RowOptions { sorted: true, ..RowOptions::default() };
            count_rows(backend, set, options, setups);
        }
    }
}

fn count_rows(backend: Backend, set: FeatureSet, options: RowOptions, setups: &[Setup]) {
    let mut rows = vec![0; 2 * set.active() * setups.len()];
    counted(&mut || {
        nnue::write_rows(backend, set, options, black_box(setups), Rows::Interleaved(&mut rows));
    });
}

/// One dispatch per position, with next to no work.
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

/// All backends but AVX-512, which callgrind does not support.
fn counted_backends() -> impl Iterator<Item = Backend> {
    backends().into_iter().filter(|backend| backend.name() != "avx512")
}

/// Runs a workload. Callgrind counts the instructions within this function.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
}
