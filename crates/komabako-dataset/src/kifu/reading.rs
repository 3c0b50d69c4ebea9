//! [`GameFile`]: reads the games of a file of any size, one at a time.

use core::ops::ControlFlow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use komabako_kifu::{Fault, Format, Game, KifuError, MAX_BYTES, Notice, Opened, Place, ReadOptions};
use serde::de::IgnoredAny;

use super::archive::{ArchiveFault, Member};
use super::bad_games::{BadGameFault, is_system_error};
use super::source::{PassedBy, is_packed};
use crate::Name;
use crate::io::error::Foreign;
use crate::io::input::{Stamp, Waiting, Watch};
use crate::{Compression, DatasetError};

/// A file of game records, or a member of an archive, not read yet.
pub struct GameFile {
    /// Its name: a path, or `ARCHIVE!MEMBER`.
    pub name: Name,
    /// The extension of its name, before that of a compression.
    extension: Option<String>,
    /// Whether a search found it, or it is a member of an archive: the user did not name it.
    is_found: bool,
    content: Content,
}

enum Content {
    Path(PathBuf),
    /// A pipe or a device, which may keep its reader waiting.
    Waiting(PathBuf),
    Member(Box<Member>),
    /// A member that was unpacked with others, and its size.
    Unpacked(Box<dyn Read + Send>, u64),
    Stream(Box<dyn Read + Send>),
    /// It cannot be read.
    Unread(io::Error),
    /// No file: what a search passed by.
    PassedBy(PassedBy),
}

/// A game, a fault or a notice of a file of game records, in its order.
pub enum Found {
    /// The number of bytes that were read since the last one.
    Bytes(u64),
    /// A tolerated deviation of the file as a whole.
    Notice(Notice),
    /// What is not read.
    PassedBy(PassedBy),
    /// A game.
    Game {
        /// The format of the file.
        format: Format,
        /// The game, with its notices.
        game: Box<Game>,
        /// Its number in the file, from 1, if the file has several games.
        number: Option<u32>,
    },
    /// A game, or the file, is bad: it is left out. The next games follow.
    Bad(BadGameFault),
    /// The system cannot read the file, it changed while it was read, or the user wants to stop: this says nothing about its
    /// games.
    Failed(DatasetError),
}

impl Found {
    /// A bad game, or the end of reading if the file cannot be opened.
    fn of_error(name: &str, error: io::Error) -> Self {
        Found::of_error_as(|error| DatasetError::Open(name.into(), error), error)
    }

    /// A bad game, or the end of reading if the system failed; `failed` makes the error of that.
    fn of_error_as(failed: impl FnOnce(io::Error) -> DatasetError, error: io::Error) -> Self {
        if !is_system_error(&error) {
            return Found::Bad(error.into());
        }
        Found::Failed(error.downcast().unwrap_or_else(failed))
    }
}

/// The limits of what is read.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The most bytes of a file that are in memory: of a larger file one part after the other is read, and this is the limit
    /// of a single game.
    pub part: usize,
    /// The size in bytes up to which anything may be unpacked, whatever its packed size.
    pub unpacked: u64,
    /// The size in bytes of an archive's directory.
    pub directory: u64,
    /// The memory in bytes that unpacking an archive may take.
    pub memory: u64,
}

impl Limits {
    /// The limits for users.
    pub const USUAL: Limits =
        Limits { part: MAX_BYTES, unpacked: 1 << 30, directory: 64 << 20, memory: 1 << 30 };
    /// The ratio to its packed size to which anything may be unpacked. Games are packed to a tenth or so.
    const RATIO: u64 = 100;

    /// The most bytes to which a file of `packed` bytes may be unpacked.
    fn most_unpacked(&self, packed: u64) -> u64 {
        packed.saturating_mul(Self::RATIO).max(self.unpacked)
    }

    /// The most bytes to which a member of an archive may be unpacked once more: there may be very many of them.
    fn most_of_member(size: u64) -> u64 {
        size.saturating_mul(Self::RATIO).max(1 << 20)
    }

