//! Words that are messages: numbers, quotations, colours and squares; [`Grouped`], [`Size`] and [`Count`].

use alloc::string::String;
use core::fmt;

use shogi_core::{Color, Square};

use crate::{Lang, Message, untranslated};

untranslated!(u8, u16, u32, u64, usize, i16, i32, i64, char, str, String);

/// A number with commas between groups of three digits: `1,234,567`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Grouped(number) = *self;
        match number / 1000 {
            0 => write!(f, "{number}"),
            thousands => write!(f, "{},{:03}", Grouped(thousands), number % 1000),
        }
    }
}

/// A number of bytes, rounded, in a decimal unit: `1.2 kB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
        let mut number = self.0 as f64;
        let mut unit = 0;
        while number >= 999.5 && unit + 1 < UNITS.len() {
            number /= 1000.0;
            unit += 1;
        }
        let decimals = if unit > 0 && number < 10.0 { 1 } else { 0 };
        write!(f, "{number:.decimals$} {}", UNITS[unit])
    }
}

untranslated!(Grouped, Size);

/// What is counted, in every language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noun {
    one: &'static str,
    several: &'static str,
    ja: &'static str,
}

impl Noun {
    /// A noun whose languages are [checked](crate::check).
    pub const fn new(one: &'static str, several: &'static str, ja: &'static str) -> Noun {
        crate::check(one, ja);
        crate::check(several, ja);
        Noun { one, several, ja }
    }

    /// A number of them.
    pub const fn count(self, number: u64) -> Count {
        Count { number, noun: self }
    }
}

/// A number of things: `1 record`, `2,258 records`, `2,258 レコード`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    number: u64,
    noun: Noun,
}

impl Message for Count {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = match (lang, self.number) {
            (Lang::En, 1) => self.noun.one,
            (Lang::En, _) => self.noun.several,
            (Lang::Ja, _) => self.noun.ja,
        };
        write!(f, "{} {noun}", Grouped(self.number))
    }
}

impl Message for Color {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self, lang) {
            (Color::Black, Lang::En) => "Black",
            (Color::White, Lang::En) => "White",
            (Color::Black, Lang::Ja) => "先手",
            (Color::White, Lang::Ja) => "後手",
        })
    }
}

/// `7g` in English, `77` in Japanese.
impl Message for Square {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nine squares a file.
        let file = self.array_index() / 9 + 1;
        let rank = self.array_index() % 9 + 1;
        match lang {
            Lang::En => write!(f, "{file}{}", char::from(b'a' + rank as u8 - 1)),
            Lang::Ja => write!(f, "{file}{rank}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn digits_are_grouped_by_threes() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (1_000_005, "1,000,005")]
        {
            assert_eq!(Grouped(number).to_string(), text);
        }
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_234, "1.2 kB"),
            (999_999, "1.0 MB"),
            (4_000_000_000_000, "4.0 TB"),
        ] {
            assert_eq!(Size(bytes).to_string(), text);
        }
    }

    #[test]
    fn one_is_singular() {
        const BYTES: Noun = Noun::new("byte", "bytes", "バイト");
        assert_eq!(BYTES.count(1).in_lang(Lang::En).to_string(), "1 byte");
        assert_eq!(BYTES.count(0).in_lang(Lang::En).to_string(), "0 bytes");
        assert_eq!(BYTES.count(2258).in_lang(Lang::En).to_string(), "2,258 bytes");
        assert_eq!(BYTES.count(1).in_lang(Lang::Ja).to_string(), "1 バイト");
    }

    #[test]
    fn squares_are_named_as_in_the_language() {
        let square = Square::SQ_7G;
        assert_eq!(square.in_lang(Lang::En).to_string(), "7g");
        assert_eq!(square.in_lang(Lang::Ja).to_string(), "77");
        assert_eq!(Square::SQ_9I.in_lang(Lang::Ja).to_string(), "99");
    }
}
