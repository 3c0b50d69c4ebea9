//! Bytes and text: UTF-8, CP932 and EUC-JP (`spec/kifu.md` §7).
//!
//! [`recognize`] detects the encoding of a file. [`decode`] and [`encode`] need the feature `cp932`, which brings 200 KB
//! of tables; a web page decodes CP932 with the browser instead.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Fault, KifuError};
use crate::lines::line_length;

#[cfg(feature = "cp932")]
mod cp932;
#[cfg(feature = "cp932")]
pub(crate) use cp932::decode_lossy;
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
    /// EUC-JP, of old Unix programs and early floodgate games. It is only read.
    EucJp,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Cp932 => "CP932",
            Encoding::EucJp => "EUC-JP",
        })
    }
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
    /// The bytes of a file in EUC-JP.
    EucJp(&'a [u8]),
}

/// Detects the encoding of a file: UTF-8 with a byte order mark; else the encoding that a first line `'CSA encoding=`
/// declares; else UTF-8 if the bytes are valid UTF-8; else EUC-JP if they are valid EUC-JP with kana or kanji, and CP932
/// would refuse them or read half-width kana that need not be words; else CP932.
///
/// # Errors
/// [`Fault::Encoding`] with the line and the byte if the bytes are in neither encoding, [`Fault::Limit`] beyond
/// [`MAX_BYTES`].
///
/// ```
/// use komabako_kifu::encoding::{Recognized, recognize};
/// assert_eq!(recognize("投了".as_bytes()), Ok(Recognized::Utf8("投了")));
/// assert_eq!(recognize(b"\x93\x8a\x97\xb9"), Ok(Recognized::Cp932(b"\x93\x8a\x97\xb9")));
/// assert_eq!(recognize(b"\xc5\xea\xce\xbb"), Ok(Recognized::EucJp(b"\xc5\xea\xce\xbb")));
/// ```
pub fn recognize(bytes: &[u8]) -> Result<Recognized<'_>, KifuError> {
    if bytes.len() > MAX_BYTES {
        return Err(fault(bytes, MAX_BYTES, Fault::Limit, ""));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(fault(bytes, 0, Fault::Encoding, "UTF-16"));
    }
    if let Some(byte) = find_iso_2022_jp(bytes) {
        return Err(fault(bytes, byte, Fault::Encoding, "ISO-2022-JP"));
    }
    let (marked, body) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(body) => (true, body),
        None => (false, bytes),
    };
    let declared = if marked { Some(Encoding::Utf8) } else { declared(body) };
    let utf8 = match declared {
        Some(Encoding::Cp932 | Encoding::EucJp) => None,
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
        _ if declared == Some(Encoding::EucJp) => Ok(Recognized::EucJp(body)),
        _ if declared.is_none() && is_euc_jp(body) && is_doubtful_cp932(body) && !is_half_width(body) => {
            Ok(Recognized::EucJp(body))
        }
        _ => Ok(Recognized::Cp932(body)),
    }
}

/// Decodes a file line by line with the tables of the caller: a file into which games of several files were put together
/// has lines in UTF-8, too. `line` decodes a line in CP932 or EUC-JP, given its index: to its text, with U+FFFD for
/// invalid bytes, and the first invalid byte.
///
/// A file that is not in the encoding that [`recognize`] finds is decoded in the one in which the least of it is invalid.
/// Also returns the first fault of each line.
///
/// # Errors
/// As [`recognize`], for UTF-16, ISO-2022-JP and too large a file.
pub fn decode_by_line<'a>(
    bytes: &'a [u8],
    line: &mut LineDecoder<'_, 'a>,
) -> Result<(Decoded<'a>, Vec<KifuError>), KifuError> {
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut read = |encoding| {
        let (text, faults) = decode_lines(bytes, body, encoding, line);
        (Decoded { text: text.into(), encoding }, faults)
    };
    let recognized = match recognize(bytes) {
        Ok(Recognized::Utf8(text)) => {
            return Ok((Decoded { text: text.into(), encoding: Encoding::Utf8 }, Vec::new()));
        }
        Ok(Recognized::Cp932(_)) => read(Encoding::Cp932),
        Ok(Recognized::EucJp(_)) => read(Encoding::EucJp),
        Err(error) if error.fault == Fault::Limit || !error.text.is_empty() => return Err(error),
        Err(_) => return Ok(read(Encoding::Utf8)),
    };
    if recognized.1.is_empty() || declared(body).is_some() {
        return Ok(recognized);
    }
    let all = [Encoding::Utf8, Encoding::Cp932, Encoding::EucJp].map(read);
    let invalid = |(decoded, _): &(Decoded<'_>, _)| decoded.text.matches(char::REPLACEMENT_CHARACTER).count();
    Ok(all.into_iter().min_by_key(invalid).unwrap_or(recognized))
}

/// Decodes a line: see [`decode_by_line`].
pub type LineDecoder<'d, 'a> = dyn FnMut(Encoding, usize, &'a [u8]) -> (Cow<'a, str>, Option<usize>) + 'd;

/// Whether a line is UTF-8: of a file that is not, games of several files were put together.
fn has_utf8_line(bytes: &[u8]) -> bool {
    bytes
        .split(|&byte| byte == b'\n')
        .any(|line| is_utf8_line(line) || declared(line) == Some(Encoding::Utf8))
}

/// Whether a line is valid UTF-8 with a character of three or four bytes. Text in CP932 or EUC-JP is so only with
/// rare kanji in rare order; characters of two bytes are half-width kana there.
fn is_utf8_line(line: &[u8]) -> bool {
    !line.is_ascii() && str::from_utf8(line).is_ok_and(|text| text.chars().any(|c| c.len_utf8() > 2))
}

/// Whether a line is meant as UTF-8: it is, or its first character beyond ASCII is kana or kanji of UTF-8. Text in
/// CP932 or EUC-JP begins so only with rare kanji.
fn begins_as_utf8(line: &[u8]) -> bool {
    let first = line.iter().position(|byte| !byte.is_ascii());
    let three = first.and_then(|at| line.get(at..at + 3));
    let text = three.and_then(|three| str::from_utf8(three).ok());
    text.and_then(|text| text.chars().next()).is_some_and(is_japanese) || is_utf8_line(line)
}

/// Whether a character is of the blocks of kana, kanji and full-width letters, or of the marks before moves; all have three bytes.
fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ff01}'..='\u{ffef}' | '\u{25a0}'..='\u{2617}')
}

