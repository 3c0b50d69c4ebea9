//! Numbers of bytes as values of options.

use crate::message::Wanted;

/// Reads a number of bytes: `1500000`, `512M`, `1.5G`, with powers of 1024.
pub fn parse(text: &str) -> Result<u64, Wanted> {
    let number = text.trim_end_matches(['i', 'B']);
    let (digits, power) = match number.char_indices().last() {
        Some((end, 'k' | 'K')) => (&number[..end], 10),
        Some((end, 'm' | 'M')) => (&number[..end], 20),
        Some((end, 'g' | 'G')) => (&number[..end], 30),
        Some((end, 't' | 'T')) => (&number[..end], 40),
        _ => (number, 0),
    };
    match digits.parse::<f64>() {
        Ok(count) if count >= 0.0 && count.is_finite() => Ok((count * f64::from(power).exp2()) as u64),
        _ => Err(Wanted::like("512M, 1G, 1.5G")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_units() {
        for (text, bytes) in [("0", 0), ("17", 17), ("512M", 512 << 20), ("1.5GiB", 3 << 29), ("2kB", 2048)] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1", "1X", "infG"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
