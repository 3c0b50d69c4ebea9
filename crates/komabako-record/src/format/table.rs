//! The table of formats: one row per format, with everything that the rest of the crate needs to know about it.
//!
//! To add a format, add its row, the module that its [`Shape`] names, and its line in FORMATS.md, which a test compares.

use komabako_messages::Phrase;

use super::Field;
use super::binary::{self, Packed};
use crate::move16::MoveEncoding::{self, Apery, YaneuraOu};
use crate::text::{self, Text};

/// A row of the table.
pub(super) struct Row {
    /// The name of the format in options and reports.
    pub name: &'static str,
    /// A one-line description of the format.
    pub description: Phrase,
    /// The extensions of its files, without dots; the usual one first.
    pub extensions: &'static [&'static str],
    /// The kind of layout of its records.
    pub shape: Shape,
    /// Its encoding of moves in 16 bits; `None` if it has none.
    pub moves: Option<MoveEncoding>,
    /// The fields that it holds.
    pub holds: &'static [Field],
    /// The rank of the format in detection if several formats fit: the lowest is preferred. Text comes first, since no
    /// packed record is text by accident; then the formats that refuse the most bytes; ranks, which refuse hardly any,
    /// come last.
    pub preference: u8,
    /// For a lenient reader, the corresponding strict format; the lenient one is not written.
    pub strict: Option<FileFormat>,
}

/// The kind of layout of a format's records.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Fixed-size records: a packed position and its labels.
    Packed(&'static Packed),
    /// Lines of text.
    Text(&'static Text),
    /// Games whose positions are the records, packed as HuffmanCodedPos ([`crate::games`]).
    Games,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident => $row:expr;)*) => {
        /// A file format for positions.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum FileFormat {
            $($(#[$doc])* $format,)*
        }

        impl FileFormat {
            /// Every format.
            pub const ALL: &[FileFormat] = &[$(FileFormat::$format),*];

            /// The row of the format.
            pub(super) const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$($row),*];
                &ROWS[self as usize]
            }
        }
    };
}

/// What most rows have: no moves, no labels.
const BARE: Row = Row {
    name: "",
    description: Phrase::new("", ""),
    extensions: &[],
    shape: Shape::Games,
    moves: None,
    holds: &[],
    preference: u8::MAX,
    strict: None,
};

/// The fields of text, and of the largest compact format.
const ALL_LABELS: &[Field] = &[
    Field::Score,
    Field::Move,
    Field::SpecialMove,
    Field::Result,
    Field::Ply,
    Field::RemovedPieces,
    Field::MissingKings,
];

