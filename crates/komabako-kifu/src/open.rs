//! [`open`]: the text and the format of a file of game records.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::encoding::{Decoded, Encoding};
use crate::error::{KifuError, Notice};
use crate::format::Format;
#[cfg(feature = "cp932")]
use crate::games::Game;
use crate::games::{Games, ReadOptions, file_notice, unknown};

/// A file of game records: its text, and what is known of the whole. [`Opened::games`] reads the games.
#[derive(Clone, Debug)]
pub struct Opened<'a> {
    text: Cow<'a, str>,
    /// The format, by the content; of a header without moves, by the name.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
    /// The tolerated deviation of the file as a whole, if there is one.
    pub notice: Option<Notice>,
    /// The faults of bytes that could not be decoded, by line.
    undecoded: Vec<KifuError>,
}

impl<'a> Opened<'a> {
    /// As [`open`], of text that is decoded already.
    ///
    /// # Errors
    /// [`KifuError`]: the text is not of a known format.
    pub fn from_text(decoded: Decoded<'a>, extension: Option<&str>) -> Result<Self, KifuError> {
        let format = Format::detect_named(&decoded.text, extension).ok_or_else(|| unknown(&decoded.text))?;
        let notice = file_notice(format, &decoded, extension);
        let Decoded { text, encoding } = decoded;
        Ok(Opened { text, format, encoding, notice, undecoded: Vec::new() })
    }

    /// A later part of a file that is read in parts (see [`Games::place`]) and whose format its start has shown.
    ///
    /// # Errors
    /// [`KifuError`]: the bytes are not text. Its place is that in the part.
    #[cfg(feature = "cp932")]
    pub fn part(bytes: &'a [u8], format: Format) -> Result<Self, KifuError> {
        let (Decoded { text, encoding }, undecoded) = decode(bytes)?;
        Ok(Opened { text, format, encoding, notice: None, undecoded })
    }

    /// The same with the faults of bytes that the caller could not decode, one a line, in order: the games in which they are
    /// cannot be read.
    pub fn with_undecoded(self, undecoded: Vec<KifuError>) -> Self {
        Opened { undecoded, ..self }
    }

    /// The text, in which faults have their place.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The games, each with its notices or its fault.
    pub fn games(&self, options: ReadOptions) -> Games<'_> {
        Games::new(&self.text, self.format, options).with_undecoded(&self.undecoded)
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
    let (decoded, undecoded) = decode(bytes)?;
    match Opened::from_text(decoded, extension) {
        Ok(opened) => Ok(opened.with_undecoded(undecoded)),
        // Bytes that are no text are of no format either.
        Err(error) => Err(undecoded.into_iter().next().unwrap_or(error)),
    }
}

