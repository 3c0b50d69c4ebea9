//! [`GameText`]: the encoding and line ends of game records in a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use komabako::kifu::encoding::{Recognized, encode, recognize};
use komabako::kifu::{Encoding, Format, LineEnd, Losses, Record, Replacement, Unmappable};

/// The way text is written.
#[derive(Clone, Copy)]
pub struct GameText {
    pub encoding: Encoding,
    pub line_end: LineEnd,
    /// The replacement for a character that the encoding lacks; `None` makes it an error.
    pub unmappable: Option<Replacement>,
}

impl GameText {
    /// The encoding and line ends that programs expect in files of this name.
    pub fn of_path(path: &Path) -> Self {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        // Programs for Windows read these two as CP932, whatever their content.
        let is_cp932 = ["kif", "ki2"].iter().any(|known| extension.eq_ignore_ascii_case(known));
        let (encoding, line_end) =
            if is_cp932 { (Encoding::Cp932, LineEnd::CrLf) } else { (Encoding::Utf8, LineEnd::Lf) };
        GameText { encoding, line_end, unmappable: None }
    }

    /// The bytes of a record, and its losses in the format and the encoding.
    ///
    /// # Errors
    /// [`Unmappable`] if the encoding lacks a character and `unmappable` is `None`.
    pub fn bytes(&self, format: Format, record: &Record) -> Result<(Vec<u8>, Losses), Unmappable> {
        let (text, mut losses) = format.write(record);
        let is_cp932 = self.encoding == Encoding::Cp932;
        let declares = format == Format::Csa3 && is_cp932;
        let text = if declares { text.replacen("encoding=UTF-8", "encoding=SHIFT_JIS", 1) } else { text };
        let mut encoded = encode(&text, self.encoding, self.line_end, self.unmappable)?;
        // A few half-width kana alone may be taken for another encoding.
        if format == Format::Csa
            && is_cp932
            && !encoded.bytes.is_ascii()
            && !matches!(recognize(&encoded.bytes), Ok(Recognized::Cp932(_)))
        {
            let text = format!("'CSA encoding=SHIFT_JIS\n{text}");
            encoded = encode(&text, self.encoding, self.line_end, self.unmappable)?;
        }
        losses.characters += encoded.replaced;
        Ok((encoded.bytes, losses))
    }

    /// The text between two games of a file, if the format holds several.
    pub fn separator(&self, format: Format) -> Option<String> {
        let separator = format.separator()?;
        Some(match self.line_end {
            LineEnd::CrLf => separator.replace('\n', "\r\n"),
            LineEnd::Lf => separator.to_owned(),
        })
    }
}

/// The file name of one game of several: `games-000012.kif` for `games.kif`.
pub fn numbered(path: &Path, format: Format, number: u64) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number:06}."));
    name.push(path.extension().unwrap_or(OsStr::new(format.extensions()[0])));
    path.parent().unwrap_or(Path::new("")).join(name)
}

/// The number of a game of several, by its file name.
pub fn number_of(path: &Path, format: Format, name: &OsStr) -> Option<u64> {
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    let rest = name.as_encoded_bytes().strip_prefix(stem)?.strip_prefix(b"-")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    let number = str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    (number > 0 && numbered(path, format, number).file_name() == Some(name)).then_some(number)
}
