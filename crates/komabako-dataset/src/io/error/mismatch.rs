//! [`Mismatch`]: the contents of an input that contradict its format.

use core::fmt;
use std::path::PathBuf;

use komabako_messages::{Grouped, Lang, Message, say};
use komabako_variants::WordFormat;

use crate::FileFormat;
use crate::Name;
use crate::io::compression::Compression;
use crate::move16::{Encodings, MoveEncoding};

/// The contents of an input, from a sample, that contradict its format.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch {
    /// The name of the input.
    pub input: Name,
    /// The input, if it is a file.
    pub path: Option<PathBuf>,
    /// The compression of the input.
    pub compression: Compression,
    /// The format that its records should have.
    pub format: FileFormat,
    /// Whether the caller named the format.
    pub is_given: bool,
    /// The number of records in the sample.
    pub sampled: u64,
    /// Its moves, if they use another encoding.
    pub moves: Option<OtherMoves>,
    /// Its positions, if they use another codec.
    pub codec: Option<OtherCodec>,
    /// Its positions, if they are in the order of older programs.
    pub order: Option<OtherOrder>,
}

/// Moves in an encoding other than the format's. Only drops and promotions count: other moves are the same in every encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherMoves {
    /// The encoding of the format.
    pub own: MoveEncoding,
    /// The encodings needed to read the sample; one, unless the input is mixed.
    pub encodings: Encodings,
    /// The number of moves in the sample that are drops or promotions.
    pub encoding_dependent: u64,
    /// The number of those that are legal in each encoding.
    pub legal: [u64; MoveEncoding::ALL.len()],
    /// The number of those that are illegal in the format's encoding and legal in another.
    pub other: u64,
}

/// Positions in the codec of another format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherCodec {
    /// The codec.
    pub codec: WordFormat,
    /// The number of records that make sense only in it.
    pub records: u64,
    /// Whether other records make sense only in the format's own codec.
    pub is_mixed: bool,
}

/// Positions that are readable but not in the order that the format prescribes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OtherOrder {
    /// PSV's variant B, YaneuraOu before 2024.
    pub variant_b: u64,
    /// PSV's variant C, rshogi.
    pub variant_c: u64,
    /// PSV with hands in any other order.
    pub other: u64,
    /// SSPFv1 with pieces off the board in another order.
    pub off_board: u64,
}

impl OtherOrder {
    /// The number of positions.
    pub const fn records(&self) -> u64 {
        self.variant_b + self.variant_c + self.other + self.off_board
    }
}

impl OtherMoves {
    /// The one encoding of all moves; `None` if the input is mixed.
    pub fn encoding(&self) -> Option<MoveEncoding> {
        let mut encodings = self.encodings.iter();
        let first = encodings.next()?;
        encodings.next().is_none().then_some(first)
    }
}

impl Mismatch {
    /// The path of a file beside the input that `repair` can write.
    pub fn repaired_path(&self) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        let mut stem = PathBuf::from(path.file_name()?);
        let is_compressed = Compression::from_path(&stem) != Compression::None;
        if is_compressed {
            stem.set_extension("");
        }
        let extension = stem.extension().and_then(|extension| extension.to_str());
        if extension.and_then(FileFormat::from_extension).is_some() {
            stem.set_extension("");
        }
        let mut name = stem.into_os_string();
        name.push(".repaired.");
        name.push(self.format.extensions().first().copied().unwrap_or("bin"));
        if is_compressed && let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        Some(path.with_file_name(name))
    }

    /// The options with which `komabako repair` restores every record.
    pub fn repair_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        if self.is_given {
            options.extend(["--from".to_owned(), self.format.name().to_owned()]);
        }
        if let Some(moves) = &self.moves {
            let encoding =
                moves.encoding().map(|encoding| encoding.letter().to_ascii_lowercase().to_string());
            options.extend(["--moves".to_owned(), encoding.unwrap_or_else(|| "mixed".to_owned())]);
        }
        options
    }
}

impl Mismatch {
    /// What is wrong, without the name of the input.
    pub const fn what(&self) -> What<'_> {
        What(self)
    }
}

