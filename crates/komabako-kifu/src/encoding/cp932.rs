//! Decodes and encodes CP932 with the tables of `encoding_rs`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use encoding_rs::{DecoderResult, EUC_JP, EncoderResult, SHIFT_JIS};
use komabako_messages::{Lang, Message, say};

use super::{Decoded, Encoding, Recognized, decode_by_line, decode_lines, fault, has_utf8_line, recognize};
use crate::error::{Fault, KifuError};
use crate::lines::Lines;

/// A line end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
}

/// A character that the encoding lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unmappable {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The character.
    pub character: char,
}

impl Message for Unmappable {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, character } = self;
        say!(
            f,
            lang,
            "line {line}, column {column} of the output: CP932 has no `{character}`",
            "出力の {line} 行目 {column} 桁目: CP932 に `{character}` はありません",
            line,
            column,
            character
        )
    }
}

komabako_messages::english!(Unmappable);

impl core::error::Error for Unmappable {}

/// A character to write for those that CP932 lacks: `?`, `_`, or one of CP932 that is neither ASCII nor a control character.
/// Others have a meaning in some format: a line end, the `"` of JKF, the `*` before a comment in KIF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replacement(char);

impl Replacement {
    /// The replacement, or `None` if the character cannot be one. [`encode`] writes it like any other character: `〜` as `～`.
    ///
    /// ```
    /// use komabako_kifu::Replacement;
    /// assert!(Replacement::new('〓').is_some());
    /// assert!(Replacement::new('😀').is_none() && Replacement::new('"').is_none());
    /// ```
    pub fn new(character: char) -> Option<Self> {
        let character = similar(character);
        let mut buffer = [0; 4];
        let is_in_cp932 = encode_cp932(character.encode_utf8(&mut buffer), None).is_ok();
        let is_plain = matches!(character, '?' | '_') || !character.is_ascii() && !character.is_control();
        (is_in_cp932 && is_plain).then_some(Self(character))
    }
}

/// Text as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The number of characters for which the replacement was written.
    pub replaced: u64,
}

/// Decodes a file in the encoding that [`recognize`] finds.
///
/// # Errors
/// [`Fault::Encoding`] with the line and the byte if the bytes are in neither encoding, [`Fault::Limit`] beyond
/// [`MAX_BYTES`](super::MAX_BYTES).
///
/// ```
/// use komabako_kifu::{Encoding, encoding::decode};
/// let decoded = decode(b"\x93\x8a\x97\xb9").unwrap();
/// assert_eq!((decoded.text.as_ref(), decoded.encoding), ("投了", Encoding::Cp932));
/// ```
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, KifuError> {
    let (encoding, tables, body) = match recognize(bytes)? {
        Recognized::Utf8(text) => return Ok(Decoded { text: text.into(), encoding: Encoding::Utf8 }),
        Recognized::Cp932(body) => (Encoding::Cp932, SHIFT_JIS, body),
        Recognized::EucJp(body) => (Encoding::EucJp, EUC_JP, body),
    };
    if has_utf8_line(body) {
        let (text, faults) = decode_lines(bytes, body, encoding, &mut decode_line);
        return match faults.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(Decoded { text: text.into(), encoding }),
        };
    }
    let text = decode_with(tables, body).map_err(|byte| fault(bytes, byte, Fault::Encoding, ""))?;
    Ok(Decoded { text: text.into(), encoding })
}

/// The text of a line, and its first invalid byte.
fn decode_line(encoding: Encoding, _: usize, line: &[u8]) -> (Cow<'_, str>, Option<usize>) {
    let tables = if encoding == Encoding::EucJp { EUC_JP } else { SHIFT_JIS };
    (tables.decode_without_bom_handling(line).0, decode_with(tables, line).err())
}

