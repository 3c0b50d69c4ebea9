//! The losses of a conversion from one format to another: fields left out, made up or refused.

use alloc::vec::Vec;
use core::fmt;

use komabako_messages::{Lang, Message, Phrase};
use komabako_variants::Payload;

use super::{Field, FileFormat};
use crate::record::Labels;

/// A field that a conversion does not carry over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loss {
    /// The field.
    pub field: Field,
    /// The fate of the field.
    pub kind: LossKind,
}

/// The fate of a field in a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// The target has no place for it: it is left out.
    Dropped,
    /// The source does not have it: the target gets a neutral value, 0 (in SFEN text ply 1).
    MadeUp,
    /// Records of the source may lack it: only for those the target gets the neutral value.
    Missing,
    /// Records that need it are refused, each as a bad record.
    Refused,
    /// The source does not have it, but it can be counted.
    Counted,
}

impl LossKind {
    /// The kind's name for programs, e.g. `dropped`.
    pub const fn name(self) -> &'static str {
        match self {
            LossKind::Dropped => "dropped",
            LossKind::MadeUp => "made_up",
            LossKind::Missing => "missing",
            LossKind::Refused => "refused",
            LossKind::Counted => "counted",
        }
    }
}

impl Loss {
    /// Whether the loss affects a record with these labels: the record has the dropped field, or gets a neutral value.
    /// Refused records are not affected, and the boundaries of games are not a label.
    pub fn affects(&self, labels: &Labels) -> bool {
        let extras = &labels.extras;
        match (self.kind, self.field) {
            (LossKind::MadeUp, _) => true,
            (LossKind::Missing, Field::Score) => labels.score.is_none(),
            (LossKind::Missing, Field::Result) => labels.result.is_none(),
            (LossKind::Missing, Field::Ply) => labels.ply.is_none(),
            (LossKind::Missing | LossKind::Refused | LossKind::Counted, _) => false,
            (LossKind::Dropped, Field::Score) => labels.score.is_some(),
            (LossKind::Dropped, Field::Move) => labels.best_move.is_some_and(|best_move| best_move.bits != 0),
            (LossKind::Dropped, Field::Result) => labels.result.is_some(),
            (LossKind::Dropped, Field::Ply) => labels.ply.is_some(),
            (LossKind::Dropped, Field::PsvPadding) => extras.psv_padding != 0,
            (LossKind::Dropped, Field::HcpePadding) => extras.hcpe_padding != 0,
            (LossKind::Dropped, Field::Payload) => extras.payload != Payload::default(),
            (LossKind::Dropped, Field::EndFlags) => extras.end_flags != 0,
            (LossKind::Dropped, Field::EndReason) => extras.end_reason.is_some(),
            (LossKind::Dropped, Field::Candidates) => !extras.is_unfit,
            (LossKind::Dropped, Field::Opponent) => extras.opponent != 0,
            (LossKind::Dropped, _) => false,
        }
    }
}

/// The losses of the conversion from `from` to `to`, in the order of [`Field::ALL`].
///
/// ```
/// use komabako_record::{Field, FileFormat, LossKind, losses};
/// let [loss, ..] = losses(FileFormat::Hcpe, FileFormat::Psv)[..] else { panic!() };
/// assert_eq!((loss.field, loss.kind), (Field::Ply, LossKind::MadeUp));
/// assert_eq!(loss.to_string(), "ply: the source has none; 0 (in SFEN 1) is written");
/// ```
pub fn losses(from: FileFormat, to: FileFormat) -> Vec<Loss> {
    let kind = |field| match (from.holds(field), to.holds(field)) {
        // The end reason says more than the flags, and its own loss is reported.
        (false, true) if field == Field::EndFlags && to.holds(Field::EndReason) => None,
        (true, false) => match field {
            Field::RemovedPieces | Field::MissingKings => Some(LossKind::Refused),
            Field::SpecialMove => to.holds(Field::Move).then_some(LossKind::Refused),
            _ => Some(LossKind::Dropped),
        },
        (false, true) => match field {
            Field::Ply if from.holds_games() => Some(LossKind::Counted),
            Field::Move if to.holds_games() => Some(LossKind::Refused),
            Field::PsvPadding | Field::HcpePadding => None,
            Field::SpecialMove | Field::RemovedPieces | Field::MissingKings => None,
            Field::Score | Field::Move | Field::Result | Field::Ply if to.has_unknown() => None,
            _ => Some(LossKind::MadeUp),
        },
        (true, true) => may_be_missing(from, to, field).then_some(LossKind::Missing),
        (false, false) => None,
    };
    Field::ALL.iter().filter_map(|&field| Some(Loss { field, kind: kind(field)? })).collect()
}