    /// Checks the size to which a file of `packed` bytes is to be unpacked.
    pub fn check_unpacked(&self, packed: u64, unpacked: u64) -> io::Result<()> {
        let limit = self.most_unpacked(packed);
        if unpacked > limit { Err(ArchiveFault::Unpacked { limit }.into()) } else { Ok(()) }
    }
}

/// More than most games take.
const USUAL_BYTES: usize = 1 << 13;

impl GameFile {
    /// A stream, such as standard input; `name` is its name in messages.
    pub fn from_reader(name: String, content: impl Read + Send + 'static) -> Self {
        GameFile {
            name: Name::Stream(name.into()),
            extension: None,
            is_found: false,
            content: Content::Stream(Box::new(content)),
        }
    }

    pub(super) fn from_path(path: PathBuf, extension: Option<String>, is_stream: bool) -> Self {
        let name = Name::from(&path);
        let content = if is_stream { Content::Waiting(path) } else { Content::Path(path) };
        GameFile { name, extension, is_found: false, content }
    }

    /// The same of a file that the user did not name.
    pub(super) fn found(self) -> Self {
        GameFile { is_found: true, ..self }
    }

    pub(super) fn member(name: impl Into<Name>, extension: Option<String>, member: Member) -> Self {
        let content = Content::Member(Box::new(member));
        GameFile { name: name.into(), extension, is_found: true, content }
    }

    pub(super) fn unpacked(
        name: impl Into<Name>,
        extension: Option<String>,
        content: Box<dyn Read + Send>,
        size: u64,
    ) -> Self {
        let content = Content::Unpacked(content, size);
        GameFile { name: name.into(), extension, is_found: true, content }
    }

    pub(super) fn unread(name: impl Into<Name>, error: io::Error) -> Self {
        GameFile { name: name.into(), extension: None, is_found: true, content: Content::Unread(error) }
    }

    pub(super) fn passed_by(name: impl Into<Name>, what: PassedBy) -> Self {
        GameFile { name: name.into(), extension: None, is_found: true, content: Content::PassedBy(what) }
    }

    /// Whether it is a file that is read, rather than one that a search passes by.
    pub fn is_read(&self) -> bool {
        !matches!(self.content, Content::PassedBy(_))
    }

    /// Its size in bytes; for a compressed file, the size on disk.
    pub(super) fn size(&self) -> u64 {
        match &self.content {
            Content::Path(path) => fs::metadata(path).map_or(0, |known| known.len()),
            Content::Member(member) => member.size(),
            Content::Unpacked(_, size) => *size,
            Content::Waiting(_) | Content::Stream(_) | Content::Unread(_) | Content::PassedBy(_) => 0,
        }
    }

    /// Reads it, and passes what is found, until `each` breaks. Only part of a large file is in memory at a time.
    pub fn read<B>(self, options: ReadOptions, each: impl FnMut(Found) -> ControlFlow<B>) -> ControlFlow<B> {
        self.read_within(&Limits::USUAL, options, each)
    }

    pub(super) fn read_within<B>(
        self,
        limits: &Limits,
        options: ReadOptions,
        mut each: impl FnMut(Found) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let extension = self.extension.as_deref();
        let name = &*self.name;
        let may_be_other = self.is_found && extension == Some("json");
        let mut read = |content: io::Result<&mut (dyn Read + Send)>, most_unpacked: &dyn Fn() -> u64| {
            let format = None;
            let before = Place::default();
            let mut parts =
                Parts { limits, name, extension, may_be_other, options, format, before, offset: 0, end: 0 };
            let content = match content {
                Ok(content) => content,
                Err(error) => return each(Found::of_error(name, error)),
            };
            parts.read(content, most_unpacked, &mut each).unwrap_or_else(|error| {
                let failed =
                    |error| DatasetError::Read { input: name.into(), offset: parts.end as u64, error };
                each(Found::of_error_as(failed, error))
            })
        };
        match self.content {
            Content::Path(path) => match watch(&path) {
                Ok(watch) => {
                    let size = watch.stamp().bytes;
                    // A file of the system (`/proc`) may have content although its size is 0. The limit saves a call that would
                    // find the end, and counts the bytes that were read.
                    let limit = if size == 0 { u64::MAX } else { size };
                    let mut content = watch.file().take(limit);
                    read(Ok(&mut content), &|| limits.most_unpacked(size))?;
                    let checked = watch.check_read(limit - content.limit());
                    checked.map_or_else(|error| each(Found::Failed(error)), ControlFlow::Continue)
                }
                Err(error) => read(Err(error), &|| 0),
            },
            Content::Waiting(path) => match Waiting::open(&path) {
                Ok(mut stream) => read(Ok(&mut stream), &|| u64::MAX),
                Err(error) => read(Err(error), &|| 0),
            },
            Content::Member(member) => {
                let most = || Limits::most_of_member(member.size());
                member.open(|content| read(content, &most))?;
                member.check().map_or_else(|error| each(Found::of_error(name, error)), ControlFlow::Continue)
            }
            Content::Unpacked(mut content, size) => read(Ok(&mut *content), &|| Limits::most_of_member(size)),
            Content::Stream(mut stream) => read(Ok(&mut *stream), &|| u64::MAX),
            Content::Unread(error) => read(Err(error), &|| 0),
            Content::PassedBy(what) => each(Found::PassedBy(what)),
        }
    }
}

