//! [`FileFormat`]: the formats of files, what each holds, and what a conversion loses.
//!
#![doc = include_str!("../../FORMATS.md")]

mod loss;

pub use loss::{Loss, LossKind, losses};

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use komabako_codec::Format;

use crate::codec::Codec;
use crate::move16::MoveEncoding;
use crate::record::{Compact32, Compact36, Ext36, Hcpe, Psv};

/// A format of files of positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FileFormat {
    /// `psv`: YaneuraOu's `PackedSfenValue`, 40 bytes a record, canonical positions only.
    Psv,
    /// `psv-lenient`: PSV as found in the wild: hands in other orders, missing pieces left out. Read only; what is
    /// written from it is canonical.
    PsvLenient,
    /// `hcpe`: Apery's and dlshogi's `HuffmanCodedPosAndEval`, 38 bytes a record.
    Hcpe,
    /// `hcpe2`: dlshogi's hcpe with flags for how the game ended.
    Hcpe2,
    /// `hcpe3`: dlshogi's games with candidate moves; a record is a position of a game.
    Hcpe3,
    /// `pack`: GenSfen's games (YaneuraOu-ScriptCollection); a record is a position of a game.
    Pack,
    /// `sspfv1`: bare SSPFv1 words, 32 bytes each.
    Sspfv1,
    /// `packed_sfen`: bare PackedSfen words, 32 bytes each.
    PackedSfen,
    /// `hcp`: bare HuffmanCodedPos words, 32 bytes each.
    Hcp,
    /// `nshogi`: bare nshogi words, 32 bytes each.
    Nshogi,
    /// `sspfv1-ext`: bare words of SSPFv1's extension, 32 bytes each.
    Sspfv1Ext,
    /// `c250`: bare C250 words with their payloads, 32 bytes each.
    C250,
    /// `r238`: bare ranks, 30 bytes each.
    R238,
    /// `compact36`: ranks with score, move, ply and result, 36 bytes a record.
    Compact36,
    /// `compact32`: ranks with score and result, 32 bytes a record.
    Compact32,
    /// `ext36`: words of SSPFv1's extension with move and score, 36 bytes a record.
    Ext36,
    /// `sfen`: text, one SFEN a line; blank lines are skipped.
    Sfen,
    /// `plain`: text, blocks of `sfen`, `move`, `score`, `ply`, `result`, ended by `e`.
    Plain,
}

/// Something that one format holds and another may not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// The score.
    Score,
    /// The best move, or the move played.
    Move,
    /// Resignation and declaration in place of a move.
    SpecialMove,
    /// The result of the game.
    Result,
    /// The ply.
    Ply,
    /// Byte 39 of PSV.
    PsvPadding,
    /// Byte 37 of hcpe and hcpe2.
    HcpePadding,
    /// The payload of C250.
    Payload,
    /// Whether a repetition, a declaration or the move limit ended the game.
    EndFlags,
    /// Why the game ended, by GenSfen's code.
    EndReason,
    /// Where one game ends and the next starts.
    Games,
    /// The visit counts of candidate moves; without any, that a position is not for training.
    Candidates,
    /// Who played against a USI opponent.
    Opponent,
    /// Positions with pieces in the box: handicaps, tsume problems.
    RemovedPieces,
    /// Positions without one king or both.
    MissingKings,
}

impl Field {
    /// Every field.
    pub const ALL: [Field; 15] = [
        Field::Score,
        Field::Move,
        Field::SpecialMove,
        Field::Result,
        Field::Ply,
        Field::PsvPadding,
        Field::HcpePadding,
        Field::Payload,
        Field::EndFlags,
        Field::EndReason,
        Field::Games,
        Field::Candidates,
        Field::Opponent,
        Field::RemovedPieces,
        Field::MissingKings,
    ];

