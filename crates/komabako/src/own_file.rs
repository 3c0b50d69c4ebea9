//! [`OwnFile`]: files that hold neither records nor games, and the commands that read them.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use komabako::dataset::Compression;

use crate::standard::is_dash;

/// The bytes at the start of a file that show its kind.
const START: u64 = 64;

/// A kind of file that commands write beside records, or read beside them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnFile {
    /// Certificates of `solve`.
    Certificates,
    /// Counts of `stats --save`.
    Statistics,
    /// A manifest.
    Manifest,
    /// The report of `--json`, of the command of this name.
    Report(String),
    /// A column of numbers, of this type: one a record.
    Column(&'static str),
    /// A mask, one bit a record.
    Mask,
}

impl OwnFile {
    /// The kind of a file, by its content; columns and masks, which may begin with any bytes, by its name.
    pub fn recognize(path: &Path) -> Option<OwnFile> {
        if is_dash(path) || !path.is_file() {
            return None;
        }
        OwnFile::of_content(&start(path).ok()?).or_else(|| OwnFile::of_name(path))
    }

    fn of_content(content: &[u8]) -> Option<OwnFile> {
        if content.starts_with(b"KMTC") {
            return Some(OwnFile::Certificates);
        }
        if content.starts_with(b"komabako stats\r\n") {
            return Some(OwnFile::Statistics);
        }
        let content = str::from_utf8(content).ok()?;
        if content.starts_with("{\n  \"manifest\": ") {
            return Some(OwnFile::Manifest);
        }
        let (command, _) = content.strip_prefix("{\n  \"command\": \"")?.split_once('"')?;
        Some(OwnFile::Report(command.to_owned()))
    }

    fn of_name(path: &Path) -> Option<OwnFile> {
        let compressed = Compression::from_path(path) != Compression::None;
        let plain = if compressed { Path::new(path.file_stem()?) } else { path };
        match plain.extension()?.to_str()? {
            "i16" => Some(OwnFile::Column("i16")),
            "f32" => Some(OwnFile::Column("f32")),
            "u32" => Some(OwnFile::Column("u32")),
            "bits" => Some(OwnFile::Mask),
            _ => None,
        }
    }

    /// The command that reads it, if one does; `file` is its name as a word of the shell.
    pub fn command(&self, file: &str) -> Option<String> {
        Some(match self {
            OwnFile::Certificates => format!("komabako certificate {file}"),
            OwnFile::Statistics => format!("komabako stats --merge {file}"),
            OwnFile::Manifest => format!("komabako card {file}"),
            OwnFile::Column("i16") => format!("komabako merge-scores RECORDS {file} OUT"),
            // Columns of other types may be counts or results (`dedup --columns`), which must not replace scores.
            OwnFile::Report(_) | OwnFile::Column(_) => return None,
            OwnFile::Mask => format!("komabako filter RECORDS OUT --by-mask {file}"),
        })
    }
}

/// The first bytes of a file, decompressed.
fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut stored = Vec::new();
    file.by_ref().take(Compression::HEAD as u64).read_to_end(&mut stored)?;
    let compression = Compression::from_magic(&stored);
    let mut start = Vec::new();
    if !matches!(compression, Compression::Archive(_)) {
        let content = compression.decoder(Cursor::new(stored).chain(file))?;
        content.take(START).read_to_end(&mut start)?;
    }
    Ok(start)
}