/// Opens a file that must not change until it is read.
fn watch(path: &Path) -> io::Result<Watch> {
    let file = File::open(path)?;
    let stamp = Stamp::new(&file.metadata()?);
    Ok(Watch::new(path, file, stamp))
}

/// The reading of a file in parts.
struct Parts<'o> {
    limits: &'o Limits,
    name: &'o str,
    extension: Option<&'o str>,
    /// Whether it may be JSON of another kind than a game.
    may_be_other: bool,
    options: ReadOptions,
    /// The format, once the first part has shown it.
    format: Option<Format>,
    /// The place of the part in the file.
    before: Place,
    /// The same in bytes of the file.
    offset: usize,
    /// The bytes of the file that were read.
    end: usize,
}

impl Parts<'_> {
    /// Reads all parts, each from the last game of the one before on, which may have been incomplete. Content that starts like
    /// a compressed stream is decompressed.
    fn read<B>(
        &mut self,
        content: &mut (dyn Read + Send),
        most_unpacked: &dyn Fn() -> u64,
        each: &mut dyn FnMut(Found) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        let mut bytes = Vec::with_capacity(USUAL_BYTES);
        // A usual file is read completely here, with one call and another that finds its end: opening and reading files is a
        // tenth of the time of converting games.
        let read = content.take(USUAL_BYTES as u64).read_to_end(&mut bytes);
        self.end = bytes.len();
        let is_whole = read? < USUAL_BYTES;
        let mut rest: Box<dyn Read + Send + '_> = match Compression::from_magic(&bytes) {
            Compression::None if is_whole => Box::new(io::empty()),
            // A decoder has its own buffer, which costs more than reading a game.
            Compression::None => Box::new(content),
            compression => {
                let start = io::Cursor::new(core::mem::take(&mut bytes));
                let limit = most_unpacked();
                Box::new(Unpacked { content: compression.decoder(start.chain(content))?, read: 0, limit })
            }
        };
        loop {
            // One more byte than may be in memory shows that there are more.
            let most = self.limits.part + 1;
            if bytes.len() < most {
                let read = rest.by_ref().take((most - bytes.len()) as u64).read_to_end(&mut bytes);
                self.end = self.offset + bytes.len();
                read?;
            }
            let is_last = bytes.len() < most;
            if is_last && bytes.is_empty() && self.format.is_some() {
                return Ok(ControlFlow::Continue(()));
            }
            let used = match self.read_part(&bytes, is_last, each) {
                ControlFlow::Continue(Some(used)) if !is_last => used,
                ControlFlow::Continue(_) => return Ok(ControlFlow::Continue(())),
                ControlFlow::Break(stop) => return Ok(ControlFlow::Break(stop)),
            };
            // Of a large file the rest is about one game, which costs little to move.
            bytes.drain(..used);
        }
    }

    /// Reads the games of a part, and returns the number of bytes up to where the next part begins; `None` if nothing more of
    /// the file can be read.
    fn read_part<B>(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        each: &mut dyn FnMut(Found) -> ControlFlow<B>,
    ) -> ControlFlow<B, Option<usize>> {
        let end = if is_last { bytes.len() } else { end_of_lines(&bytes[..self.limits.part]) };
        if end == 0 && !is_last {
            each(Found::Bad(BadGameFault::Kifu(self.too_large())))?;
            return ControlFlow::Continue(None);
        }
        let opened = match self.open(&bytes[..end]) {
            Ok(opened) => opened,
            Err(fault) => {
                each(Found::Bytes(end as u64))?;
                each(self.bad(fault, bytes))?;
                // The games of this part are lost; those of the next ones can be read if the format is known.
                self.before.lines =
                    self.before.lines.saturating_add(line_starts(&bytes[..end]).count() as u32);
                self.offset += end;
                return ControlFlow::Continue(self.format.map(|_| end));
            }
        };
        let format = opened.format;
        self.format = Some(format);
        if let Some(notice) = &opened.notice {
            each(Found::Notice(notice.clone()))?;
        }
        let mut games = opened.games(self.options).after(self.before);
        // The last game of a part may be incomplete, so the one that was read last is held back. It also shows whether the
        // file has several.
        let mut held: Option<(Result<Box<Game>, KifuError>, Place)> = None;
        let found = |game: Result<Box<Game>, KifuError>, is_only: bool| match game {
            Ok(game) => {
                let number = if is_only { None } else { Some(game.number) };
                Found::Game { format, game, number }
            }
            Err(error) => self.bad(BadGameFault::Kifu(error), bytes),
        };
        let mut place = games.place();
        while let Some(game) = games.next() {
            if let Some((game, _)) = held.replace((game.map(Box::new), place)) {
                each(found(game, false))?;
            }
            place = games.place();
        }
        if is_last {
            each(Found::Bytes(bytes.len() as u64))?;
            if let Some((game, place)) = held {
                each(found(game, place.games == 0))?;
            }
            return ControlFlow::Continue(None);
        }
        let (next, used) = match held {
            Some((_, place)) if place == self.before => {
                let error = self.too_large();
                each(Found::Bad(BadGameFault::Kifu(error)))?;
                return ControlFlow::Continue(None);
            }
            Some((_, place)) => (place, start_of_line(&bytes[..end], place.lines - self.before.lines)),
            None => {
                let lines = self.before.lines.saturating_add(line_starts(&bytes[..end]).count() as u32);
                (Place { lines, bytes: self.before.bytes + opened.text().len(), ..self.before }, end)
            }
        };
        self.before = next;
        self.offset += used;
        each(Found::Bytes(used as u64))?;
        ControlFlow::Continue(Some(used))
    }

    /// Opens a part, or names the fault, with its place in the file.
    fn open<'b>(&self, bytes: &'b [u8]) -> Result<Opened<'b>, BadGameFault> {
        if let Some(format) = self.format {
            return Opened::part(bytes, format).map_err(|error| {
                let line = error.line.saturating_add(self.before.lines);
                BadGameFault::Kifu(KifuError { line, byte: error.byte + self.offset, ..error })
            });
        }
        if let Some(what) = Foreign::from_magic(bytes) {
            return Err(BadGameFault::Foreign(what));
        }
        if is_tar(bytes) {
            return Err(BadGameFault::Archive(ArchiveFault::Packed));
        }
        komabako_kifu::open(bytes, self.extension).map_err(|error| {
            if is_packed(Path::new(self.name)) {
                BadGameFault::Archive(ArchiveFault::Packed)
            } else {
                BadGameFault::Kifu(error)
            }
        })
    }

    /// What a fault of a content means.
    fn bad(&self, fault: BadGameFault, bytes: &[u8]) -> Found {
        if self.may_be_other && is_other_json(bytes) {
            return Found::PassedBy(PassedBy::OtherJson);
        }
        match Foreign::from_text(bytes) {
            Some(what) if !what.is_game_record() => Found::Bad(BadGameFault::Foreign(what)),
            _ => Found::Bad(fault),
        }
    }

    /// The fault of a game that is too large to be in memory.
    fn too_large(&self) -> KifuError {
        let Place { games, lines, bytes } = self.before;
        let game = (games > 0).then_some(games + 1);
        let line = lines.saturating_add(1);
        KifuError { game, line, column: 1, byte: bytes, fault: Fault::Limit, text: String::new() }
    }
}

