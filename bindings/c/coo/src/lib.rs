//! The shared library of nnue-pytorch for shogi, in the layout of its branches from 2023-10-29 to 2025-12-30: sparse tensors in
//! coordinates.

#![deny(unsafe_code)]

mod ffi;

use std::ffi::c_int;

use komabako_nnue::stream;

/// A batch as Python reads it, and the arrays to which it points.
#[repr(C)]
#[derive(Debug)]
pub struct Batch {
    num_inputs: c_int,
    size: c_int,
    is_white: *mut f32,
    outcome: *mut f32,
    score: *mut f32,
    num_active_white_features: c_int,
    num_active_black_features: c_int,
    white: *mut c_int,
    black: *mut c_int,
    white_values: *mut f32,
    black_values: *mut f32,
    ply: *mut f32,
    batch: stream::Batch,
}

impl Batch {
    /// A batch with pointers to its arrays, which do not move with it.
    fn new(mut batch: stream::Batch) -> Batch {
        let arrays = &mut batch.arrays;
        let floats = arrays.floats.as_mut_ptr();
        let indices = arrays.indices.as_mut_ptr();
        let values = arrays.values.as_mut_ptr();
        let [view, view_values] = arrays.views;
        Batch {
            num_inputs: arrays.inputs as c_int,
            size: arrays.size as c_int,
            is_white: floats,
            outcome: floats.wrapping_add(arrays.capacity),
            score: floats.wrapping_add(2 * arrays.capacity),
            num_active_white_features: arrays.active as c_int,
            num_active_black_features: arrays.active as c_int,
            white: indices,
            black: indices.wrapping_add(view),
            white_values: values,
            black_values: values.wrapping_add(view_values),
            ply: arrays.plies.as_mut_ptr(),
            batch,
        }
    }
}

const _: () = assert!(std::mem::offset_of!(Batch, batch) == 80 && std::mem::offset_of!(Batch, white) == 40);