/// Decodes bytes, or returns the first invalid byte.
fn decode_with(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Result<String, usize> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let capacity = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(0);
    let mut text = String::with_capacity(capacity);
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::Malformed(length, after), read) => {
            Err(read.saturating_sub(usize::from(length) + usize::from(after)))
        }
        _ => Ok(text),
    }
}

/// [`decode_by_line`] with the tables of this crate.
pub(crate) fn decode_lossy(bytes: &[u8]) -> Result<(Decoded<'_>, Vec<KifuError>), KifuError> {
    decode_by_line(bytes, &mut decode_line)
}

/// Encodes text whose lines end in LF.
///
/// For CP932, similar characters are substituted first: 〜 − — ‖ ☗ ☖ become ～ － ― ∥ ▲ △. `instead` replaces characters
/// that remain unmappable, and they are counted. EUC-JP is not written: its text is written as UTF-8.
///
/// # Errors
/// [`Unmappable`] if a character is not in CP932 and `instead` is `None`.
pub fn encode(
    text: &str,
    encoding: Encoding,
    line_end: LineEnd,
    instead: Option<Replacement>,
) -> Result<Encoded, Unmappable> {
    let text = match line_end {
        LineEnd::Lf => Cow::Borrowed(text),
        LineEnd::CrLf => text.replace('\n', "\r\n").into(),
    };
    match encoding {
        Encoding::Utf8 | Encoding::EucJp => {
            Ok(Encoded { bytes: text.into_owned().into_bytes(), replaced: 0 })
        }
        Encoding::Cp932 => encode_cp932(&text, instead),
    }
}

/// The character of CP932 that stands for a similar one, or else the character itself.
const fn similar(character: char) -> char {
    match character {
        '〜' => '～',
        '−' => '－',
        '—' => '―',
        '‖' => '∥',
        '☗' => '▲',
        '☖' => '△',
        other => other,
    }
}

fn encode_cp932(text: &str, instead: Option<Replacement>) -> Result<Encoded, Unmappable> {
    // encoding_rs writes these as ASCII bytes, which some fonts draw this way; they would be read back as \ and ~.
    const WRITTEN_AS_ASCII: [char; 2] = ['¥', '‾'];
    let mut replaced = 0;
    let map = |c: char| match instead {
        Some(Replacement(instead)) if WRITTEN_AS_ASCII.contains(&c) => {
            replaced += 1;
            instead
        }
        _ => similar(c),
    };
    let text: String = text.chars().map(map).collect();
    if let Some(at) = text.find(WRITTEN_AS_ASCII) {
        return Err(unmappable(&text, at));
    }
    let mut encoder = SHIFT_JIS.new_encoder();
    let mut bytes = Vec::with_capacity(text.len());
    let mut read = 0;
    loop {
        bytes.reserve(text.len() - read + 16);
        let (result, length) =
            encoder.encode_from_utf8_to_vec_without_replacement(&text[read..], &mut bytes, true);
        read += length;
        match (result, instead) {
            (EncoderResult::InputEmpty, _) => return Ok(Encoded { bytes, replaced }),
            (EncoderResult::OutputFull, _) => {}
            (EncoderResult::Unmappable(_), Some(Replacement(instead))) => {
                replaced += 1;
                let mut buffer = [0; 4];
                let (replacement, _, _) = SHIFT_JIS.encode(instead.encode_utf8(&mut buffer));
                bytes.extend_from_slice(&replacement);
            }
            (EncoderResult::Unmappable(character), None) => {
                return Err(unmappable(&text, read - character.len_utf8()));
            }
        }
    }
}