/// Whether content is JSON without the member of JKF that holds the moves.
fn is_other_json(bytes: &[u8]) -> bool {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return false;
    }
    match serde_json::from_slice::<HashMap<String, IgnoredAny>>(bytes) {
        Ok(members) => !members.contains_key("moves"),
        // Of what is damaged or not an object, the name alone is a sign of a game.
        Err(_) => !bytes.windows(7).any(|name| name == b"\"moves\""),
    }
}

/// Whether content is a tar archive, in whose text a game might be found.
fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar") && bytes[..257].contains(&0)
}

/// The end of the last whole line.
fn end_of_lines(bytes: &[u8]) -> usize {
    let last = |end: u8| bytes.iter().rposition(|&byte| byte == end).map(|at| at + 1);
    last(b'\n').or_else(|| last(b'\r')).unwrap_or(0)
}

/// The start of each line but the first; lines end in LF, CRLF or CR.
fn line_starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let end = |at: usize| match bytes[at..] {
        [b'\r', b'\n', ..] => at + 2,
        _ => at + 1,
    };
    let mut at = 0;
    core::iter::from_fn(move || {
        at = end(at + bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'))?);
        Some(at)
    })
}

/// The start of the line after the first `lines`.
fn start_of_line(bytes: &[u8], lines: u32) -> usize {
    match lines.checked_sub(1) {
        Some(index) => line_starts(bytes).nth(index as usize).unwrap_or(bytes.len()),
        None => 0,
    }
}

