//! CSA: V1 to V3.0 read, V2.2 and V3.0 written (`spec/kifu.md` §3).

mod header;
mod position;
mod read;
mod server;
mod write;

pub(crate) use header::project_header;
pub(crate) use read::{is_bare, is_separator, read};
pub(crate) use write::{Version, write};

/// Whether a line is distinctive of CSA.
pub(crate) fn is_distinctive(line: &str) -> bool {
    let is_version = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    match line.as_bytes() {
        [b'V', rest @ ..] => is_version(core::str::from_utf8(rest).unwrap_or_default()),
        [b'P', b'I', ..] | [b'P', b'1'..=b'9', ..] | [b'N', b'+' | b'-', ..] => true,
        [b'P', b'+' | b'-', rest @ ..] => rest.first().is_none_or(u8::is_ascii_digit),
        [b'\'', ..] => line.starts_with("'CSA"),
        [b'+' | b'-', squares @ ..] if squares.len() >= 6 => {
            squares[..4].iter().all(u8::is_ascii_digit) && squares[4..6].iter().all(u8::is_ascii_uppercase)
        }
        _ => false,
    }
}
