//! Words as lower-case hex digits.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Why a line is not a word in hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HexError {
    /// The byte at this index of the line is not a hex digit.
    Digit(usize),
    /// The line does not have two digits for each byte.
    Length { digits: usize, expected: usize },
}

/// Reads the bytes of a word; digits of either case.
///
/// # Errors
/// The first byte that is not a digit; if all are digits, a wrong number of them.
pub fn read(line: &[u8], bytes: &mut [u8]) -> Result<(), HexError> {
    if let Some(index) = line.iter().position(|&byte| digit(byte).is_none()) {
        return Err(HexError::Digit(index));
    }
    if line.len() != 2 * bytes.len() {
        return Err(HexError::Length { digits: line.len(), expected: 2 * bytes.len() });
    }
    let value = |index: usize| digit(line[index]).expect("checked above");
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = value(2 * index) << 4 | value(2 * index + 1);
    }
    Ok(())
}

/// Appends bytes as lower-case hex digits.
pub fn write(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(
        bytes.iter().flat_map(|&byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]),
    );
}

/// Bytes as a string of lower-case hex digits.
pub fn string(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}