formats! {
    /// `psv`: YaneuraOu's `PackedSfenValue`, 40 bytes per record, canonical positions only.
    Psv => Row {
        name: "psv",
        description: Phrase::new("YaneuraOu PackedSfenValue", "やねうら王の PackedSfenValue"),
        extensions: &["psv", "bin"],
        shape: Shape::Packed(&binary::PSV),
        moves: Some(YaneuraOu),
        holds: &[Field::Score, Field::Move, Field::SpecialMove, Field::Result, Field::Ply, Field::PsvPadding, Field::RemovedPieces],
        preference: 60,
        ..BARE
    };
    /// `psv-lenient`: PSV as found in the wild: hands in other orders, missing pieces left out. Read-only; records
    /// converted from it are canonical.
    PsvLenient => Row {
        name: "psv-lenient",
        description: Phrase::new("PSV as found in the wild: other hand orders, missing pieces left out", "規格外の PSV (持ち駒の順の違い、駒の省略を許す)"),
        shape: Shape::Packed(&binary::PSV),
        moves: Some(YaneuraOu),
        holds: &[Field::Score, Field::Move, Field::SpecialMove, Field::Result, Field::Ply, Field::PsvPadding, Field::RemovedPieces],
        preference: 70,
        strict: Some(FileFormat::Psv),
        ..BARE
    };
    /// `hcpe`: Apery's and dlshogi's `HuffmanCodedPosAndEval`, 38 bytes per record.
    Hcpe => Row {
        name: "hcpe",
        description: Phrase::new("Apery and dlshogi HuffmanCodedPosAndEval", "Apery・dlshogi の HuffmanCodedPosAndEval"),
        extensions: &["hcpe"],
        shape: Shape::Packed(&binary::HCPE),
        moves: Some(Apery),
        holds: &[Field::Score, Field::Move, Field::Result, Field::HcpePadding, Field::RemovedPieces],
        preference: 80,
        ..BARE
    };
    /// `hcpe2`: dlshogi's hcpe with flags for the end of the game.
    Hcpe2 => Row {
        name: "hcpe2",
        description: Phrase::new("dlshogi hcpe with flags for how the game ended", "dlshogi の hcpe に終局のフラグを加えたもの"),
        extensions: &["hcpe2"],
        shape: Shape::Packed(&binary::HCPE2),
        moves: Some(Apery),
        holds: &[Field::Score, Field::Move, Field::Result, Field::HcpePadding, Field::EndFlags, Field::RemovedPieces],
        preference: 90,
        ..BARE
    };
    /// `hcpe3`: dlshogi's games with candidate moves; a record is a position of a game.
    Hcpe3 => Row {
        name: "hcpe3",
        description: Phrase::new("dlshogi games with candidate moves", "dlshogi の棋譜と候補手"),
        extensions: &["hcpe3"],
        shape: Shape::Games,
        moves: Some(Apery),
        holds: &[Field::Score, Field::Move, Field::Result, Field::EndFlags, Field::Games, Field::Candidates, Field::Opponent, Field::RemovedPieces],
        preference: 180,
        ..BARE
    };
    /// `pack`: GenSfen's games (YaneuraOu-ScriptCollection); a record is a position of a game.
    Pack => Row {
        name: "pack",
        description: Phrase::new("GenSfen games", "GenSfen の棋譜"),
        extensions: &["pack"],
        shape: Shape::Games,
        moves: Some(Apery),
        holds: &[Field::Score, Field::Move, Field::Result, Field::Ply, Field::EndFlags, Field::EndReason, Field::Games, Field::RemovedPieces],
        preference: 170,
        ..BARE
    };
    /// `sspfv1`: bare SSPFv1 words, 32 bytes each.
    Sspfv1 => Row {
        name: "sspfv1",
        description: Phrase::new("bare SSPFv1 words", "SSPFv1 の符号語のみ"),
        extensions: &["sspfv1", "sspf"],
        shape: Shape::Packed(&binary::SSPFV1),
        preference: 120,
        ..BARE
    };
    /// `packed_sfen`: bare PackedSfen words, 32 bytes each.
    PackedSfen => Row {
        name: "packed_sfen",
        description: Phrase::new("bare PackedSfen words", "PackedSfen の符号語のみ"),
        extensions: &["packed_sfen", "psfen"],
        shape: Shape::Packed(&binary::PACKED_SFEN),
        holds: &[Field::RemovedPieces],
        preference: 110,
        ..BARE
    };
    /// `hcp`: bare HuffmanCodedPos words, 32 bytes each.
    Hcp => Row {
        name: "hcp",
        description: Phrase::new("bare HuffmanCodedPos words", "HuffmanCodedPos の符号語のみ"),
        extensions: &["hcp"],
        shape: Shape::Packed(&binary::HCP),
        holds: &[Field::RemovedPieces],
        preference: 100,
        ..BARE
    };
    /// `nshogi`: bare nshogi words, 32 bytes each.
    Nshogi => Row {
        name: "nshogi",
        description: Phrase::new("bare nshogi HuffmanCode words", "nshogi の符号語のみ"),
        extensions: &["nshogi"],
        shape: Shape::Packed(&binary::NSHOGI),
        preference: 130,
        ..BARE
    };
    /// `sspfv1-ext`: bare words of SSPFv1's extension, 32 bytes each.
    Sspfv1Ext => Row {
        name: "sspfv1-ext",
        description: Phrase::new("bare words of SSPFv1's extension", "SSPFv1 拡張形式の符号語のみ"),
        extensions: &["sspfv1-ext"],
        shape: Shape::Packed(&binary::SSPFV1_EXT),
        holds: &[Field::RemovedPieces, Field::MissingKings],
        preference: 140,
        ..BARE
    };
    /// `c250`: bare C250 words with their payloads, 32 bytes each.
    C250 => Row {
        name: "c250",
        description: Phrase::new("bare C250 words with their payloads", "C250 の符号語のみ (付加情報を含む)"),
        extensions: &["c250"],
        shape: Shape::Packed(&binary::C250),
        holds: &[Field::Payload, Field::RemovedPieces, Field::MissingKings],
        preference: 160,
        ..BARE
    };
    /// `r238`: bare ranks, 30 bytes each.
    R238 => Row {
        name: "r238",
        description: Phrase::new("bare R238 ranks", "R238 の番号のみ"),
        extensions: &["r238"],
        shape: Shape::Packed(&binary::R238),
        holds: &[Field::RemovedPieces, Field::MissingKings],
        preference: 190,
        ..BARE
    };
    /// `compact36`: ranks with score, move, ply and result, 36 bytes per record.
    Compact36 => Row {
        name: "compact36",
        description: Phrase::new("R238 ranks with score, move, ply, result", "R238 の番号に評価値・指し手・手数・勝敗を加えたもの"),
        extensions: &["compact36"],
        shape: Shape::Packed(&binary::COMPACT36),
        moves: Some(YaneuraOu),
        holds: ALL_LABELS,
        preference: 200,
        ..BARE
    };
    /// `compact32`: ranks with score and result, 32 bytes per record.
    Compact32 => Row {
        name: "compact32",
        description: Phrase::new("R238 ranks with score, result", "R238 の番号に評価値・勝敗を加えたもの"),
        extensions: &["compact32"],
        shape: Shape::Packed(&binary::COMPACT32),
        holds: &[Field::Score, Field::Result, Field::RemovedPieces, Field::MissingKings],
        preference: 210,
        ..BARE
    };
    /// `ext36`: words of SSPFv1's extension with move and score, 36 bytes per record.
    Ext36 => Row {
        name: "ext36",
        description: Phrase::new("words of SSPFv1's extension with score, move", "SSPFv1 拡張形式の符号語に評価値・指し手を加えたもの"),
        extensions: &["ext36"],
        shape: Shape::Packed(&binary::EXT36),
        moves: Some(YaneuraOu),
        holds: &[Field::Score, Field::Move, Field::SpecialMove, Field::RemovedPieces, Field::MissingKings],
        preference: 150,
        ..BARE
    };
    /// `sfen`: text, one SFEN per line; blank lines are skipped.
    Sfen => Row {
        name: "sfen",
        description: Phrase::new("text, one SFEN per line", "テキスト、1 行に 1 つの SFEN"),
        extensions: &["sfen"],
        shape: Shape::Text(&text::sfen::SFEN),
        holds: &[Field::Ply, Field::RemovedPieces, Field::MissingKings],
        preference: 10,
        ..BARE
    };
    /// `plain`: text, blocks of `sfen`, `move`, `score`, `ply`, `result`, ended by `e`.
    Plain => Row {
        name: "plain",
        description: Phrase::new("text, blocks of sfen, move, score, ply, result, e", "テキスト、sfen・move・score・ply・result・e のブロック"),
        extensions: &["plain"],
        shape: Shape::Text(&text::plain::PLAIN),
        holds: ALL_LABELS,
        preference: 20,
        ..BARE
    };
    /// `tsv`: text, a table with tabs: `sfen`, `move`, `score`, `ply`, `result`.
    Tsv => Row {
        name: "tsv",
        description: Phrase::new("text, a table with tabs: sfen, move, score, ply, result", "テキスト、タブ区切りの表 (sfen、move、score、ply、result)"),
        extensions: &["tsv"],
        shape: Shape::Text(&text::tsv::TSV),
        holds: ALL_LABELS,
        preference: 30,
        ..BARE
    };
    /// `csv`: text, a table with commas: `sfen`, `move`, `score`, `ply`, `result`.
    Csv => Row {
        name: "csv",
        description: Phrase::new("text, a table with commas: sfen, move, score, ply, result", "テキスト、コンマ区切りの表 (sfen、move、score、ply、result)"),
        extensions: &["csv"],
        shape: Shape::Text(&text::csv::CSV),
        holds: ALL_LABELS,
        preference: 40,
        ..BARE
    };
    /// `jsonl`: text, one object per line with `sfen`, `move`, `score`, `ply`, `result`.
    Jsonl => Row {
        name: "jsonl",
        description: Phrase::new("text, one JSON object per line: sfen, move, score, ply, result", "テキスト、1 行に 1 つの JSON (sfen、move、score、ply、result)"),
        extensions: &["jsonl", "ndjson"],
        shape: Shape::Text(&text::jsonl::JSONL),
        holds: ALL_LABELS,
        preference: 50,
        ..BARE
    };
}