/// Content that is unpacked, up to a limit.
struct Unpacked<R> {
    content: R,
    read: u64,
    limit: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.read += read as u64;
        if self.read > self.limit {
            Err(ArchiveFault::Unpacked { limit: self.limit }.into())
        } else {
            Ok(read)
        }
    }
}

#[cfg(test)]
mod tests {
    use komabako_kifu::encoding::encode;
    use komabako_kifu::{Encoding, LineEnd};

    use super::*;

    /// The events of reading bytes of which at most `part` may be in memory, in words.
    fn found(bytes: &[u8], part: usize) -> Vec<String> {
        let limits = Limits { part, ..Limits::USUAL };
        let file = GameFile::from_reader("games".to_owned(), io::Cursor::new(bytes.to_vec()));
        let mut all = Vec::new();
        let mut read = 0;
        let flow = file.read_within(&limits, ReadOptions::default(), |found| {
            match found {
                Found::Bytes(bytes) => read += bytes,
                Found::Notice(notice) => all.push(format!("{notice}")),
                Found::Game { game, number, .. } => all.push(format!("{number:?} {game:?}")),
                Found::Bad(BadGameFault::Kifu(error)) => all.push(format!("{error} {}", error.byte)),
                Found::Bad(fault) => all.push(format!("{fault:?}")),
                Found::Failed(error) => all.push(error.to_string()),
                Found::PassedBy(what) => all.push(format!("{what:?}")),
            }
            ControlFlow::<()>::Continue(())
        });
        let is_whole = !all.iter().any(|found| found.contains("too large"));
        assert!(flow.is_continue() && (read == bytes.len() as u64) == is_whole, "{read}");
        all
    }

