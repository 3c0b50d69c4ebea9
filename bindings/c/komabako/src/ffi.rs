//! The exported functions. Each checks its pointers, turns them into slices, and lets no panic out. What the caller promises is in
//! `include/komabako.h`: arrays are as long as stated, and are not used by others meanwhile.

#![expect(unsafe_code, reason = "the C interface: pointers become slices here and nowhere else")]

use std::ffi::c_char;

use komabako_c_pointers::ffi::{borrow, read, take_back, text, write};
use komabako_c_pointers::{Array, array, separate};

use crate::batches::{Batch, Counts, Loader};
use crate::failure::{Failure, guard, last, write_text};
use crate::numbers::{self, Format};
use crate::positions::{self, Board};
use crate::records::{self, Faults};

/// The arrays of a call for `n` records: what is read, what is written, and the faults if `bad` is not null.
///
/// # Safety
/// As [`read`] and [`write`], except that overlap is checked.
unsafe fn arrays<'a, I, O>(
    input: Array<*const I>,
    output: Array<*mut O>,
    bad: *mut u8,
    n: usize,
) -> Result<(&'a [I], &'a mut [O], Faults<'a>), Failure> {
    let faults = array("faults", bad, Some(if bad.is_null() { 0 } else { n }));
    separate([input.span()?, output.constant().span()?, faults.constant().span()?])?;
    // SAFETY: the arrays do not overlap; the rest is the caller's promise.
    let (input, output, cells) = unsafe { (read(input)?, write(output)?, write(faults)?) };
    Ok((input, output, Faults::new((!bad.is_null()).then_some(cells))))
}

/// The variable at a pointer.
///
/// # Safety
/// As [`write`].
unsafe fn one<'a, T>(name: &'static str, pointer: *mut T) -> Result<&'a mut T, String> {
    // SAFETY: the caller's promise.
    Ok(&mut unsafe { write(array(name, pointer, Some(1))) }?[0])
}

#[unsafe(no_mangle)]
extern "C" fn komabako_abi() -> u32 {
    1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_error(buffer: *mut u8, size: usize) -> usize {
    // SAFETY: the header's promise.
    write_text(&last(), unsafe { write(array("buffer", buffer, Some(size))) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_fault_name(fault: u8, buffer: *mut u8, size: usize) -> usize {
    let name = komabako::record::fault::name_of_number(fault).unwrap_or_default();
    // SAFETY: the header's promise.
    write_text(name, unsafe { write(array("buffer", buffer, Some(size))) })
}

#[unsafe(no_mangle)]
extern "C" fn komabako_record_size(format: i32) -> i32 {
    guard(|| Ok(Format::from_number(format)?.size as i32))
}

#[unsafe(no_mangle)]
extern "C" fn komabako_feature_inputs(set: i32) -> i32 {
    guard(|| Ok(numbers::set(set)?.inputs() as i32))
}

#[unsafe(no_mangle)]
extern "C" fn komabako_feature_active(set: i32) -> i32 {
    guard(|| Ok(numbers::set(set)?.active() as i32))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_unpack(
    format: i32,
    words: *const u8,
    n: usize,
    out: *mut Board,
    bad: *mut u8,
) -> i32 {
    guard(|| {
        let format = Format::from_number(format)?;
        let input = array("words", words, n.checked_mul(format.size));
        let output = array("out", out, Some(n));
        // SAFETY: the header's promise.
        let (words, out, mut faults) = unsafe { arrays(input, output, bad, n) }?;
        positions::unpack(format, words, out, &mut faults)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_pack(
    format: i32,
    boards: *const Board,
    n: usize,
    words: *mut u8,
    bad: *mut u8,
) -> i32 {
    guard(|| {
        let format = Format::from_number(format)?.word_format()?;
        let input = array("boards", boards, Some(n));
        let output = array("words", words, n.checked_mul(format.size()));
        // SAFETY: the header's promise.
        let (boards, words, mut faults) = unsafe { arrays(input, output, bad, n) }?;
        positions::pack(format, boards, words, &mut faults)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_recode(
    from: i32,
    to: i32,
    input: *const u8,
    n: usize,
    out: *mut u8,
    bad: *mut u8,
) -> i32 {
    guard(|| {
        let [from, to] = [Format::from_number(from)?, Format::from_number(to)?];
        let input = array("in", input, n.checked_mul(from.size));
        let output = array("out", out, n.checked_mul(to.size));
        // SAFETY: the header's promise.
        let (bytes, out, mut faults) = unsafe { arrays(input, output, bad, n) }?;
        records::recode(from, to, bytes, out, &mut faults)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_features(
    set: i32,
    first: i32,
    words: *const u8,
    n: usize,
    rows: *mut i32,
    bad: *mut u8,
) -> i32 {
    guard(|| {
        let set = numbers::set(set)?;
        let first = numbers::first(first)?;
        let input = array("words", words, n.checked_mul(32));
        let output = array("rows", rows, n.checked_mul(2 * set.active()));
        // SAFETY: the header's promise.
        let (words, rows, mut faults) = unsafe { arrays(input, output, bad, n) }?;
        positions::write_inputs(set, first, words, rows, &mut faults)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_open(plan: *const c_char, out: *mut *mut Loader) -> i32 {
    // SAFETY: the header's promise.
    guard(|| unsafe { Loader::open(text("plan", plan)?, one("out", out)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_next(loader: *const Loader, out: *mut *mut Batch) -> i32 {
    // SAFETY: the header's promise.
    guard(|| unsafe { borrow("loader", loader)?.next(one("out", out)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_counts(loader: *const Loader, out: *mut Counts) -> i32 {
    // SAFETY: the header's promise.
    guard(|| unsafe { borrow("loader", loader)?.write_counts(one("out", out)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_state(loader: *const Loader, buffer: *mut u8, size: *mut usize) -> i32 {
    guard(|| {
        // SAFETY: the header's promise.
        let (loader, size) = unsafe { (borrow("loader", loader)?, one("size", size)?) };
        let has_buffer = !buffer.is_null();
        // SAFETY: the same.
        let buffer = has_buffer.then(|| unsafe { write(array("buffer", buffer, Some(*size))) });
        loader.write_state(buffer, size)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_resume(loader: *const Loader, state: *const c_char) -> i32 {
    // SAFETY: the header's promise.
    guard(|| unsafe { borrow("loader", loader)?.resume(text("state", state)?) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_batch_free(batch: *mut Batch) {
    // SAFETY: the header's promise.
    guard(|| unsafe { Ok(take_back(batch).map_or(0, |_| 0)) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_loader_close(loader: *mut Loader) {
    // SAFETY: the header's promise.
    guard(|| unsafe { Ok(take_back(loader).map_or(0, |_| 0)) });
}