/// [`Mismatch::what`].
#[derive(Clone, Copy, Debug)]
pub struct What<'a>(&'a Mismatch);

#[rustfmt::skip] // One row a difference.
impl Message for What<'_> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { moves, codec, order, .. } = self.0;
        let sampled = Grouped(self.0.sampled);
        let mut separator = "";
        if let Some(moves) = moves {
            let own = moves.own.letter();
            let encodings = moves.encodings;
            let other = Grouped(moves.other);
            let all = Grouped(moves.encoding_dependent);
            let percent = Percent { part: moves.other, whole: moves.encoding_dependent };
            match moves.encoding() {
                Some(_) => say!(
                    f, lang,
                    "its moves are in encoding {encodings}, not {own}: of {all} drops and promotions sampled, {other} \
                     ({percent} %) are illegal in {own} but legal in {encodings}",
                    "指し手がエンコーディング {own} ではなく {encodings} です。調べた駒打ちと成り {all} 手のうち {other} 手 \
                     ({percent} %) が、{own} では反則、{encodings} では合法です",
                    own, encodings, other, all, percent
                )?,
                None => say!(
                    f, lang,
                    "it mixes moves in the encodings {encodings}: of {all} drops and promotions sampled, {other} \
                     ({percent} %) are illegal in {own} but legal in another",
                    "指し手のエンコーディング {encodings} が混在しています。調べた駒打ちと成り {all} 手のうち {other} 手 \
                     ({percent} %) が、{own} では反則、別のエンコーディングでは合法です",
                    own, encodings, other, all, percent
                )?,
            }
            separator = "; ";
        }
        if let Some(OtherCodec { codec, records, is_mixed }) = *codec {
            f.write_str(separator)?;
            let percent = Percent { part: records, whole: self.0.sampled };
            let records = Grouped(records);
            if is_mixed {
                say!(
                    f, lang,
                    "it mixes positions in the codec of {codec} with its own: {records} of {sampled} sampled ({percent} %) \
                     make sense only in that codec",
                    "{codec} の符号語の局面が混在しています。調べた {sampled} 局面のうち {records} 局面 ({percent} %) が \
                     {codec} としてのみ成り立ちます",
                    codec, records, sampled, percent
                )?;
            } else {
                say!(
                    f, lang,
                    "its positions are in the codec of {codec}: {records} of {sampled} sampled ({percent} %) make sense only \
                     in that codec",
                    "局面が {codec} の符号語です。調べた {sampled} 局面のうち {records} 局面 ({percent} %) が {codec} として\
                     のみ成り立ちます",
                    codec, records, sampled, percent
                )?;
            }
            separator = "; ";
        }
        if let Some(order) = order {
            f.write_str(separator)?;
            let percent = Percent { part: order.records(), whole: self.0.sampled };
            say!(
                f, lang,
                "its positions are in the form of older programs: {records} of {sampled} sampled ({percent} %) have their \
                 pieces in another order ({order})",
                "局面が古いプログラムの書き方です。調べた {sampled} 局面のうち {records} 局面 ({percent} %) で駒の並びが\
                 違います ({order})",
                sampled, percent, order, records = Grouped(order.records())
            )?;
        }
        Ok(())
    }
}

impl Message for Mismatch {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = &self.input;
        say!(f, lang, "{input}: {what}", "{input}: {what}", input, what = self.what())
    }
}

/// A part in percent of the whole.
struct Percent {
    part: u64,
    whole: u64,
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.part as f64 * 100.0 / self.whole.max(1) as f64)
    }
}

/// The writers of the orders found, each with its number of positions.
impl fmt::Display for OtherOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherOrder { variant_b, variant_c, other, off_board } = *self;
        let mut comma = "";
        for (name, count) in [("B", variant_b), ("C", variant_c), ("?", other), ("SSPFv1", off_board)] {
            if count > 0 {
                write!(f, "{comma}{name}: {}", Grouped(count))?;
                comma = ", ";
            }
        }
        Ok(())
    }
}

komabako_messages::english!(Mismatch, What<'_>);
komabako_messages::untranslated!(Percent, OtherOrder);