    #[test]
    fn a_file_read_in_parts_has_the_games_of_the_whole() {
        let csa = |number: usize| match number % 5 {
            3 => format!("'comment\nN+先手{number}\nPI\n+\n+7776FU\n-3334FU\n+8822UM,T3\n%TORYO\n/\n"),
            4 => format!("'\n\nN+下手{number}\nPI\n+\n+7776FU\n-3335FU\n/\n\n"),
            _ => format!("V2.2\nN+{number}\nPI\n+\n+7776FU\nT1\n-3334FU\n'*コメント\n%TORYO\n/\n"),
        };
        let csa: String = (0..60).map(csa).collect();
        let usi = |number: usize| match number % 7 {
            6 => "position startpos moves 7g7f 7g7f\n".to_owned(),
            5 => "\n".to_owned(),
            _ => format!("startpos moves 7g7f{}\n", " 3c3d 2g2f 8c8d".split_at(number % 4 * 5).0),
        };
        let usi: String = (0..60).map(usi).collect();
        let kif = |number: usize| match number % 6 {
            4 => format!("先手：先{number}\n手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n   3 投了\n\n"),
            5 => "手合割：香落ち\n\n   1 ３四歩(33)\n*ここから\n変化：1手\n   1 ８四歩(83)\n\n\n".to_owned(),
            _ => {
                format!("手合割：平手\n先手：先{number}\n   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n\n")
            }
        };
        let kif: String = (0..60).map(kif).collect();
        let encoded = |text: &str, encoding, line_end| encode(text, encoding, line_end, None).unwrap().bytes;
        let files = [
            csa.clone().into_bytes(),
            encoded(&csa, Encoding::Utf8, LineEnd::CrLf),
            csa.replace('\n', "\r").into_bytes(),
            [b"\xef\xbb\xbf", csa.as_bytes()].concat(),
            encoded(&csa, Encoding::Cp932, LineEnd::CrLf),
            kif.clone().into_bytes(),
            encoded(&kif, Encoding::Cp932, LineEnd::CrLf),
            usi.clone().into_bytes(),
            usi.replace('\n', "\r\n").into_bytes(),
        ];
        for (file, bytes) in files.iter().enumerate() {
            let whole = found(bytes, bytes.len());
            assert!(whole.len() >= 50 && whole.iter().any(|found| found.starts_with("game ")), "file {file}");
            for part in [260, 261, 300, 500, 1000, bytes.len() / 2, bytes.len() - 1] {
                let parts = found(bytes, part);
                // The byte of a fault is that of the text, which a byte order mark does not belong to.
                assert_eq!(parts, whole, "file {file}, parts of {part} bytes");
            }
        }
    }

    #[test]
    fn a_game_larger_than_memory_is_named_with_its_place() {
        let game = "PI\n+\n+7776FU\n/\n";
        let long = format!("{game}{game}PI\n+\n+7776FU\n{}", "'comment\n".repeat(50));
        let all = found(long.as_bytes().strip_suffix(b"\n").unwrap_or_default(), 100);
        assert_eq!(all.len(), 3, "{all:#?}");
        assert_eq!(all[2], "game 3, line 9, column 1: the record is too large 30");
        let line = [b'x'; 200];
        assert_eq!(found_bad(&line, 100), ["LIMIT"]);
    }

    fn found_bad(bytes: &[u8], part: usize) -> Vec<&'static str> {
        let limits = Limits { part, ..Limits::USUAL };
        let file = GameFile::from_reader("games".to_owned(), io::Cursor::new(bytes.to_vec()));
        let mut all = Vec::new();
        let _ = file.read_within(&limits, ReadOptions::default(), |found| {
            if let Found::Bad(fault) = found {
                all.push(fault.name());
            }
            ControlFlow::<()>::Continue(())
        });
        all
    }

    #[test]
    fn compressed_content_is_unpacked_to_a_multiple_of_its_size() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.csa.zst");
        let text = "PI\n+\n+7776FU\n/\n".repeat(20_000);
        fs::write(&path, zstd::encode_all(text.as_bytes(), 3).unwrap()).unwrap();
        let games = |limits: &Limits| {
            let mut games = 0;
            let mut bad = Vec::new();
            let _ = GameFile::from_path(path.clone(), None, false).read_within(
                limits,
                ReadOptions::default(),
                |found| {
                    match found {
                        Found::Game { .. } => games += 1,
                        Found::Bad(fault) => bad.push(fault),
                        _ => {}
                    }
                    ControlFlow::<()>::Continue(())
                },
            );
            (games, bad)
        };
        assert_eq!(games(&Limits::USUAL), (20_000, vec![]));
        let limit = 1 << 17;
        let (read, bad) = games(&Limits { unpacked: limit, part: 1 << 12, ..Limits::USUAL });
        assert_eq!(bad, [BadGameFault::Archive(ArchiveFault::Unpacked { limit })]);
        assert!((1000..20_000).contains(&read), "{read}: the games before are kept");
    }
}
