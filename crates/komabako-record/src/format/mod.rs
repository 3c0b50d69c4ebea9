//! [`FileFormat`]: the file formats, their fields, and the losses of conversions.
//!
#![doc = include_str!("../../FORMATS.md")]

pub(crate) mod binary;
mod field;
mod loss;
pub(crate) mod single;
pub mod spec;
mod table;

pub use field::Field;
pub use loss::{Loss, LossKind, losses};
pub use single::{packed_word, read_packed};
pub use table::FileFormat;
pub(crate) use table::Shape;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use komabako_messages::Phrase;
use komabako_variants::WordFormat;

use crate::move16::MoveEncoding;
use crate::text::Text;

impl FileFormat {
    /// The name of the format in options and reports.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// A one-line description of the format.
    pub const fn description(self) -> Phrase {
        self.row().description
    }

    /// The extensions of the format's files, without dots; the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// The format whose files have an extension, given without a dot; case is ignored.
    ///
    /// ```
    /// use komabako_record::FileFormat;
    /// assert_eq!(FileFormat::from_extension("BIN"), Some(FileFormat::Psv));
    /// assert_eq!(FileFormat::from_extension("zst"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<FileFormat> {
        let has = |format: &FileFormat| {
            format.extensions().iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        FileFormat::ALL.iter().copied().find(has)
    }

    /// Whether files of the format can be written; every format can be read. Formats that [hold
    /// games](FileFormat::holds_games) are written with [`games`](crate::games), from records in game order.
    pub const fn can_write(self) -> bool {
        self.row().strict.is_none()
    }

    /// Whether files of the format consist of games, whose positions are the records.
    pub const fn holds_games(self) -> bool {
        matches!(self.shape(), Shape::Games)
    }

    /// The size of a record in bytes, or `None` if records differ in size.
    pub const fn record_size(self) -> Option<usize> {
        match self.shape() {
            Shape::Packed(packed) => Some(packed.size),
            Shape::Text(_) | Shape::Games => None,
        }
    }

    /// The strict counterpart of a lenient format, for example PSV for `psv-lenient`; otherwise the format itself.
    pub const fn strict(self) -> FileFormat {
        match self.row().strict {
            Some(format) => format,
            None => self,
        }
    }

    /// The bytes after each record in a file: a line end for text, otherwise nothing.
    pub const fn record_end(self) -> &'static [u8] {
        if self.is_text() { b"\n" } else { b"" }
    }

    /// The header line of a file, with its line end; empty if files of the format start with a record.
    pub const fn header(self) -> &'static [u8] {
        match self.shape() {
            Shape::Text(text) => text.header.as_bytes(),
            Shape::Packed(_) | Shape::Games => b"",
        }
    }

    /// The maximum size in bytes of a written record, including its line end; `None` for games, whose length is not
    /// limited.
    pub const fn longest_record(self) -> Option<usize> {
        match self.shape() {
            Shape::Packed(packed) => Some(packed.size),
            Shape::Text(text) => Some(text.longest),
            Shape::Games => None,
        }
    }

    /// Whether the format writes an unknown field as unknown rather than as 0.
    pub const fn has_unknown(self) -> bool {
        matches!(self.shape(), Shape::Text(Text { has_unknown: true, .. }))
    }

    /// The formats in the order in which detection prefers them if several fit.
    pub fn by_preference() -> Vec<FileFormat> {
        // A sort would be compiled for this type alone: 5 kB of the module for browsers.
        let mut formats: Vec<FileFormat> = Vec::new();
        for &format in FileFormat::ALL {
            let preference = format.row().preference;
            let place = formats.partition_point(|other| other.row().preference < preference);
            formats.insert(place, format);
        }
        formats
    }

    /// Whether files of the format are text.
    pub const fn is_text(self) -> bool {
        matches!(self.shape(), Shape::Text(_))
    }

    /// The codec of the format's positions, or `None` for text.
    pub const fn codec(self) -> Option<WordFormat> {
        match self.shape() {
            Shape::Packed(packed) => Some(packed.codec),
            Shape::Games => Some(WordFormat::Hcp),
            Shape::Text(_) => None,
        }
    }

    /// The format's encoding of moves in 16 bits; `None` if it has none.
    pub const fn move_encoding(self) -> Option<MoveEncoding> {
        self.row().moves
    }

    /// Whether the format holds a field.
    pub const fn holds(self, field: Field) -> bool {
        let mut held = self.row().holds;
        while let [first, rest @ ..] = held {
            if *first as u8 == field as u8 {
                return true;
            }
            held = rest;
        }
        false
    }

    /// The kind of layout of the format's records.
    pub(crate) const fn shape(self) -> Shape {
        self.row().shape
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

komabako_messages::untranslated!(FileFormat);

/// A name that no format has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown format `{}`; known formats:", self.0)?;
        FileFormat::ALL.iter().try_for_each(|format| write!(f, " {format}"))
    }
}

impl core::error::Error for UnknownFormat {}

impl FromStr for FileFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<FileFormat, UnknownFormat> {
        FileFormat::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn documentation_has_a_row_for_every_format() {
        let code = |text: &str| format!("`{text}`");
        let rows = FileFormat::ALL.iter().map(|&format| {
            let extensions: Vec<_> =
                format.extensions().iter().map(|extension| code(&format!(".{extension}"))).collect();
            let held: Vec<_> = Field::ALL
                .iter()
                .filter(|&&field| format.holds(field))
                .map(|field| code(field.name()))
                .collect();
            format!(
                "| {} | {} | {} | {} | {} |\n",
                code(format.name()),
                if extensions.is_empty() { "none".to_owned() } else { extensions.join(" ") },
                format.record_size().map_or("varies".to_owned(), |size| size.to_string()),
                if format.can_write() { "both" } else { "read" },
                if held.is_empty() { "nothing but complete positions".to_owned() } else { held.join(", ") },
            )
        });
        let rows: Vec<String> = rows.collect();
        assert!(include_str!("../../FORMATS.md").contains(&rows.concat()), "{}", rows.concat());
    }

    #[test]
    fn names_and_extensions_are_unique_and_found() {
        for &format in FileFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            for extension in format.extensions() {
                assert_eq!(FileFormat::from_extension(extension), Some(format));
                assert_eq!(FileFormat::from_extension(&extension.to_uppercase()), Some(format));
            }
        }
        let mut preferences: Vec<u8> = FileFormat::ALL.iter().map(|format| format.row().preference).collect();
        preferences.sort_unstable();
        assert!(
            preferences.is_sorted_by(|one, next| one < next),
            "two formats have the same preference: {preferences:?}"
        );
        assert!("psv2".parse::<FileFormat>().unwrap_err().to_string().contains("psv-lenient"));
    }
}
