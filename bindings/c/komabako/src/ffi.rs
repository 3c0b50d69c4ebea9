//! The exported functions. Each checks its pointers, turns them into slices, and lets no panic out.
//!
//! What the caller promises is in `include/komabako.h`: arrays are as long as stated, hold initialised bytes where they are read,
//! and are not used by other threads during the call. What can be checked is checked: null and misaligned pointers, sizes beyond
//! the address space, overlap.

#![expect(unsafe_code, reason = "the C interface: pointers become slices here and nowhere else")]

use std::slice;

use crate::failure::{Failure, guard, last, write_text};
use crate::numbers::{self, Format};
use crate::positions::{self, Board};
use crate::records::{self, Faults};

/// An array of the caller: where it is and how many items it has.
#[derive(Clone, Copy)]
struct Array {
    name: &'static str,
    start: usize,
    bytes: usize,
}

impl Array {
    /// Checks that an array can exist.
    fn new<T>(name: &'static str, pointer: *const T, count: Option<usize>) -> Result<Array, Failure> {
        let refuse = |why: &str| Err(Failure::Argument(format!("{name} {why}")));
        let bytes = count.and_then(|count| count.checked_mul(size_of::<T>()));
        let Some(bytes) = bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) else {
            return refuse("is longer than the address space");
        };
        if bytes > 0 && pointer.is_null() {
            return refuse("is NULL, but not empty");
        }
        if !pointer.is_aligned() {
            return refuse("is not aligned");
        }
        if pointer.addr().checked_add(bytes).is_none() {
            return refuse("is longer than the address space");
        }
        Ok(Array { name, start: pointer.addr(), bytes })
    }

    /// Checks that two arrays do not overlap.
    fn separate(self, other: Array) -> Result<(), Failure> {
        let is_apart = self.start + self.bytes <= other.start || other.start + other.bytes <= self.start;
        if is_apart || self.bytes == 0 || other.bytes == 0 {
            return Ok(());
        }
        Err(Failure::Argument(format!("{} and {} overlap", self.name, other.name)))
    }
}

/// The items of an array that is read.
///
/// # Safety
/// An array that [`Array::new`] accepts holds `count` initialised items, and nothing writes to them during `'a`.
unsafe fn read<'a, T>(
    name: &'static str,
    pointer: *const T,
    count: Option<usize>,
) -> Result<(Array, &'a [T]), Failure> {
    let array = Array::new(name, pointer, count)?;
    if array.bytes == 0 {
        return Ok((array, &[]));
    }
    // SAFETY: not null, aligned and of a possible size, as just checked; the rest is the caller's promise.
    Ok((array, unsafe { slice::from_raw_parts(pointer, array.bytes / size_of::<T>()) }))
}

/// The items of an array that is written.
///
/// # Safety
/// An array that [`Array::new`] accepts holds `count` items of a type without invalid values, and nothing else uses it during `'a`.
unsafe fn write<'a, T>(
    name: &'static str,
    pointer: *mut T,
    count: Option<usize>,
) -> Result<(Array, &'a mut [T]), Failure> {
    let array = Array::new(name, pointer, count)?;
    if array.bytes == 0 {
        return Ok((array, &mut []));
    }
    // SAFETY: not null, aligned and of a possible size, as just checked; the rest is the caller's promise.
    Ok((array, unsafe { slice::from_raw_parts_mut(pointer, array.bytes / size_of::<T>()) }))
}

/// The array of faults, which may be absent.
///
/// # Safety
/// As [`write`], unless `pointer` is null.
unsafe fn faults<'a>(pointer: *mut u8, count: usize, others: [Array; 2]) -> Result<Faults<'a>, Failure> {
    if pointer.is_null() {
        return Ok(Faults::new(None));
    }
    let array = Array::new("faults", pointer, Some(count))?;
    array.separate(others[0])?;
    array.separate(others[1])?;
    // SAFETY: the caller's promise.
    let (_, cells) = unsafe { write("faults", pointer, Some(count)) }?;
    Ok(Faults::new(Some(cells)))
}

/// Writes a text to the caller's buffer.
///
/// # Safety
/// As [`write`].
unsafe fn write_to(buffer: *mut u8, size: usize, text: &str) -> usize {
    // SAFETY: the caller's promise.
    match unsafe { write("buffer", buffer, Some(size)) } {
        Ok((_, buffer)) => write_text(text, buffer),
        Err(_) => text.len(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn komabako_abi() -> u32 {
    1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_error(buffer: *mut u8, size: usize) -> usize {
    // SAFETY: the header's promise.
    unsafe { write_to(buffer, size, &last()) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn komabako_fault_name(fault: u8, buffer: *mut u8, size: usize) -> usize {
    // SAFETY: the header's promise.
    unsafe { write_to(buffer, size, komabako::record::fault::name_of_number(fault).unwrap_or_default()) }
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
        let input = Array::new("words", words, n.checked_mul(format.size))?;
        input.separate(Array::new("out", out, Some(n))?)?;
        // SAFETY: the header's promise, and the arrays do not overlap.
        let (input, words) = unsafe { read("words", words, n.checked_mul(format.size)) }?;
        // SAFETY: the same.
        let (output, out) = unsafe { write("out", out, Some(n)) }?;
        // SAFETY: the same.
        let mut faults = unsafe { faults(bad, n, [input, output]) }?;
        positions::unpack(format, words, out, &mut faults)?;
        Ok(0)
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
        let input = Array::new("boards", boards, Some(n))?;
        input.separate(Array::new("words", words, n.checked_mul(format.size()))?)?;
        // SAFETY: the header's promise, and the arrays do not overlap.
        let (input, boards) = unsafe { read("boards", boards, Some(n)) }?;
        // SAFETY: the same.
        let (output, words) = unsafe { write("words", words, n.checked_mul(format.size())) }?;
        // SAFETY: the same.
        let mut faults = unsafe { faults(bad, n, [input, output]) }?;
        positions::pack(format, boards, words, &mut faults)?;
        Ok(0)
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
        let from = Format::from_number(from)?;
        let to = Format::from_number(to)?;
        let read_size = n.checked_mul(from.size);
        let written_size = n.checked_mul(to.size);
        Array::new("in", input, read_size)?.separate(Array::new("out", out, written_size)?)?;
        // SAFETY: the header's promise, and the arrays do not overlap.
        let (input, bytes) = unsafe { read("in", input, read_size) }?;
        // SAFETY: the same.
        let (output, out) = unsafe { write("out", out, written_size) }?;
        // SAFETY: the same.
        let mut faults = unsafe { faults(bad, n, [input, output]) }?;
        records::recode(from, to, bytes, out, &mut faults)?;
        Ok(0)
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
        let count = n.checked_mul(2 * set.active());
        let bytes = n.checked_mul(32);
        Array::new("words", words, bytes)?.separate(Array::new("rows", rows, count)?)?;
        // SAFETY: the header's promise, and the arrays do not overlap.
        let (input, words) = unsafe { read("words", words, bytes) }?;
        // SAFETY: the same.
        let (output, rows) = unsafe { write("rows", rows, count) }?;
        // SAFETY: the same.
        let mut faults = unsafe { faults(bad, n, [input, output]) }?;
        positions::write_inputs(set, first, words, rows, &mut faults)?;
        Ok(0)
    })
}
