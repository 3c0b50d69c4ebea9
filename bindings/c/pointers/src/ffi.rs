//! The only functions that dereference pointers.

#![expect(unsafe_code, reason = "the C interface: pointers become values here and nowhere else")]

use std::ffi::{CStr, c_char};
use std::slice;

use crate::Array;

/// The items of an array that is read.
///
/// # Safety
/// If the array can exist, it has these items, initialised, and nothing writes to them during `'a`.
pub unsafe fn read<'a, T>(array: Array<*const T>) -> Result<&'a [T], String> {
    match array.count {
        Some(count) if !array.span()?.is_empty() => {
            // SAFETY: not null, aligned and of a possible size, as just checked; the rest is the caller's promise.
            Ok(unsafe { slice::from_raw_parts(array.pointer, count) })
        }
        _ => Ok(&[]),
    }
}

/// The items of an array that is written.
///
/// # Safety
/// If the array can exist, it has these items, of a type without invalid values, and nothing else uses them during `'a`.
pub unsafe fn write<'a, T>(array: Array<*mut T>) -> Result<&'a mut [T], String> {
    match array.count {
        Some(count) if !array.constant().span()?.is_empty() => {
            // SAFETY: not null, aligned and of a possible size, as just checked; the rest is the caller's promise.
            Ok(unsafe { slice::from_raw_parts_mut(array.pointer, count) })
        }
        _ => Ok(&mut []),
    }
}

/// A text.
///
/// # Safety
/// Unless null, `pointer` is to bytes that end with 0, which nothing writes to during `'a`.
pub unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, String> {
    if pointer.is_null() {
        return Err(format!("the {name} is null"));
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| format!("the {name} is not UTF-8"))
}

/// The texts of an array.
///
/// # Safety
/// As [`read`], and as [`text`] for each item.
pub unsafe fn texts<'a>(array: Array<*const *const c_char>) -> Result<Vec<&'a str>, String> {
    // SAFETY: the caller's promise.
    unsafe { read(array)?.iter().map(|&pointer| text(array.name, pointer)).collect() }
}

/// A value that a library gave.
///
/// # Safety
/// Unless null, `pointer` is from [`give`] with this type, and not destroyed during `'a`.
pub unsafe fn borrow<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, String> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| format!("the {name} is null"))
}

/// Gives a value to the caller.
pub fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Takes back a value from the caller; nothing for null.
///
/// # Safety
/// Unless null, `pointer` is from [`give`] with this type, and not used again.
pub unsafe fn take_back<T>(pointer: *mut T) -> Option<Box<T>> {
    // SAFETY: the caller's promise.
    (!pointer.is_null()).then(|| unsafe { Box::from_raw(pointer) })
}
