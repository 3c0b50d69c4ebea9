//! The exported functions, as nnue-pytorch's Python declares them. It promises that names end with 0 and that arrays are as long as stated.

#![expect(unsafe_code, reason = "the C interface: pointers become values here and nowhere else")]

use std::ffi::{c_char, c_int};

use komabako_c_pointers::array;
use komabako_nnue::guard;
use komabako_nnue::inputs::Layout;
use komabako_nnue::pointers::{text, texts};
use komabako_nnue::stream::{Stream, count, open};

use crate::{Batch, SkipConfig};

komabako_nnue::export_batches!(Batch);

#[unsafe(no_mangle)]
unsafe extern "C" fn create_sparse_batch_stream(
    features: *const c_char,
    threads: c_int,
    n: c_int,
    names: *const *const c_char,
    batch: c_int,
    cyclic: u8,
    config: SkipConfig,
) -> *mut Stream {
    guard(|| {
        let names = array("name of a file", names, Some(count("files", n)?));
        // SAFETY: the caller's promise.
        let (inputs, files) = unsafe { (text("set of inputs", features)?, texts(names)?) };
        open(inputs, Layout::Padded, files, batch, cyclic != 0, threads, config.skip())
    })
}
