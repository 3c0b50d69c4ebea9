//! [`check`]: whether the sentences of a row are in their languages, found when the row is compiled.

/// Panics unless the first sentence is printable ASCII and the second is Japanese, or consists of what it mentions.
///
/// # Panics
/// See above: at compile time, in the constants of [`say!`](crate::say).
pub const fn check(en: &str, ja: &str) {
    assert!(is_ascii(en.as_bytes()), "the English sentence is not plain ASCII");
    assert!(is_japanese(ja.as_bytes()), "the Japanese sentence is not Japanese");
}

const fn is_ascii(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        if !matches!(text[at], b' '..=b'~') {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether a text has kana or kanji, or no letters outside braces: `{input}: {fault}`.
const fn is_japanese(text: &[u8]) -> bool {
    let mut is_named = false;
    let mut has_letters = false;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'{' => is_named = true,
            b'}' => is_named = false,
            // U+3040 to U+9FFF: kana and kanji, in UTF-8.
            0xe3 if at + 1 < text.len() && text[at + 1] >= 0x81 => return true,
            0xe4..=0xe9 => return true,
            letter => has_letters |= !is_named && letter.is_ascii_alphabetic(),
        }
        at += 1;
    }
    !has_letters
}

#[cfg(test)]
mod tests {
    use super::{is_ascii, is_japanese};

    #[test]
    fn japanese_has_kana_or_kanji() {
        for text in ["玉がない", "ここ: {name}", "ア", "一", "龥", "{input}: {fault}", "{input} ({name:?})"]
        {
            assert!(is_japanese(text.as_bytes()), "{text}");
        }
        for text in ["no king", "position: {fault}", "「」 a"] {
            assert!(!is_japanese(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn english_is_ascii() {
        assert!(is_ascii(b"expected `b` or `w`: {found}"));
        assert!(!is_ascii("no 玉".as_bytes()));
        assert!(!is_ascii(b"a\nb"));
    }
}
