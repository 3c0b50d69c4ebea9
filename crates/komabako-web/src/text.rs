//! Text in any format of positions and games.

use std::borrow::Cow;

use komabako::board::sfen;
use komabako::kifu::encoding::{Decoded, Encoding, Recognized, decode_by_line, recognize};
use komabako::kifu::{KifuError, Opened, ReadOptions, Text};
use komabako::messages::Phrase;
use komabako::record::detect::Foreign;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::game::Game;
use crate::word::{ReadWord, read_hex};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Parse {
    extension: Option<String>,
    /// The lines of the bytes as text in CP932, decoded by the page.
    #[serde(default)]
    cp932: Vec<String>,
    /// The same for EUC-JP.
    #[serde(default)]
    euc_jp: Vec<String>,
    /// The number of games after which reading ends, and of faults that are named.
    limit: Option<usize>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Parsed {
    Position { sfen: String },
    Games { format: &'static str, encoding: &'static str, games: Vec<Game>, faults: Vec<Failure> },
    Words { words: Vec<ReadWord> },
}

/// Reads text, detecting its format by the content.
pub fn parse(request: &Parse, bytes: &[u8]) -> Result<Parsed, Failure> {
    let (decoded, undecoded) = decode(request, bytes)?;
    let text = decoded.text.trim();
    if text.is_empty() {
        return Err(Failure::new("EMPTY", &Phrase::new("there is no text", "文字がありません")));
    }
    if is_hex(text) {
        return Ok(Parsed::Words { words: read_hex(text)? });
    }
    let text = sfen_of_link(text);
    if let Text::Position { sfen, moves: "" } = Text::of(&text) {
        let position = sfen::parse(sfen).map_err(|error| Failure::from(error).at_line(1))?;
        return Ok(Parsed::Position { sfen: position.to_string() });
    }
    // Lines and columns of faults refer to the text as given.
    let is_line = !text.contains(['\n', '\r']);
    let whole = if is_line { Cow::Owned(text.into_owned()) } else { Cow::Borrowed(&*decoded.text) };
    let decoded = Decoded { text: whole, encoding: decoded.encoding };
    let opened = Opened::from_text(decoded, request.extension.as_deref()).map_err(|error| {
        let what = Foreign::from_magic(bytes);
        let error = undecoded.first().cloned().unwrap_or(error);
        what.map_or_else(|| error.into(), |what| Failure::new("UNSUPPORTED", &what.with_advice()))
    })?;
    let opened = opened.with_undecoded(undecoded);
    let mut games = Vec::new();
    let mut faults = Vec::new();
    let limit = request.limit.unwrap_or(usize::MAX);
    for game in opened.games(ReadOptions { keep_comments: true, ..ReadOptions::default() }) {
        match game {
            Ok(game) => games.push(game),
            Err(error) if faults.len() < limit => faults.push(Failure::from(error)),
            Err(_) => {}
        }
        if games.len() >= limit {
            break;
        }
    }
    // A fault loses its own game; without any game the first is the answer.
    if games.is_empty() && !faults.is_empty() {
        return Err(faults.swap_remove(0));
    }
    if let Some(first) = games.first_mut() {
        first.notices.extend(opened.notice);
    }
    let encoding = match opened.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Cp932 => "cp932",
        Encoding::EucJp => "euc-jp",
    };
    let format = opened.format.name();
    let games = games.iter().map(Game::read).collect();
    Ok(Parsed::Games { format, encoding, games, faults })
}

const UNDECODED: Phrase = Phrase::new(
    "the text is not UTF-8: pass its lines in `cp932` and `eucJp`",
    "UTF-8 ではありません。各行の文字を `cp932` と `eucJp` に入れてください",
);

/// The text of a file. CP932 and EUC-JP are decoded with the browser's tables: the failure `UNDECODED` asks the page to
/// decode the bytes and call again.
fn decode<'a>(request: &'a Parse, bytes: &'a [u8]) -> Result<(Decoded<'a>, Vec<KifuError>), Failure> {
    if request.cp932.is_empty() && !matches!(recognize(bytes), Ok(Recognized::Utf8(_))) {
        return Err(Failure::new("UNDECODED", &UNDECODED));
    }
    let mut line = |encoding: Encoding, index, bytes: &[u8]| {
        let lines = if encoding == Encoding::EucJp { &request.euc_jp } else { &request.cp932 };
        let text = lines.get(index).map_or("", String::as_str);
        (Cow::Borrowed(text), invalid_byte(text, encoding, bytes))
    };
    Ok(decode_by_line(bytes, &mut line)?)
}

/// The first byte that was not valid: neither encoding contains U+FFFD, so that it marks them.
fn invalid_byte(text: &str, encoding: Encoding, bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for character in text.chars() {
        if character == char::REPLACEMENT_CHARACTER {
            return Some(at);
        }
        at += match (encoding, bytes.get(at)) {
            (_, Some(..=0x80)) | (Encoding::Cp932, Some(0xa1..=0xdf)) => 1,
            (Encoding::EucJp, Some(0x8f)) => 3,
            _ => 2,
        };
    }
    None
}

/// Whether the text consists only of the hex digits of a word or a record.
fn is_hex(text: &str) -> bool {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    digits.len() > 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The SFEN in a link to lishogi's editor or analysis board, or the text itself.
fn sfen_of_link(text: &str) -> Cow<'_, str> {
    if !text.starts_with("https://") {
        return text.into();
    }
    let path = text.split(['?', '#']).next().unwrap_or(text);
    let found = ["/editor/", "/analysis/"].iter().find_map(|marker| path.split_once(marker));
    let Some((_, rest)) = found else { return text.into() };
    // The name of the variant may precede the board.
    let rest = rest.strip_prefix("standard/").unwrap_or(rest);
    percent_decoded(rest).replace('_', " ").into()
}

/// Text with escapes such as `%2B` decoded; invalid escapes are kept.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = if first == b'%' { after.get(..2) } else { None };
        let value = escape
            .and_then(|digits| str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