#[cold]
fn unmappable(text: &str, at: usize) -> Unmappable {
    let line = Lines::new(text).take_while(|line| line.start <= at).last();
    let (line, start) = line.map_or((1, 0), |line| (line.number, line.start));
    let column = text[start..at].chars().count() as u32 + 1;
    Unmappable { line, column, character: text[at..].chars().next().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;

    #[test]
    fn content_determines_the_encoding() {
        for (bytes, text, encoding) in [
            (&b"\xef\xbb\xbfabc"[..], "abc", Encoding::Utf8),
            ("髙橋".as_bytes(), "髙橋", Encoding::Utf8),
            (b"\xfb\xfc\x8b\xb4", "髙橋", Encoding::Cp932),
            (b"\x81\x60", "～", Encoding::Cp932),
            (b"'CSA encoding=SHIFT_JIS\n\xc3\xa9", "'CSA encoding=SHIFT_JIS\nﾃｩ", Encoding::Cp932),
            (b"N+\xb7\xe3\xbb\xd8\nN-\xb5\xbb\xb9\xaa\n", "N+激指\nN-技巧\n", Encoding::EucJp),
            (b"'CSA encoding=EUC-JP\n\xc3\xa9", "'CSA encoding=EUC-JP\n辿", Encoding::EucJp),
            // An odd number of half-width kana is no EUC-JP.
            (b"N+\xce\xc5\xdd\xbb\xde\n", "N+ﾎﾅﾝｻﾞ\n", Encoding::Cp932),
            // Marks after kana that can have them are no kanji of EUC-JP.
            (b"N-\xce\xde\xc5\xdd\xbb\xde\n", "N-ﾎﾞﾅﾝｻﾞ\n", Encoding::Cp932),
            (b"N-\xca\xdf\xbd\xb6\xd9\xb0\n", "N-ﾊﾟｽｶﾙｰ\n", Encoding::Cp932),
            (b"N-\xb8\xde\xb4\xfd\n", "N-五棋\n", Encoding::EucJp),
            (b"\xe8\xaa\x82\xa0", "隱あ", Encoding::Cp932),
        ] {
            let decoded = decode(bytes).unwrap();
            assert_eq!((decoded.text.as_ref(), decoded.encoding), (text, encoding));
        }
        for (bytes, line, byte) in [
            // A lead byte without its second one.
            (&b"ab\n\x93"[..], 2, 3),
            (b"\xff\xfea\0", 1, 0),
            (b"\xef\xbb\xbfa\x93\x8a", 1, 4),
            (b"'CSA encoding=UTF-8\n\x93\x8a", 2, 20),
            (b"\xed\xa0\x80\x80\xff", 1, 4),
        ] {
            let error = decode(bytes).unwrap_err();
            assert_eq!((error.fault, error.line, error.byte), (Fault::Encoding, line, byte), "{bytes:?}");
        }
    }

    #[test]
    fn cp932_replaces_similar_characters_and_refuses_others() {
        let encode = |text, instead: Option<char>| {
            let instead = instead.map(|character| Replacement::new(character).unwrap());
            encode(text, Encoding::Cp932, LineEnd::CrLf, instead)
        };
        let read = |encoded: Encoded| (decode(&encoded.bytes).unwrap().text.into_owned(), encoded.replaced);
        assert_eq!(read(encode("〜−—‖☗☖髙﨑\n", None).unwrap()), ("～－―∥▲△髙﨑\r\n".to_owned(), 0));
        let unmappable = Unmappable { line: 2, column: 2, character: '😀' };
        assert_eq!(encode("a\nb😀", None), Err(unmappable));
        assert_eq!(read(encode("b😀c¥", Some('〓')).unwrap()), ("b〓c〓".to_owned(), 2));
        assert_eq!(read(encode("😀〜", Some('〜')).unwrap()), ("～～".to_owned(), 1));
        assert_eq!(encode("\n¥", None), Err(Unmappable { line: 2, column: 1, character: '¥' }));
    }

    #[test]
    fn replacements_have_no_meaning_in_any_format() {
        for character in "〓?髙〜_　".chars() {
            assert!(Replacement::new(character).is_some(), "{character:?}");
        }
        for character in "😀¥‾é\"*\\ \n\r\0\x1b\u{7f}\u{80}\u{fffd}\u{2028}".chars() {
            assert!(Replacement::new(character).is_none(), "{character:?}");
        }
    }
}
