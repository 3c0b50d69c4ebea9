//! [`Foreign`]: known kinds of files that are not supported.

use core::fmt;

/// A known kind of file that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Foreign {
    /// A 7z archive.
    SevenZip,
    /// rsshogi's sbinpack.
    Sbinpack,
    /// rsshogi's sazpack.
    Sazpack,
    /// A YaneuraOu book, binary.
    Ybb,
    /// A YaneuraOu book, text.
    YaneuraOuBook,
    /// Arrow IPC.
    Arrow,
    /// Parquet.
    Parquet,
    /// A game record in CSA.
    Csa,
    /// A game record in KIF or KI2.
    Kif,
    /// A game record in JKF, which is JSON.
    Jkf,
}

/// The starts of lines in a KIF or KI2 header, in UTF-8 and Shift-JIS.
#[rustfmt::skip]
const KIF_LINES: [(&str, &[u8]); 11] = [
    ("先手：", b"\x90\xe6\x8e\xe8\x81F"),
    ("後手：", b"\x8c\xe3\x8e\xe8\x81F"),
    ("上手：", b"\x8f\xe3\x8e\xe8\x81F"),
    ("下手：", b"\x89\xba\x8e\xe8\x81F"),
    ("手合割：", b"\x8e\xe8\x8d\x87\x8a\x84\x81F"),
    ("開始日時：", b"\x8aJ\x8en\x93\xfa\x8e\x9e\x81F"),
    ("終了日時：", b"\x8fI\x97\xb9\x93\xfa\x8e\x9e\x81F"),
    ("棋戦：", b"\x8a\xfb\x90\xed\x81F"),
    ("場所：", b"\x8f\xea\x8f\x8a\x81F"),
    ("持ち時間：", b"\x8e\x9d\x82\xbf\x8e\x9e\x8a\xd4\x81F"),
    ("手数----", b"\x8e\xe8\x90\x94----"),
];

/// The number of lines to search for one of these.
const HEADER_LINES: usize = 40;

impl Foreign {
    /// The kind of a file that starts with a magic number.
    ///
    /// ```
    /// use komabako_record::detect::Foreign;
    /// assert_eq!(Foreign::from_magic(b"PAR1\x15\x04"), Some(Foreign::Parquet));
    /// ```
    pub fn from_magic(content: &[u8]) -> Option<Foreign> {
        const MAGIC: [(&[u8], Foreign); 8] = [
            (b"7z\xbc\xaf\x27\x1c", Foreign::SevenZip),
            (b"SBN2", Foreign::Sbinpack),
            (b"SAZ2", Foreign::Sazpack),
            (b"YANE-BINBOOK-V1\0", Foreign::Ybb),
            (b"#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
            (b"\xef\xbb\xbf#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
            (b"ARROW1", Foreign::Arrow),
            (b"PAR1", Foreign::Parquet),
        ];
        MAGIC.into_iter().find(|(magic, _)| content.starts_with(magic)).map(|(_, what)| what)
    }

    /// Recognises game records by the start of their text; used when no format of positions fits.
    pub(super) fn from_text(content: &[u8]) -> Option<Foreign> {
        let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
        if text.starts_with(b"{") {
            return text.windows(7).any(|key| key == b"\"moves\"").then_some(Foreign::Jkf);
        }
        const CSA: [&[u8]; 8] = [b"V1", b"V2", b"V3", b"'", b"PI", b"P1", b"N+", b"N-"];
        if CSA.iter().any(|start| text.starts_with(start)) {
            return Some(Foreign::Csa);
        }
        let starts = |line: &[u8]| {
            let has_key =
                |(utf8, sjis): &(&str, &[u8])| line.starts_with(utf8.as_bytes()) || line.starts_with(sjis);
            KIF_LINES.iter().any(has_key)
        };
        let is_kif = [&b"#KIF"[..], b"# ---- Kifu"].iter().any(|start| text.starts_with(start))
            || text.split(|&byte| byte == b'\n').take(HEADER_LINES).any(starts);
        is_kif.then_some(Foreign::Kif)
    }

    /// A description of the file, and a way to use it where one exists.
    const fn advice(self) -> &'static str {
        match self {
            Foreign::SevenZip => "a 7z archive; unpack it first: 7z x FILE",
            Foreign::Sbinpack => {
                "sbinpack, which needs rsshogi to read; convert it to PSV with rsshogi first"
            }
            Foreign::Sazpack => "sazpack, which needs rsshogi to read; convert it to PSV with rsshogi first",
            Foreign::Ybb => "a YaneuraOu book (.ybb), not a file of training positions",
            Foreign::YaneuraOuBook => "a YaneuraOu book (.db), not a file of training positions",
            Foreign::Arrow => "Arrow IPC, which is not read",
            Foreign::Parquet => "Parquet, which is not read",
            Foreign::Csa => {
                "a game record in CSA, not a file of positions; write its positions as SFEN lines first"
            }
            Foreign::Kif => {
                "a game record in KIF or KI2, not a file of positions; write its positions as SFEN lines first"
            }
            Foreign::Jkf => {
                "a game record in JKF, not a file of positions; write its positions as SFEN lines first"
            }
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.advice())
    }
}
