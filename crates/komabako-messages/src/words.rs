//! Words that are messages: numbers, quotations, colours and squares; and [`Grouped`].

extern crate alloc;

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

untranslated!(Grouped);

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
    fn squares_are_named_as_in_the_language() {
        let square = Square::SQ_7G;
        assert_eq!(square.in_lang(Lang::En).to_string(), "7g");
        assert_eq!(square.in_lang(Lang::Ja).to_string(), "77");
        assert_eq!(Square::SQ_9I.in_lang(Lang::Ja).to_string(), "99");
    }
}