    /// The field's name for programs, e.g. `ply`.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Score => "score",
            Field::Move => "move",
            Field::SpecialMove => "special_move",
            Field::Result => "result",
            Field::Ply => "ply",
            Field::PsvPadding => "psv_padding",
            Field::HcpePadding => "hcpe_padding",
            Field::Payload => "payload",
            Field::EndFlags => "end_flags",
            Field::EndReason => "end_reason",
            Field::Games => "games",
            Field::Candidates => "candidates",
            Field::Opponent => "opponent",
            Field::RemovedPieces => "removed_pieces",
            Field::MissingKings => "missing_kings",
        }
    }
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 18] = [
        FileFormat::Psv,
        FileFormat::PsvLenient,
        FileFormat::Hcpe,
        FileFormat::Hcpe2,
        FileFormat::Hcpe3,
        FileFormat::Pack,
        FileFormat::Sspfv1,
        FileFormat::PackedSfen,
        FileFormat::Hcp,
        FileFormat::Nshogi,
        FileFormat::Sspfv1Ext,
        FileFormat::C250,
        FileFormat::R238,
        FileFormat::Compact36,
        FileFormat::Compact32,
        FileFormat::Ext36,
        FileFormat::Sfen,
        FileFormat::Plain,
    ];

    /// The name by which options and reports know the format.
    pub const fn name(self) -> &'static str {
        match self {
            FileFormat::Psv => "psv",
            FileFormat::PsvLenient => "psv-lenient",
            FileFormat::Hcpe => "hcpe",
            FileFormat::Hcpe2 => "hcpe2",
            FileFormat::Hcpe3 => "hcpe3",
            FileFormat::Pack => "pack",
            FileFormat::Sspfv1 => "sspfv1",
            FileFormat::PackedSfen => "packed_sfen",
            FileFormat::Hcp => "hcp",
            FileFormat::Nshogi => "nshogi",
            FileFormat::Sspfv1Ext => "sspfv1-ext",
            FileFormat::C250 => "c250",
            FileFormat::R238 => "r238",
            FileFormat::Compact36 => "compact36",
            FileFormat::Compact32 => "compact32",
            FileFormat::Ext36 => "ext36",
            FileFormat::Sfen => "sfen",
            FileFormat::Plain => "plain",
        }
    }

    /// What the format is, in one line.
    pub const fn description(self) -> &'static str {
        match self {
            FileFormat::Psv => "YaneuraOu PackedSfenValue",
            FileFormat::PsvLenient => "PSV as found in the wild: other hand orders, missing pieces left out",
            FileFormat::Hcpe => "Apery and dlshogi HuffmanCodedPosAndEval",
            FileFormat::Hcpe2 => "dlshogi hcpe with flags for how the game ended",
            FileFormat::Hcpe3 => "dlshogi games with candidate moves",
            FileFormat::Pack => "GenSfen games",
            FileFormat::Sspfv1 => "bare SSPFv1 words",
            FileFormat::PackedSfen => "bare PackedSfen words",
            FileFormat::Hcp => "bare HuffmanCodedPos words",
            FileFormat::Nshogi => "bare nshogi HuffmanCode words",
            FileFormat::Sspfv1Ext => "bare words of SSPFv1's extension",
            FileFormat::C250 => "bare C250 words with their payloads",
            FileFormat::R238 => "bare R238 ranks",
            FileFormat::Compact36 => "R238 ranks with score, move, ply, result",
            FileFormat::Compact32 => "R238 ranks with score, result",
            FileFormat::Ext36 => "words of SSPFv1's extension with score, move",
            FileFormat::Sfen => "text, one SFEN a line",
            FileFormat::Plain => "text, blocks of sfen, move, score, ply, result, e",
        }
    }

    /// The extensions of the format's files, without dots; the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            FileFormat::Psv => &["psv", "bin"],
            FileFormat::PsvLenient => &[],
            FileFormat::Hcpe => &["hcpe"],
            FileFormat::Hcpe2 => &["hcpe2"],
            FileFormat::Hcpe3 => &["hcpe3"],
            FileFormat::Pack => &["pack"],
            FileFormat::Sspfv1 => &["sspfv1", "sspf"],
            FileFormat::PackedSfen => &["packed_sfen", "psfen"],
            FileFormat::Hcp => &["hcp"],
            FileFormat::Nshogi => &["nshogi"],
            FileFormat::Sspfv1Ext => &["sspfv1-ext"],
            FileFormat::C250 => &["c250"],
            FileFormat::R238 => &["r238"],
            FileFormat::Compact36 => &["compact36"],
            FileFormat::Compact32 => &["compact32"],
            FileFormat::Ext36 => &["ext36"],
            FileFormat::Sfen => &["sfen"],
            FileFormat::Plain => &["plain"],
        }
    }

    /// The format whose files have an extension, without a dot; upper and lower case are one.
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
        FileFormat::ALL.into_iter().find(has)
    }

    /// Whether files of the format can be written; all can be read. Formats that [hold games](FileFormat::holds_games) are
    /// written by [conversions](crate::convert), of records in game order.
    pub const fn can_write(self) -> bool {
        !matches!(self, FileFormat::PsvLenient)
    }

    /// Whether files of the format hold games, whose positions are the records.
    pub const fn holds_games(self) -> bool {
        self.holds(Field::Games)
    }

    /// The size of a record in bytes, or `None` if records differ in size.
    pub const fn record_size(self) -> Option<usize> {
        match self {
            FileFormat::Psv | FileFormat::PsvLenient => Some(Psv::SIZE),
            FileFormat::Hcpe | FileFormat::Hcpe2 => Some(Hcpe::SIZE),
            FileFormat::Sspfv1 | FileFormat::PackedSfen | FileFormat::Hcp | FileFormat::Nshogi => Some(32),
            FileFormat::Sspfv1Ext | FileFormat::C250 => Some(32),
            FileFormat::R238 => Some(30),
            FileFormat::Compact36 => Some(Compact36::SIZE),
            FileFormat::Compact32 => Some(Compact32::SIZE),
            FileFormat::Ext36 => Some(Ext36::SIZE),
            FileFormat::Hcpe3 | FileFormat::Pack | FileFormat::Sfen | FileFormat::Plain => None,
        }
    }

    /// The format in which a file of this one should be: the lenient readers are for files that are not in order.
    pub const fn strict(self) -> FileFormat {
        match self {
            FileFormat::PsvLenient => FileFormat::Psv,
            format => format,
        }
    }

    /// What follows a record's own bytes in a file: of text, the line end.
    pub const fn record_end(self) -> &'static [u8] {
        if self.is_text() { b"\n" } else { b"" }
    }

    /// Whether files of the format are text.
    pub const fn is_text(self) -> bool {
        matches!(self, FileFormat::Sfen | FileFormat::Plain)
    }

    /// The codec of the format's positions, or `None` for text.
    pub const fn codec(self) -> Option<Codec> {
        Some(match self {
            FileFormat::Psv | FileFormat::PsvLenient | FileFormat::PackedSfen => {
                Codec::Base(Format::PackedSfen)
            }
            FileFormat::Hcpe | FileFormat::Hcpe2 | FileFormat::Hcpe3 | FileFormat::Pack | FileFormat::Hcp => {
                Codec::Base(Format::Hcp)
            }
            FileFormat::Sspfv1 => Codec::Base(Format::Sspf),
            FileFormat::Nshogi => Codec::Base(Format::Nshogi),
            FileFormat::Sspfv1Ext | FileFormat::Ext36 => Codec::SspfExt,
            FileFormat::C250 => Codec::C250,
            FileFormat::R238 | FileFormat::Compact36 | FileFormat::Compact32 => Codec::R238,
            FileFormat::Sfen | FileFormat::Plain => return None,
        })
    }

    /// How the format writes moves in 16 bits, if it does.
    pub const fn move_encoding(self) -> Option<MoveEncoding> {
        match self {
            FileFormat::Psv | FileFormat::PsvLenient | FileFormat::Compact36 | FileFormat::Ext36 => {
                Some(MoveEncoding::YaneuraOu)
            }
            FileFormat::Hcpe | FileFormat::Hcpe2 | FileFormat::Hcpe3 | FileFormat::Pack => {
                Some(MoveEncoding::Apery)
            }
            _ => None,
        }
    }

    /// Whether the format has a place for something.
    pub const fn holds(self, field: Field) -> bool {
        use FileFormat::{
            C250, Compact32, Compact36, Ext36, Hcpe, Hcpe2, Hcpe3, Nshogi, Pack, Plain, Psv, PsvLenient,
            R238, Sfen, Sspfv1, Sspfv1Ext,
        };
        match field {
            Field::Score => {
                matches!(
                    self,
                    Psv | PsvLenient | Hcpe | Hcpe2 | Hcpe3 | Pack | Compact36 | Compact32 | Ext36 | Plain
                )
            }
            Field::Move => {
                matches!(self, Psv | PsvLenient | Hcpe | Hcpe2 | Hcpe3 | Pack | Compact36 | Ext36 | Plain)
            }
            Field::Result => {
                matches!(self, Psv | PsvLenient | Hcpe | Hcpe2 | Hcpe3 | Pack | Compact36 | Compact32 | Plain)
            }
            Field::SpecialMove => matches!(self, Psv | PsvLenient | Compact36 | Ext36 | Plain),
            Field::Ply => matches!(self, Psv | PsvLenient | Pack | Compact36 | Sfen | Plain),
            Field::PsvPadding => matches!(self, Psv | PsvLenient),
            Field::HcpePadding => matches!(self, Hcpe | Hcpe2),
            Field::Payload => matches!(self, C250),
            Field::EndFlags => matches!(self, Hcpe2 | Hcpe3 | Pack),
            Field::EndReason => matches!(self, Pack),
            Field::Games => matches!(self, Pack | Hcpe3),
            Field::Candidates | Field::Opponent => matches!(self, Hcpe3),
            Field::RemovedPieces => !matches!(self, Sspfv1 | Nshogi),
            Field::MissingKings => {
                matches!(self, Sspfv1Ext | C250 | R238 | Compact36 | Compact32 | Ext36 | Sfen | Plain)
            }
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no format has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no format is called `{}`; the formats are", self.0)?;
        FileFormat::ALL.iter().try_for_each(|format| write!(f, " {format}"))
    }
}

impl core::error::Error for UnknownFormat {}

impl FromStr for FileFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<FileFormat, UnknownFormat> {
        FileFormat::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_row_of_every_format() {
        let code = |text: &str| format!("`{text}`");
        let rows = FileFormat::ALL.map(|format| {
            let extensions: Vec<_> =
                format.extensions().iter().map(|extension| code(&format!(".{extension}"))).collect();
            let held: Vec<_> = Field::ALL
                .into_iter()
                .filter(|&field| format.holds(field))
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
        assert!(include_str!("../../FORMATS.md").contains(&rows.concat()), "{}", rows.concat());
    }

    #[test]
    fn names_and_extensions_are_unique_and_found() {
        for format in FileFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            for extension in format.extensions() {
                assert_eq!(FileFormat::from_extension(extension), Some(format));
                assert_eq!(FileFormat::from_extension(&extension.to_uppercase()), Some(format));
            }
        }
        assert!("psv2".parse::<FileFormat>().unwrap_err().to_string().contains("psv-lenient"));
    }
}