/// Decodes line by line; if one is UTF-8, those that are meant as UTF-8 as such. Of lines that may be either, the line before
/// decides, or the encoding that their game declares. Invalid bytes become U+FFFD; also returns the first fault of
/// each line.
fn decode_lines<'a>(
    bytes: &'a [u8],
    body: &'a [u8],
    encoding: Encoding,
    decode_line: &mut LineDecoder<'_, 'a>,
) -> (String, Vec<KifuError>) {
    let mixed = has_utf8_line(body);
    let mut text = String::with_capacity(body.len());
    let mut faults = Vec::new();
    let mut start = bytes.len() - body.len();
    let mut is_utf8 = false;
    for index in 0.. {
        let rest = &bytes[start..];
        let (content, after) = rest.split_at(line_length(rest));
        if let Some(encoding) = declared(content) {
            is_utf8 = encoding == Encoding::Utf8;
        } else if !content.is_ascii() {
            is_utf8 = begins_as_utf8(content) || is_utf8 && str::from_utf8(content).is_ok();
        }
        let (line, invalid) = if encoding == Encoding::Utf8 || mixed && is_utf8 {
            let invalid = str::from_utf8(content).err();
            (String::from_utf8_lossy(content), invalid.map(|error| error.valid_up_to()))
        } else {
            decode_line(encoding, index, content)
        };
        if let Some(at) = invalid {
            let line = index as u32 + 1;
            let column = at as u32 + 1;
            let byte = start + at;
            faults.push(KifuError {
                game: None,
                line,
                column,
                byte,
                fault: Fault::Encoding,
                text: String::new(),
            });
        }
        text.push_str(&line);
        let end = match after {
            [b'\r', b'\n', ..] => "\r\n",
            [b'\r', ..] => "\r",
            [_, ..] => "\n",
            [] => return (text, faults),
        };
        text.push_str(end);
        start += content.len() + end.len();
    }
    unreachable!("a file has fewer lines than there are numbers")
}

/// The first byte that switches to kanji in ISO-2022-JP, which is valid UTF-8. A file has Japanese text near its start.
fn find_iso_2022_jp(bytes: &[u8]) -> Option<usize> {
    const START: usize = 1024;
    let start = &bytes[..bytes.len().min(START)];
    // Without an early end, many bytes are compared at a time.
    let has_escape = || start.iter().fold(false, |has, &byte| has | (byte == 0x1b));
    if !start.is_ascii() || !has_escape() {
        return None;
    }
    start.windows(3).position(|three| matches!(three, b"\x1b$B" | b"\x1b$@"))
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
    } else if is(b"EUC-JP") || is(b"EUC_JP") || is(b"EUCJP") {
        Some(Encoding::EucJp)
    } else {
        None
    }
}

/// Whether bytes are valid EUC-JP and have kana or kanji.
fn is_euc_jp(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut has_japanese = false;
    loop {
        rest = match rest {
            [] => return has_japanese,
            [0..=0x7f, rest @ ..] | [0x8e, 0xa1..=0xdf, rest @ ..] => rest,
            [0x8f, 0xa1..=0xfe, 0xa1..=0xfe, rest @ ..] => rest,
            [lead @ 0xa1..=0xfe, 0xa1..=0xfe, rest @ ..] => {
                has_japanese |= matches!(lead, 0xa4 | 0xa5 | 0xb0..=0xf4);
                rest
            }
            _ => return false,
        };
    }
}

/// Whether all bytes above ASCII are half-width katakana of CP932 with voiced ones, whose marks follow kana that can have them.
/// A few kanji of EUC-JP are the same bytes, but its kana are not.
fn is_half_width(bytes: &[u8]) -> bool {
    let mut has_mark = false;
    let mut before = 0;
    for &byte in bytes {
        match byte {
            0..=0x7f | 0xa6..=0xdd => {}
            // カ to ト, ハ to ホ.
            0xde if matches!(before, 0xb6..=0xc4 | 0xca..=0xce) => has_mark = true,
            0xdf if matches!(before, 0xca..=0xce) => has_mark = true,
            _ => return false,
        }
        before = byte;
    }
    has_mark
}

/// Whether bytes are not CP932, or have half-width kana in it that are not plainly words.
fn is_doubtful_cp932(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    loop {
        rest = match rest {
            [] => return false,
            [0..=0x7f, rest @ ..] => rest,
            [0x81..=0x9f | 0xe0..=0xfc, 0x40..=0x7e | 0x80..=0xfc, rest @ ..] => rest,
            _ => return true,
        };
    }
}

#[cold]
fn fault(bytes: &[u8], byte: usize, fault: Fault, text: &str) -> KifuError {
    let before = &bytes[..byte];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    KifuError { game: None, line, column: (byte - start) as u32 + 1, byte, fault, text: text.into() }
}