/// Decodes bytes. Those that are invalid are faults of the games that they are in.
#[cfg(feature = "cp932")]
fn decode(bytes: &[u8]) -> Result<(Decoded<'_>, Vec<KifuError>), KifuError> {
    match crate::encoding::decode(bytes) {
        Ok(decoded) => Ok((decoded, Vec::new())),
        Err(_) => crate::encoding::decode_lossy(bytes),
    }
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

#[cfg(all(test, feature = "cp932"))]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::encoding::{Encoding, LineEnd, encode};

    #[test]
    fn bytes_that_cannot_be_decoded_are_a_fault_of_their_game() {
        let csa = "V2.2\nN+先手\nPI\n+\n+7776FU\n'*コメント\n%TORYO\n/\n".repeat(3);
        let kif = "手合割：平手\n先手：A\n   1 ７六歩(77)\n*あいう\n   2 投了\n\n".repeat(3);
        for (text, line) in [(&csa, 14), (&kif, 10)] {
            for encoding in [Encoding::Utf8, Encoding::Cp932] {
                for line_end in [LineEnd::Lf, LineEnd::CrLf] {
                    let mut bytes = encode(text, encoding, line_end, None).unwrap().bytes;
                    let starts: Vec<_> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
                    // The last byte of the comment.
                    let at = starts[line - 1] - if line_end == LineEnd::CrLf { 2 } else { 1 };
                    bytes[at] = 0xff;
                    let opened = open(&bytes, None).unwrap();
                    assert_eq!(opened.encoding, encoding);
                    let games: Vec<_> = opened.games(ReadOptions::default()).collect();
                    assert_eq!(games.len(), 3);
                    assert!(games[0].is_ok() && games[2].is_ok());
                    let error = games[1].as_ref().unwrap_err();
                    assert_eq!((error.game, error.line), (Some(2), line as u32), "{error}");
                    assert_eq!(error.fault.name(), "ENCODING");
                    assert!((at - 3..=at).contains(&error.byte), "{error}, {at}");
                }
            }
        }
        assert!(open(b"\xff\xfeV\0", None).unwrap_err().to_string().contains("UTF-16"));
        let error = open(b"V2.2\nN+\x1b$B@h<j\x1b(B\nPI\n+\n", None).unwrap_err();
        assert_eq!((error.line, error.byte), (2, 7));
        assert!(error.to_string().contains("in ISO-2022-JP"), "{error}");
        assert_eq!(open(b"\xff\x80\x00\x01", None).unwrap_err().fault.name(), "ENCODING");
    }

    #[test]
    fn header_without_moves_is_of_the_format_of_its_name() {
        let text = "手合割：詰将棋\n先手の持駒：金\n".as_bytes();
        for (extension, format) in
            [(None, Format::Kif), (Some("kif"), Format::Kif), (Some("KI2"), Format::Ki2)]
        {
            let opened = open(text, extension).unwrap();
            assert_eq!((opened.format, opened.notice), (format, None), "{extension:?}");
        }
        let with_moves = "手合割：平手\n   1 ７六歩(77)\n".as_bytes();
        assert_eq!(open(with_moves, Some("ki2")).unwrap().format, Format::Kif);
    }

    #[test]
    fn games_of_several_encodings_in_a_file_keep_their_names() {
        let game = |name: &str| alloc::format!("V2.2\nN+{name}\nPI\n+\n+7776FU\n%TORYO\n/\n");
        let bytes = |name: &str, encoding| match encoding {
            Encoding::EucJp => encoding_rs::EUC_JP.encode(&game(name)).0.into_owned(),
            _ => encode(&game(name), encoding, LineEnd::Lf, None).unwrap().bytes,
        };
        let names = |file: &[u8]| {
            let opened = open(file, None).unwrap();
            let name = |game: Result<Game, KifuError>| {
                game.map(|game| game.record.player(komabako_board::Color::Black).unwrap().to_string())
                    .map_err(|error| error.fault.name())
            };
            opened.games(ReadOptions::default()).map(name).collect::<Vec<_>>()
        };
        for name in ["山田", "花田", "佐藤 康光", "ツツカナ", "羽生 NN", "☗先手"] {
            for other in [Encoding::Cp932, Encoding::EucJp] {
                let [one, two] = [bytes(name, Encoding::Utf8), bytes("鈴木 大介", other)];
                let expected = [Ok(name.to_string()), Ok("鈴木 大介".to_string())];
                assert_eq!(names(&[&one[..], &two].concat()), expected);
                let expected = [Ok("鈴木 大介".to_string()), Ok(name.to_string())];
                assert_eq!(names(&[&two[..], &one].concat()), expected);
            }
        }
        // Lines of the one encoding are as lines of the other, but for what is around them.
        for comment in
            ["※好手", "…", "♪いい手", "→２六歩", "①", "“x”", "😀", "é", "é Ж", "A…B", "─", "\u{feff}x"]
        {
            let one = alloc::format!(
                "{}'*{comment}\n'CSA encoding=UTF-8\nN+花田\n'*{comment}\n%TORYO\n/\n",
                game("山田")
            );
            for other in [Encoding::Cp932, Encoding::EucJp] {
                let two = bytes("鈴木 大介", other);
                for file in [[one.as_bytes(), &two].concat(), [&two, one.as_bytes()].concat()] {
                    let opened = open(&file, None).unwrap();
                    let text = opened.text();
                    assert_eq!(
                        text.matches(&alloc::format!("'*{comment}\n")).count(),
                        2,
                        "{comment}: {text}"
                    );
                    assert!(text.contains("N+鈴木 大介\n"), "{text}");
                }
            }
        }
        // Half-width kana that are characters of UTF-8, too.
        let kana =
            [&b"N+\xc3\xa9\nN-\x97\xe9\x96\xd8\nPI\n+\n/\n"[..], &bytes("山田", Encoding::Utf8)].concat();
        assert!(open(&kana, None).unwrap().text().starts_with("N+ﾃｩ\nN-鈴木\n"));
        // A cut character is a fault of its game alone.
        let cut = game("山田").replace("山田", "山\u{0}");
        let mut file = [game("花田"), cut, game("佐藤")].concat().into_bytes();
        let at = file.iter().position(|&byte| byte == 0).unwrap();
        file.splice(at..=at, *b"\xe7\x94");
        assert_eq!(names(&file), [Ok("花田".to_string()), Err("ENCODING"), Ok("佐藤".to_string())]);
        // The first line of a game declares the encoding of the file, not of the games after it.
        let one = [b"'CSA encoding=SHIFT_JIS\n", &bytes("花田", Encoding::Cp932)[..]].concat();
        let two = [b"'CSA encoding=UTF-8\n", &bytes("山田", Encoding::Utf8)[..]].concat();
        assert_eq!(names(&[one, two].concat()), [Ok("花田".to_string()), Ok("山田".to_string())]);
    }
}
