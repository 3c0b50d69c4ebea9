//! The words of sentences that are this crate's own types.

use core::fmt;

use komabako_messages::{Lang, Message, say};

use crate::{BaseKind, Bitboard, File, Rank};

/// `P` in English, `歩` in Japanese.
impl Message for BaseKind {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const JAPANESE: [&str; 8] = ["歩", "香", "桂", "銀", "金", "角", "飛", "玉"];
        match lang {
            Lang::En => write!(f, "{}", self.letter()),
            Lang::Ja => f.write_str(JAPANESE[*self as usize]),
        }
    }
}

impl Message for File {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().write(lang, f)
    }
}

/// `a` in English, `1` in Japanese.
impl Message for Rank {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match lang {
            Lang::En => write!(f, "{}", self.to_usi()),
            Lang::Ja => self.number().write(lang, f),
        }
    }
}

/// `5g and 5h` in English, `57 と 58` in Japanese.
impl Message for Bitboard {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, square) in self.into_iter().enumerate() {
            if place > 0 {
                say!(f, lang, " and ", " と ")?;
            }
            square.write(lang, f)?;
        }
        Ok(())
    }
}

/// What was expected, and the character found in its place.
pub(crate) struct Found<F> {
    pub expected: F,
    pub found: Option<char>,
}

impl<F: Message> Message for Found<F> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = &self.expected;
        match self.found {
            Some(found) => {
                say!(
                    f,
                    lang,
                    "{expected}, found `{it}`",
                    "{expected} (ここは `{it}`)",
                    expected,
                    it = Escaped(found)
                )
            }
            None => say!(
                f,
                lang,
                "{expected}, found the end of the text",
                "{expected} (ここで終わっています)",
                expected
            ),
        }
    }
}

/// A character, escaped if it is a control.
struct Escaped(char);

impl fmt::Display for Escaped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_debug().fmt(f)
    }
}

komabako_messages::untranslated!(Escaped);
