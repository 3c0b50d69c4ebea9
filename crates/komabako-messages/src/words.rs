//! Words that are messages: numbers, quotations, colours and squares.

extern crate alloc;

use alloc::string::String;
use core::fmt;

use shogi_core::{Color, Square};

use crate::{Lang, Message, untranslated};

untranslated!(u8, u16, u32, u64, usize, i16, i64, char, str, String);

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
