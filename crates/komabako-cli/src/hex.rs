//! Words as lower-case hex digits.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Why a line is not a word in hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HexError {
    /// The byte at this index of the line is not a hex digit.
    Digit(usize),
    /// The line does not have two digits for each byte.
    Length {
        /// The number of digits.
        digits: usize,
        /// The required number of digits.
        expected: usize,
    },
}

/// Reads a word of `N` bytes; digits of either case.
///
/// # Errors
/// The first byte that is not a digit; if all are digits, a wrong number of them.
pub fn parse<const N: usize>(line: &[u8]) -> Result<[u8; N], HexError> {
    if let Some(index) = line.iter().position(|&byte| digit(byte).is_none()) {
        return Err(HexError::Digit(index));
    }
    if line.len() != 2 * N {
        return Err(HexError::Length { digits: line.len(), expected: 2 * N });
    }
    let value = |index: usize| digit(line[index]).expect("checked above");
    Ok(std::array::from_fn(|byte| value(2 * byte) << 4 | value(2 * byte + 1)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_either_case_are_read_and_written_in_lower_case() {
        let bytes = parse::<4>(b"00fFA5c3").unwrap();
        assert_eq!(bytes, [0x00, 0xff, 0xa5, 0xc3]);
        let mut written = Vec::new();
        write(&mut written, &bytes);
        assert_eq!(written, b"00ffa5c3");
        assert_eq!(string(&bytes), "00ffa5c3");
    }

    #[test]
    fn bad_digit_is_reported_before_a_wrong_length() {
        assert_eq!(parse::<2>(b"00x"), Err(HexError::Digit(2)));
        for line in ["000", "00000", ""] {
            let error = HexError::Length { digits: line.len(), expected: 4 };
            assert_eq!(parse::<2>(line.as_bytes()), Err(error));
        }
    }
}
