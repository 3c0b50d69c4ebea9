//! The shared library of nnue-pytorch for shogi, in the layout of its branches from 2025-11-30 on: rows of one length.

#![deny(unsafe_code)]

mod ffi;

use std::ffi::c_int;

use komabako_nnue::stream::{self, Skip};

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
    max_active_features: c_int,
    white: *mut c_int,
    black: *mut c_int,
    white_values: *mut f32,
    black_values: *mut f32,
    layer_stack_indices: *mut c_int,
    batch: stream::Batch,
}

/// The positions to leave out, as Python passes them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct SkipConfig {
    filtered: u8,
    random_fen_skipping: c_int,
    wld_filtered: u8,
    early_fen_skipping: c_int,
    simple_eval_skipping: c_int,
    param_index: c_int,
}

impl SkipConfig {
    fn skip(self) -> Skip {
        Skip {
            filtered: self.filtered != 0,
            random: self.random_fen_skipping,
            by_result: self.wld_filtered != 0,
            early_plies: self.early_fen_skipping,
            by_material: self.simple_eval_skipping > 0,
        }
    }
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
            max_active_features: arrays.max_active as c_int,
            white: indices,
            black: indices.wrapping_add(view),
            white_values: values,
            black_values: values.wrapping_add(view_values),
            layer_stack_indices: indices.wrapping_add(2 * view),
            batch,
        }
    }
}

const _: () = assert!(std::mem::offset_of!(Batch, batch) == 88 && std::mem::offset_of!(Batch, white) == 48);
const _: () = assert!(size_of::<SkipConfig>() == 24 && std::mem::offset_of!(SkipConfig, param_index) == 20);