/// Whether a record may lack a field that both formats hold, and `to` has no form for that.
fn may_be_missing(from: FileFormat, to: FileFormat, field: Field) -> bool {
    match field {
        // A block of `plain` may be read without its lines, but is always written with all of them.
        Field::Score | Field::Result => {
            (from.has_unknown() || from == FileFormat::Plain) && !to.has_unknown()
        }
        // In every other format 0 is an unknown ply.
        Field::Ply => to == FileFormat::Sfen,
        _ => false,
    }
}

impl Loss {
    #[rustfmt::skip] // One row a loss.
    const fn text(&self) -> Phrase {
        match (self.field, self.kind) {
            (Field::Score, LossKind::Missing) => Phrase::new(
                "score: records that have none get 0",
                "評価値: ないレコードには 0 を書く",
            ),
            (Field::Result, LossKind::Missing) => Phrase::new(
                "result: records that have none get 0, a draw",
                "勝敗: ないレコードには 0 (引き分け) を書く",
            ),
            (Field::Ply, LossKind::Missing) => Phrase::new(
                "ply: records that have none get 1",
                "手数: ないレコードには 1 を書く",
            ),
            (Field::Score, LossKind::MadeUp) => Phrase::new(
                "score: the source has none; 0 is written",
                "評価値: 元にないため 0 を書く",
            ),
            (Field::Move, LossKind::MadeUp) => Phrase::new(
                "move: the source has none; 0, no move, is written",
                "指し手: 元にないため 0 (指し手なし) を書く",
            ),
            (Field::Result, LossKind::MadeUp) => Phrase::new(
                "result: the source has none; 0, a draw, is written",
                "勝敗: 元にないため 0 (引き分け) を書く",
            ),
            (Field::Ply, LossKind::Counted) => Phrase::new(
                "ply: the source has none; it is counted from 1 at the start of each game",
                "手数: 元にないため、対局の開始局面を 1 として数える",
            ),
            (Field::Ply, LossKind::MadeUp) => Phrase::new(
                "ply: the source has none; 0 (in SFEN 1) is written",
                "手数: 元にないため 0 (SFEN では 1) を書く",
            ),
            (Field::Payload, LossKind::MadeUp) => Phrase::new(
                "payload: the source has none; 0 is written",
                "付加情報: 元にないため 0 を書く",
            ),
            (Field::EndFlags, LossKind::MadeUp) => Phrase::new(
                "end flags: the source has none; none is set",
                "終局のフラグ: 元にないため立てない",
            ),
            (Field::EndReason, LossKind::MadeUp) => Phrase::new(
                "end reason: the source has none; it is taken from the end flags or the final position",
                "終局理由: 元にないため、終局のフラグか最終局面から定める",
            ),
            (Field::Games, LossKind::MadeUp) => Phrase::new(
                "games: the source has none; consecutive records whose moves lead from one to the next are joined, and records that cannot be played are refused",
                "対局の区切り: 元にないため、指し手でつながるレコードを 1 局とする。指せない手は変換できない",
            ),
            (Field::Candidates, LossKind::MadeUp) => Phrase::new(
                "candidates: the move played is written as the only one, with one visit",
                "候補手: 指した手のみを訪問回数 1 で書く",
            ),
            (Field::Opponent, LossKind::MadeUp) => Phrase::new(
                "opponent: the source has none; 0, self-play, is written",
                "対戦相手: 元にないため 0 (自己対局) を書く",
            ),
            (Field::Move, LossKind::Refused) => Phrase::new(
                "move: the source has none, but games consist of moves; every record is refused",
                "指し手: 元になく、棋譜にならないため変換できない",
            ),
            (Field::Score, _) => Phrase::new(
                "score: left out",
                "評価値: 失われる",
            ),
            (Field::Move, _) => Phrase::new(
                "move: left out",
                "指し手: 失われる",
            ),
            (Field::SpecialMove, _) => Phrase::new(
                "special moves: records whose move is `resign` or `win` are refused",
                "特殊な指し手: `resign` や `win` のレコードは変換できない",
            ),
            (Field::Result, _) => Phrase::new(
                "result: left out",
                "勝敗: 失われる",
            ),
            (Field::Ply, _) => Phrase::new(
                "ply: left out",
                "手数: 失われる",
            ),
            (Field::PsvPadding, _) => Phrase::new(
                "padding: byte 39 of PSV is left out",
                "パディング: PSV のバイト 39 は失われる",
            ),
            (Field::HcpePadding, _) => Phrase::new(
                "padding: byte 37 of hcpe is left out",
                "パディング: hcpe のバイト 37 は失われる",
            ),
            (Field::Payload, _) => Phrase::new(
                "payload: the six bits of C250 are left out",
                "付加情報: C250 の 6 ビットは失われる",
            ),
            (Field::EndFlags, _) => Phrase::new(
                "end flags: repetition, declaration and move limit are left out",
                "終局のフラグ: 千日手・宣言・手数制限のフラグは失われる",
            ),
            (Field::EndReason, _) => Phrase::new(
                "end reason: left out; the result is kept where the target has one",
                "終局理由: 失われる。出力形式にあれば勝敗は残る",
            ),
            (Field::Games, _) => Phrase::new(
                "games: their ends are left out, and so are games without a move",
                "対局の区切り: 失われる。指し手のない対局も失われる",
            ),
            (Field::Candidates, _) => Phrase::new(
                "candidates: moves with visit counts are left out, and so are the marks of positions not for training",
                "候補手: 訪問回数、学習に使わない局面のフラグとともに失われる",
            ),
            (Field::Opponent, _) => Phrase::new(
                "opponent: left out",
                "対戦相手: 失われる",
            ),
            (Field::RemovedPieces, _) => Phrase::new(
                "removed pieces: positions with fewer than 40 pieces are refused (handicaps, tsume)",
                "駒箱の駒: 40 枚に満たない局面 (駒落ち、詰将棋) は変換できない",
            ),
            (Field::MissingKings, _) => Phrase::new(
                "missing kings: positions without both kings are refused",
                "玉のない局面: 両方の玉がない局面は変換できない",
            ),
        }
    }
}

