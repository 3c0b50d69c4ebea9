//! [`Foreign`]: known kinds of files that are not supported.

use komabako_messages::{Phrase, WithAdvice, messages, phrase};

/// A known kind of file that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Foreign {
    /// A 7z archive.
    SevenZip,
    /// An LZH archive.
    Lzh,
    /// A RAR archive.
    Rar,
    /// A zip archive, where none is read.
    Zip,
    /// rsshogi's sbinpack.
    Sbinpack,
    /// rsshogi's sazpack.
    Sazpack,
    /// A YaneuraOu book, binary.
    Ybb,
    /// A YaneuraOu book, text.
    YaneuraOuBook,
    /// A book of `ShogiGUI`, `.sbk`.
    Sbk,
    /// A game record in PSN.
    Psn,
    /// A game record in PGN.
    Pgn,
    /// What a client of a CSA server received.
    ServerLog,
    /// An `SQLite` database.
    Sqlite,
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
    /// Game records in USI, a line each.
    Usi,
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
    /// The kind of a file that starts with a magic number, or as no supported format does.
    ///
    /// ```
    /// use komabako_record::detect::Foreign;
    /// assert_eq!(Foreign::from_magic(b"PAR1\x15\x04"), Some(Foreign::Parquet));
    /// assert_eq!(Foreign::from_magic(b"[Sente \"A\"]\n1.P7g-7f\n"), Some(Foreign::Psn));
    /// assert_eq!(Foreign::from_magic(b"[Name \"x\"]\n\n1.P-7f P-3d\n"), Some(Foreign::Psn));
    /// assert_eq!(Foreign::from_magic(b"[Event \"x\"]\n\n1. e4 e5 2. Nf3 Bxb4\n"), Some(Foreign::Pgn));
    /// ```
    pub fn from_magic(content: &[u8]) -> Option<Foreign> {
        const MAGIC: [(&[u8], Foreign); 10] = [
            (b"7z\xbc\xaf\x27\x1c", Foreign::SevenZip),
            (b"Rar!\x1a\x07", Foreign::Rar),
            (b"SBN2", Foreign::Sbinpack),
            (b"SAZ2", Foreign::Sazpack),
            (b"YANE-BINBOOK-V1\0", Foreign::Ybb),
            (b"#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
            (b"\xef\xbb\xbf#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
            (b"SQLite format 3\0", Foreign::Sqlite),
            (b"ARROW1", Foreign::Arrow),
            (b"PAR1", Foreign::Parquet),
        ];
        let known = MAGIC.into_iter().find(|(magic, _)| content.starts_with(magic));
        if let Some((_, what)) = known {
            return Some(what);
        }
        match content {
            // The length and the checksum of the header come first.
            [_, _, b'-', b'l', b'h' | b'z', _, b'-', ..] => Some(Foreign::Lzh),
            // The version, the flags and the method are numbers of two bytes, of which the version and the method are small.
            [b'P', b'K', 3, 4, 0..=63, 0, _, _, _, 0, ..] => Some(Foreign::Zip),
            _ if is_sbk(content) => Some(Foreign::Sbk),
            _ if is_book(content) => Some(Foreign::YaneuraOuBook),
            _ => of_tags(content),
        }
    }

    /// Whether it is an archive, which may hold files that are read.
    pub const fn is_archive(self) -> bool {
        matches!(self, Foreign::SevenZip | Foreign::Lzh | Foreign::Rar | Foreign::Zip)
    }

    /// Whether it is a game record.
    pub const fn is_game_record(self) -> bool {
        matches!(self, Foreign::Csa | Foreign::Kif | Foreign::Jkf | Foreign::Usi)
    }

    /// Recognises the start of text; used when no format of positions fits, or a game record cannot be read.
    pub fn from_text(content: &[u8]) -> Option<Foreign> {
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
        let mut lines = text.split(|&byte| byte == b'\n').take(HEADER_LINES);
        // Games may stand between positions.
        if lines.clone().any(is_usi) {
            return Some(Foreign::Usi);
        }
        let is_kif = [&b"#KIF"[..], b"# ---- Kifu"].iter().any(|start| text.starts_with(start))
            || lines.clone().any(starts);
        if is_kif {
            return Some(Foreign::Kif);
        }
        let is_log = lines.any(|line| line.trim_ascii_end().ends_with(b"BEGIN Game_Summary"));
        is_log.then_some(Foreign::ServerLog)
    }

    /// The sentence with the [advice](Foreign::advice).
    pub fn with_advice(self) -> WithAdvice<Foreign, Phrase> {
        WithAdvice(self, self.advice())
    }

    /// What to do with the file, if anything helps.
    pub fn advice(self) -> Option<Phrase> {
        const UNPACK: Phrase = Phrase::new("unpack it first: 7z x FILE", "先に展開してください: 7z x FILE");
        const RSSHOGI: Phrase =
            Phrase::new("convert it to PSV with rsshogi first", "先に rsshogi で PSV に変換してください");
        const GAMES: Phrase = Phrase::new("give the games it was made from", "元の棋譜を指定してください");
        Some(match self {
            Foreign::Rar => UNPACK,
            Foreign::SevenZip | Foreign::Lzh => phrase!(
                "unpack it first: 7z x FILE (the program reads one of game records if its name ends in .7z or .lzh)",
                "先に展開してください: 7z x FILE (棋譜の書庫は、名前が .7z か .lzh で終わればプログラムで読めます)",
            ),
            Foreign::Zip => phrase!(
                "unpack it first: unzip FILE (one of game records is read if its name ends in .zip)",
                "先に展開してください: unzip FILE (棋譜の書庫は、名前が .zip で終われば読めます)",
            ),
            Foreign::Sbinpack | Foreign::Sazpack => RSSHOGI,
            Foreign::Ybb | Foreign::Sbk => GAMES,
            Foreign::YaneuraOuBook => phrase!(
                "to take its positions alone: grep ^sfen FILE > OUT.sfen",
                "局面だけなら取り出せます: grep ^sfen FILE > OUT.sfen",
            ),
            Foreign::Psn | Foreign::Pgn => phrase!(
                "save it as KIF or CSA in a program that reads it",
                "読めるプログラムで KIF か CSA に保存し直してください",
            ),
            Foreign::ServerLog => phrase!(
                "give the record of the game, which the server has (.csa)",
                "サーバーにある棋譜 (.csa) を指定してください",
            ),
            Foreign::Sqlite | Foreign::Arrow | Foreign::Parquet => return None,
            Foreign::Csa | Foreign::Kif | Foreign::Jkf | Foreign::Usi => phrase!(
                "convert it to records first: komabako convert FILE OUT.psv",
                "先にレコードに変換してください: komabako convert FILE OUT.psv",
            ),
        })
    }
}

messages! {
    Foreign {
        SevenZip => "a 7z archive", "7z 書庫です";
        Lzh => "an LZH archive", "LZH 書庫です";
        Rar => "a RAR archive", "RAR 書庫です";
        Zip => "a zip archive", "zip 書庫です";
        Sbinpack => "sbinpack, which needs rsshogi to read", "sbinpack です";
        Sazpack => "sazpack, which needs rsshogi to read", "sazpack です";
        Ybb => "a YaneuraOu book (.ybb), not games or training positions",
            "やねうら王の定跡 (.ybb) で、棋譜でも教師局面でもありません";
        YaneuraOuBook => "a YaneuraOu book (.db), not games or training positions",
            "やねうら王の定跡 (.db) で、棋譜でも教師局面でもありません";
        Sbk => "a ShogiGUI book (.sbk), not games or training positions",
            "ShogiGUI の定跡 (.sbk) で、棋譜でも教師局面でもありません";
        Psn => "a game record in PSN, which is not read", "PSN の棋譜で、読み込めません";
        Pgn => "a game record in PGN, which is not read", "PGN の棋譜で、読み込めません";
        ServerLog => "a log of a client of a CSA server, not a game record",
            "CSA サーバーとの通信ログで、棋譜ではありません";
        Sqlite => "an SQLite database, which is not read", "SQLite には対応していません";
        Arrow => "Arrow IPC, which is not read", "Arrow IPC には対応していません";
        Parquet => "Parquet, which is not read", "Parquet には対応していません";
        Csa => "a game record in CSA", "CSA の棋譜です";
        Kif => "a game record in KIF or KI2", "KIF または KI2 の棋譜です";
        Jkf => "a game record in JKF", "JKF の棋譜です";
        Usi => "a game record in USI", "USI の棋譜です";
    }
}

/// Whether a file starts as a book of `ShogiGUI` does, a protobuf message: the author, the description, and the first position
/// with its number, the key of its board and another field.
fn is_sbk(content: &[u8]) -> bool {
    let mut rest = content;
    for tag in [0x0a, 0x12] {
        if let Some(text) = rest.strip_prefix(&[tag]) {
            let Some((length, text)) = varint(text) else { return false };
            let Some(after) = text.get(length as usize..) else { return false };
            rest = after;
        }
    }
    let Some((_, state)) = rest.strip_prefix(&[0x1a]).and_then(varint) else { return false };
    let after_id = state.strip_prefix(&[0x08]).and_then(varint);
    let key = match after_id.map_or(state, |(_, rest)| rest) {
        [0x10, key @ ..] => varint(key).map(|(_, rest)| rest),
        [0x11, key @ ..] => key.get(8..),
        _ => None,
    };
    // The keys of fields 3 to 10.
    matches!(key, Some([0x18 | 0x1d | 0x20 | 0x28 | 0x30 | 0x3a | 0x42 | 0x4a | 0x52, ..]))
}

/// Whether a text is a book of `YaneuraOu` without its header: a position, then moves with the answer to each and numbers.
fn is_book(content: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n');
    let begins = lines.next().is_some_and(|line| line.starts_with(b"sfen "));
    let mut words = lines.next().unwrap_or_default().split(|&byte| byte == b' ');
    let is_number = |word: &[u8]| word.trim_ascii().iter().all(|byte| matches!(byte, b'-' | b'0'..=b'9'));
    begins && words.nth(2).is_some_and(is_number)
}

/// Whether a line is a game in USI, rather than a position.
fn is_usi(line: &[u8]) -> bool {
    let begins = |start: &[u8]| line.starts_with(start);
    begins(b"position ")
        || (begins(b"startpos ") || begins(b"sfen ")) && line.windows(7).any(|word| word == b" moves ")
}

/// A number of protobuf, and the bytes after it.
fn varint(bytes: &[u8]) -> Option<(u32, &[u8])> {
    const LONGEST: usize = 10;
    let length = bytes.iter().take(LONGEST).position(|byte| byte & 0x80 == 0)? + 1;
    let (number, rest) = bytes.split_at(length);
    let bits = number.iter().rev().fold(0_u64, |number, byte| number << 7 | u64::from(byte & 0x7f));
    Some((u32::try_from(bits).unwrap_or(u32::MAX), rest))
}

/// PSN or PGN, by the first line, a tag `[Name "value"]`. PSN names the players Sente and Gote, or has moves like `P7g-7f`. Moves
/// like `P-7f` occur in both, and PGN begins with `Event`.
fn of_tags(content: &[u8]) -> Option<Foreign> {
    let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
    let first = text.split(|&byte| matches!(byte, b'\n' | b'\r')).next()?.trim_ascii_end();
    let tag = first.strip_prefix(b"[")?.strip_suffix(b"\"]")?;
    let name = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if name == 0 || !tag[name..].trim_ascii_start().starts_with(b"\"") {
        return None;
    }
    let is_event = &tag[..name] == b"Event";
    let mut lines = text.split(|&byte| byte == b'\n').take(HEADER_LINES);
    let is_psn = lines.any(|line| {
        line.starts_with(b"[Sente")
            || line.starts_with(b"[Gote")
            || line.windows(5).any(is_psn_squares)
            || !is_event && line.windows(4).any(is_psn_destination)
    });
    Some(if is_psn { Foreign::Psn } else { Foreign::Pgn })
}

/// Whether five bytes are the squares of a move in PSN: `7g-7f`, `8hx2b`.
fn is_psn_squares(text: &[u8]) -> bool {
    matches!(text, [b'1'..=b'9', b'a'..=b'i', b'-' | b'x', b'1'..=b'9', b'a'..=b'i'])
}

/// Whether four bytes are a piece and its destination in PSN: `P-7f`, `Bx2b`, `S*5e`. The squares of chess begin with a letter.
fn is_psn_destination(text: &[u8]) -> bool {
    let is_piece = |letter: u8| b"PLNSGBRK".contains(&letter);
    matches!(text, [piece, b'-' | b'x' | b'*', b'1'..=b'9', b'a'..=b'i'] if is_piece(*piece))
}
