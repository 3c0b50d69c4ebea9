//! Bytes and text: UTF-8 and CP932 (`spec/kifu.md` §7).
//!
//! [`recognize`] detects the encoding of a file. [`decode`] and [`encode`] need the feature `cp932`, which brings 200 KB
//! of tables; a web page decodes CP932 with the browser instead.

use alloc::borrow::Cow;

use crate::error::{Fault, KifuError};

#[cfg(feature = "cp932")]
mod cp932;
#[cfg(feature = "cp932")]
pub use cp932::{Encoded, LineEnd, Replacement, Unmappable, decode, encode};

/// The maximum size in bytes of a file of records.
pub const MAX_BYTES: usize = 64 << 20;

/// A character encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// CP932, Microsoft's `Shift_JIS`.
    Cp932,
}

/// Decoded text and its encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded<'a> {
    /// The text without a byte order mark; borrowed if it was UTF-8.
    pub text: Cow<'a, str>,
    /// Its encoding.
    pub encoding: Encoding,
}

/// A file whose encoding is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recognized<'a> {
    /// The text of a file in UTF-8, without a byte order mark.
    Utf8(&'a str),
    /// The bytes of a file in CP932.
    Cp932(&'a [u8]),
}

/// Detects the encoding of a file: UTF-8 with a byte order mark; else the encoding that a first line `'CSA encoding=`
/// declares; else UTF-8 if the bytes are valid UTF-8; else CP932.
///
/// # Errors
/// [`Fault::Encoding`] with the line and the byte if the bytes are in neither encoding, [`Fault::Limit`] beyond
/// [`MAX_BYTES`].
///
/// ```
/// use komabako_kifu::encoding::{Recognized, recognize};
/// assert_eq!(recognize("投了".as_bytes()), Ok(Recognized::Utf8("投了")));
/// assert_eq!(recognize(b"\x93\x8a\x97\xb9"), Ok(Recognized::Cp932(b"\x93\x8a\x97\xb9")));
/// ```
pub fn recognize(bytes: &[u8]) -> Result<Recognized<'_>, KifuError> {
    if bytes.len() > MAX_BYTES {
        return Err(fault(bytes, MAX_BYTES, Fault::Limit, ""));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(fault(bytes, 0, Fault::Encoding, "UTF-16"));
    }
    let (marked, body) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(body) => (true, body),
        None => (false, bytes),
    };
    let declared = if marked { Some(Encoding::Utf8) } else { declared(body) };
    let utf8 = match declared {
        Some(Encoding::Cp932) => None,
        _ => Some(simdutf8::basic::from_utf8(body)),
    };
    match utf8 {
        Some(Ok(text)) => Ok(Recognized::Utf8(text)),
        Some(Err(_)) if declared.is_some() => {
            // The fast check does not report the position of the fault.
            let valid = core::str::from_utf8(body).map_or_else(|error| error.valid_up_to(), str::len);
            let byte = bytes.len() - body.len() + valid;
            Err(fault(bytes, byte, Fault::Encoding, ""))
        }
        _ => Ok(Recognized::Cp932(body)),
    }
}

/// The encoding declared by a first line `'CSA encoding=NAME`.
fn declared(bytes: &[u8]) -> Option<Encoding> {
    let name = bytes.strip_prefix(b"'CSA encoding=")?;
    let end = name.iter().position(u8::is_ascii_whitespace).unwrap_or(name.len());
    let is = |known: &[u8]| name[..end].eq_ignore_ascii_case(known);
    if is(b"UTF-8") || is(b"UTF8") {
        Some(Encoding::Utf8)
    } else if is(b"SHIFT_JIS") || is(b"SHIFT-JIS") || is(b"SJIS") || is(b"CP932") {
        Some(Encoding::Cp932)
    } else {
        None
    }
}

#[cold]
fn fault(bytes: &[u8], byte: usize, fault: Fault, text: &str) -> KifuError {
    let before = &bytes[..byte];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    KifuError { game: None, line, column: (byte - start) as u32 + 1, byte, fault, text: text.into() }
}
