//! [`open`]: the text and the format of a file of game records.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::encoding::{Decoded, Encoding};
use crate::error::{KifuError, Notice};
use crate::format::Format;
use crate::games::{Game, Games, ReadOptions, file_notice, unknown};

/// A file of game records: its text, and what is known of the whole. [`Opened::games`] reads the games.
#[derive(Clone, Debug)]
pub struct Opened<'a> {
    text: Cow<'a, str>,
    /// The format, by the content.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
    /// The tolerated deviation of the file as a whole, if there is one.
    pub notice: Option<Notice>,
}

impl<'a> Opened<'a> {
    /// As [`open`], of text that is decoded already.
    ///
    /// # Errors
    /// [`KifuError`]: the text is not of a known format.
    pub fn from_text(decoded: Decoded<'a>, extension: Option<&str>) -> Result<Self, KifuError> {
        let format = Format::detect(&decoded.text).ok_or_else(|| unknown(&decoded.text))?;
        let notice = file_notice(format, &decoded, extension);
        let Decoded { text, encoding } = decoded;
        Ok(Opened { text, format, encoding, notice })
    }

    /// A later part of a file that is read in parts (see [`Games::place`]) and whose format its start has shown.
    ///
    /// # Errors
    /// [`KifuError`]: the bytes are not text. Its place is that in the part.
    #[cfg(feature = "cp932")]
    pub fn part(bytes: &'a [u8], format: Format) -> Result<Self, KifuError> {
        let Decoded { text, encoding } = crate::encoding::decode(bytes)?;
        Ok(Opened { text, format, encoding, notice: None })
    }

    /// The text, in which faults have their place.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The games, each with its notices or its fault.
    pub fn games(&self, options: ReadOptions) -> Games<'_> {
        Games::new(&self.text, self.format, options)
    }
}

/// Opens a file of game records: finds its encoding and its format by the content. `extension` is the extension of its
/// name, if it has one: if it belongs to another format, this is a notice.
///
/// # Errors
/// [`KifuError`]: the bytes are not text, or not of a known format. The fault of one game is an item of
/// [`Opened::games`], which continues with the next one.
///
/// ```
/// use komabako_kifu::ReadOptions;
/// let bytes = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+7775FU\n/\nPI\n-\n-3334FU\n".as_bytes();
/// let opened = komabako_kifu::open(bytes, Some("kif"))?;
/// assert_eq!(opened.notice.as_ref().unwrap().to_string(), "the content is csa in UTF-8, contrary to the file's name");
/// let games: Vec<_> = opened.games(ReadOptions::default()).collect();
/// assert!(games[0].is_ok() && games[1].is_err() && games[2].is_ok());
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
#[cfg(feature = "cp932")]
pub fn open<'a>(bytes: &'a [u8], extension: Option<&str>) -> Result<Opened<'a>, KifuError> {
    Opened::from_text(crate::encoding::decode(bytes)?, extension)
}

/// Reads all records of a file, as [`open`] and [`Opened::games`] do. A notice about the file is added to the first one.
///
/// # Errors
/// [`KifuError`]: the bytes are not text, or not of a known format; or the first fault of a record.
///
/// ```
/// let games = komabako_kifu::read("V2.2\nPI\n+\n+7776FU\n%TORYO\n".as_bytes(), Some("csa"))?;
/// assert_eq!(games[0].record.main_line().count(), 2);
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
#[cfg(feature = "cp932")]
pub fn read(bytes: &[u8], extension: Option<&str>) -> Result<Vec<Game>, KifuError> {
    let opened = open(bytes, extension)?;
    let mut games: Vec<Game> = opened.games(ReadOptions::default()).collect::<Result<_, _>>()?;
    if let Some(first) = games.first_mut() {
        first.notices.extend(opened.notice);
    }
    Ok(games)
}