impl Message for Loss {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().write(lang, f)
    }
}

komabako_messages::english!(Loss);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_format_loses_nothing_but_what_records_lack() {
        for format in FileFormat::ALL.iter().copied().filter(|format| format.can_write()) {
            let missing: &[Field] = match format {
                FileFormat::Sfen => &[Field::Ply],
                FileFormat::Plain => &[Field::Score, Field::Result],
                _ => &[],
            };
            let missing: Vec<Loss> =
                missing.iter().map(|&field| Loss { field, kind: LossKind::Missing }).collect();
            assert_eq!(losses(format, format), missing);
        }
    }

    /// A record without a field, written and read again, has a value exactly if the loss is reported.
    #[test]
    fn every_format_that_fills_in_a_missing_field_says_so() {
        let labels = Labels::default();
        let record = crate::Record { setup: komabako_board::Setup::START, labels };
        for to in FileFormat::ALL.iter().copied().filter(|to| to.can_write() && !to.holds_games()) {
            let mut bytes = Vec::new();
            to.encode(&record, &mut bytes).unwrap();
            let read = to.decode(bytes.strip_suffix(to.record_end()).unwrap()).unwrap().labels;
            let filled = [
                (Field::Score, read.score.is_some()),
                (Field::Result, read.result.is_some()),
                (Field::Ply, read.ply.is_some()),
            ];
            for (field, is_filled) in filled {
                let missing = Loss { field, kind: LossKind::Missing };
                assert_eq!(losses(FileFormat::Csv, to).contains(&missing), is_filled, "{to} {field:?}");
                assert!(missing.affects(&labels));
            }
        }
    }

    #[test]
    fn losses_affect_only_records_with_the_field() {
        let dropped = |field| Loss { field, kind: LossKind::Dropped };
        let mut labels = Labels::default();
        for field in [Field::Score, Field::Ply, Field::PsvPadding, Field::Result, Field::Opponent] {
            assert!(!dropped(field).affects(&labels), "{field:?}");
        }
        labels.score = Some(0);
        labels.ply = Some(1);
        labels.extras.psv_padding = 7;
        for field in [Field::Score, Field::Ply, Field::PsvPadding] {
            assert!(dropped(field).affects(&labels), "{field:?}");
            assert!(!Loss { field, kind: LossKind::Refused }.affects(&labels), "{field:?}");
            assert!(Loss { field, kind: LossKind::MadeUp }.affects(&Labels::default()), "{field:?}");
        }
    }

    #[test]
    fn losses_equal_the_specifications_examples() {
        let lost = |from, to| -> Vec<_> {
            losses(from, to).into_iter().map(|loss| (loss.field, loss.kind)).collect()
        };
        assert_eq!(
            lost(FileFormat::Psv, FileFormat::Hcpe),
            [
                (Field::SpecialMove, LossKind::Refused),
                (Field::Ply, LossKind::Dropped),
                (Field::PsvPadding, LossKind::Dropped),
            ]
        );
        assert_eq!(
            lost(FileFormat::Hcpe, FileFormat::Psv),
            [(Field::Ply, LossKind::MadeUp), (Field::HcpePadding, LossKind::Dropped)]
        );
        assert_eq!(
            lost(FileFormat::Sfen, FileFormat::Sspfv1),
            [
                (Field::Ply, LossKind::Dropped),
                (Field::RemovedPieces, LossKind::Refused),
                (Field::MissingKings, LossKind::Refused),
            ]
        );
        assert_eq!(
            lost(FileFormat::Pack, FileFormat::Psv),
            [
                (Field::EndFlags, LossKind::Dropped),
                (Field::EndReason, LossKind::Dropped),
                (Field::Games, LossKind::Dropped),
            ]
        );
        assert_eq!(lost(FileFormat::Hcpe, FileFormat::Csv), [(Field::HcpePadding, LossKind::Dropped)]);
        assert_eq!(lost(FileFormat::Sfen, FileFormat::Jsonl), []);
        assert_eq!(
            lost(FileFormat::Jsonl, FileFormat::Compact36),
            [(Field::Score, LossKind::Missing), (Field::Result, LossKind::Missing)]
        );
        assert_eq!(lost(FileFormat::Pack, FileFormat::Plain)[..1], [(Field::EndFlags, LossKind::Dropped)]);
        assert!(lost(FileFormat::Hcpe3, FileFormat::Psv).contains(&(Field::Ply, LossKind::Counted)));
        assert_eq!(
            lost(FileFormat::Psv, FileFormat::Pack),
            [
                (Field::SpecialMove, LossKind::Refused),
                (Field::PsvPadding, LossKind::Dropped),
                (Field::EndReason, LossKind::MadeUp),
                (Field::Games, LossKind::MadeUp),
            ]
        );
        assert!(lost(FileFormat::Pack, FileFormat::Hcpe3).contains(&(Field::Candidates, LossKind::MadeUp)));
        assert!(lost(FileFormat::Sfen, FileFormat::Pack).contains(&(Field::Move, LossKind::Refused)));
    }
}
