//! The functions that JavaScript calls, and the buffers that it writes to and reads from.
//!
//! ```text
//! argument(n) -> pointer   n bytes for the request: JSON and raw bytes after it
//! call(json) -> length     answers the request, whose first `json` bytes are JSON: the length of the answer's JSON
//! result() -> pointer      the answer: JSON and raw bytes after it
//! result_bytes() -> length the number of raw bytes
//! ```
//!
//! JavaScript accesses the memory itself, so none of this code dereferences a pointer. A call may grow the memory, so
//! JavaScript must create its view of the memory after the call, never before.

use std::cell::RefCell;

use crate::Module;

#[derive(Default)]
struct Buffers {
    module: Module,
    argument: Vec<u8>,
    result: Vec<u8>,
    /// The number of raw bytes in the result.
    raw: usize,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Reserves room for an argument of `length` bytes and returns the address to write it to.
#[cfg_attr(target_family = "wasm", expect(unsafe_code, reason = "a name for JavaScript"), unsafe(no_mangle))]
pub extern "C" fn argument(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        // The buffer of a large file is released after its call.
        if buffers.argument.capacity() > 8 * length.max(1 << 20) {
            buffers.argument = Vec::new();
        }
        buffers.argument.resize(length, 0);
        buffers.argument.as_mut_ptr()
    })
}

/// Answers the request in the argument, whose first `json` bytes are JSON, and returns the length of the answer's JSON.
#[cfg_attr(target_family = "wasm", expect(unsafe_code, reason = "a name for JavaScript"), unsafe(no_mangle))]
pub extern "C" fn call(json: usize) -> usize {
    BUFFERS.with_borrow_mut(|buffers| {
        let (request, raw) = buffers.argument.split_at(json.min(buffers.argument.len()));
        let answer = buffers.module.call(request, raw);
        let length = answer.json.len();
        buffers.raw = answer.raw.len();
        buffers.result = answer.json;
        buffers.result.extend_from_slice(&answer.raw);
        length
    })
}

/// The address of the last call's answer, valid until the next call.
#[cfg_attr(target_family = "wasm", expect(unsafe_code, reason = "a name for JavaScript"), unsafe(no_mangle))]
pub extern "C" fn result() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.result.as_ptr())
}

/// The number of raw bytes after the JSON of the answer.
#[cfg_attr(target_family = "wasm", expect(unsafe_code, reason = "a name for JavaScript"), unsafe(no_mangle))]
pub extern "C" fn result_bytes() -> usize {
    BUFFERS.with_borrow(|buffers| buffers.raw)
}
