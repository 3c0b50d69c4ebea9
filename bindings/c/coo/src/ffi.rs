//! The exported functions, as nnue-pytorch's Python declares them. It promises that names end with 0 and that arrays are as long as stated.

#![expect(unsafe_code, reason = "the C interface: pointers become values here and nowhere else")]

use std::ffi::{c_char, c_int};

use komabako_c_pointers::array;
use komabako_nnue::guard;
use komabako_nnue::inputs::Layout;
use komabako_nnue::pointers::{give, read, text, texts};
use komabako_nnue::stream::{Skip, Stream, count, from_sfens, open};

use crate::Batch;

komabako_nnue::export_batches!(Batch);

#[unsafe(no_mangle)]
unsafe extern "C" fn create_sparse_batch_stream(
    features: *const c_char,
    threads: c_int,
    file: *const c_char,
    batch: c_int,
    cyclic: u8,
    filtered: u8,
    random_fen_skipping: c_int,
) -> *mut Stream {
    guard(|| {
        // SAFETY: the caller's promise.
        let (inputs, file) = unsafe { (text("set of inputs", features)?, text("name of the file", file)?) };
        let skip = Skip { filtered: filtered != 0, random: random_fen_skipping, ..Skip::default() };
        open(inputs, Layout::Coo, vec![file], batch, cyclic != 0, threads, skip)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn get_sparse_batch_from_fens(
    features: *const c_char,
    n: c_int,
    fens: *const *const c_char,
    scores: *const c_int,
    plies: *const c_int,
    results: *const c_int,
) -> *mut Batch {
    guard(|| {
        let count = Some(count("positions", n)?);
        // SAFETY: the caller's promise.
        let (inputs, sfens) =
            unsafe { (text("set of inputs", features)?, texts(array("position", fens, count))?) };
        // SAFETY: the same.
        let (scores, plies) =
            unsafe { (read(array("scores", scores, count))?, read(array("plies", plies, count))?) };
        // SAFETY: the same.
        let results = unsafe { read(array("results", results, count)) }?;
        from_sfens(inputs, Layout::Coo, &sfens, scores, plies, results)
            .map(|arrays| Some(give(Batch::new(arrays))))
    })
}
