//! [`Millis`]: the time spent on a move.

use core::fmt;

/// A time in milliseconds, up to 49 days.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(u32);

impl Millis {
    /// A time of `millis` milliseconds.
    pub const fn new(millis: u32) -> Self {
        Self(millis)
    }

    /// A time of `seconds` seconds, or `None` beyond 49 days.
    pub const fn from_seconds(seconds: u32) -> Option<Self> {
        match seconds.checked_mul(1000) {
            Some(millis) => Some(Self(millis)),
            None => None,
        }
    }

    /// The milliseconds.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The whole seconds.
    pub const fn seconds(self) -> u32 {
        self.0 / 1000
    }

    /// The time truncated to whole seconds, which is the precision of most formats.
    pub const fn whole_seconds(self) -> Self {
        Self(self.0 - self.0 % 1000)
    }

    /// Reads seconds with at most three decimals: `12`, `1.5`, `0.001`.
    pub(crate) fn from_decimal(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() || !whole.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if decimals.len() > 3 {
            return None;
        }
        let mut millis = whole.parse::<u32>().ok()?.checked_mul(1000)?;
        for (digit, unit) in decimals.bytes().zip([100, 10, 1]) {
            millis = millis.checked_add(u32::from(digit - b'0') * unit)?;
        }
        Some(Self(millis))
    }
}

impl fmt::Display for Millis {
    /// Seconds with as many decimals as necessary: `12`, `1.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.seconds())?;
        match self.0 % 1000 {
            0 => Ok(()),
            millis if millis % 100 == 0 => write!(f, ".{}", millis / 100),
            millis if millis % 10 == 0 => write!(f, ".{:02}", millis / 10),
            millis => write!(f, ".{millis:03}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn decimals_are_read_and_written() {
        for (text, millis, written) in
            [("12", 12_000, "12"), ("1.500", 1500, "1.5"), ("0.001", 1, "0.001"), ("0.05", 50, "0.05")]
        {
            let time = Millis::from_decimal(text).unwrap();
            assert_eq!((time.get(), time.to_string().as_str()), (millis, written));
        }
        for text in ["", ".5", "1.2345", "-1", "1e3", "4294968"] {
            assert_eq!(Millis::from_decimal(text), None, "{text}");
        }
    }
}
