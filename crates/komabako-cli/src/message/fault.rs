//! Faults of a line or a word, and the advice for them.

use komabako::board::sfen::{SfenError, SfenFault};
use komabako::board::{BaseKind, Color};
use komabako::codec::{PackError, UnpackError, UnpackFault};
use komabako::dataset::games::{GameCause, GameFault, GamePlace};

use super::dataset::move_ja;
use super::lang::Lang;
use crate::fault::Fault;
use crate::hex::HexError;

impl Lang {
    /// The text of a fault.
    pub fn fault(self, fault: &Fault) -> String {
        match (self, fault) {
            (Lang::En, Fault::Sfen(error)) => {
                let text = error.to_string();
                // The caller prints the column.
                text.split_once(": ").map_or(text.clone(), |(_, rest)| rest.to_owned())
            }
            (_, Fault::Moves(why)) => why.clone(),
            (Lang::Ja, Fault::Sfen(error)) => sfen_ja(error),
            (_, Fault::Pack(error)) => format!("{} ({})", self.pack_error(*error), error.name()),
            (_, Fault::Unpack(error)) => self.unpack_error(error),
            (_, Fault::Hex(error)) => self.hex_error(*error),
        }
    }

    /// The advice for a fault.
    pub fn fault_help(self, fault: &Fault) -> String {
        let (en, ja) = match fault {
            Fault::Sfen(_) | Fault::Moves(_) => (
                "correct the line, or continue with `--on-error skip` or `--on-error inline`",
                "行を直すか、`--on-error skip` または `--on-error inline` で続行してください",
            ),
            Fault::Pack(_) => (
                "choose a format that holds the position (`komabako formats`), or continue with `--on-error skip`",
                "局面を表せる形式を選ぶか (`komabako formats`)、`--on-error skip` で続行してください",
            ),
            Fault::Hex(_) | Fault::Unpack(_) => (
                "check that `--format` is right, or continue with `--on-error skip` or `--on-error inline`",
                "`--format` が正しいか確かめるか、`--on-error skip` または `--on-error inline` で続行してください",
            ),
        };
        match self {
            Lang::En => en.to_owned(),
            Lang::Ja => ja.to_owned(),
        }
    }

    /// Why a format cannot hold a position.
    pub fn pack_error(self, error: PackError) -> String {
        match (self, error) {
            (Lang::Ja, PackError::KingMissing(color)) => {
                format!("{}の玉がない局面は、この形式では表せません", side_ja(color))
            }
            (Lang::Ja, PackError::PieceRemoved(kind)) => {
                format!("盤にも持ち駒にもない{}があり、この形式では表せません", kind_ja(kind))
            }
            _ => error.to_string(),
        }
    }

    /// Why a word was refused, with its field and bit.
    pub fn unpack_error(self, error: &UnpackError) -> String {
        match self {
            Lang::En => error.to_string(),
            Lang::Ja => {
                format!(
                    "{} (フィールド {}、ビット {}、{})",
                    self.unpack_fault(error.fault),
                    error.field,
                    error.bit,
                    error.name()
                )
            }
        }
    }

    /// The place and the fault at which a game stops, in Japanese.
    pub fn game_fault_ja(self, fault: &GameFault) -> String {
        let GamePlace { game, number } = fault.place;
        let what = self.game_cause_ja(&fault.cause);
        match fault.cause {
            GameCause::Bits(_) | GameCause::Illegal(..) => {
                format!("対局 {game} の {number} 手目 (バイト {}): {what}", fault.offset)
            }
            GameCause::Result(_) => format!("対局 {game}: {what}"),
            _ => format!("対局 {game} の開始局面: {what}"),
        }
    }

    /// Why a move or a position cannot be part of a game, in Japanese.
    pub fn game_cause_ja(self, cause: &GameCause) -> String {
        match cause {
            GameCause::Start(error) => self.unpack_error(error),
            GameCause::Position(fault) => self.position_fault(fault),
            GameCause::OpponentInCheck => "手番でない側の玉に王手がかかっています".to_owned(),
            GameCause::Result(code) => format!("結果 {code} はこの形式にありません"),
            GameCause::Bits(fault) => move_ja(fault),
            GameCause::Illegal(mv, reason) => format!("{mv} は指せません。{}", self.illegality(*reason)),
            _ => cause.to_string(),
        }
    }

    fn hex_error(self, error: HexError) -> String {
        match (self, error) {
            (Lang::En, HexError::Digit(_)) => "not a hexadecimal digit".to_owned(),
            (Lang::En, HexError::Length { digits, expected }) => {
                format!("{digits} hexadecimal digits; a word has {expected}")
            }
            (Lang::Ja, HexError::Digit(_)) => "16 進の数字ではありません".to_owned(),
            (Lang::Ja, HexError::Length { digits, expected }) => {
                format!("16 進で {digits} 桁です。符号語は {expected} 桁です")
            }
        }
    }

    fn unpack_fault(self, fault: UnpackFault) -> String {
        let ja = match fault {
            UnpackFault::KingCode => "玉の位置が盤のマスではありません",
            UnpackFault::BaseKingMissing => "玉がありません (SSPFv1 の拡張形式でのみ表せます)",
            UnpackFault::KingsCollide => "両方の玉が同じマスにあります",
            UnpackFault::PieceTotal => "玉以外の駒が 38 枚を超えています",
            UnpackFault::NonpawnTotal => "玉と歩以外の駒が 20 枚を超えています",
            UnpackFault::PawnCount => "歩が 18 枚を超えています",
            UnpackFault::Pt1Tail => "pt_bit1 の終わりより後のビットが立っています",
            UnpackFault::Pt2Tail => "pt_bit2 の終わりより後のビットが立っています",
            UnpackFault::LanceCount => "香が 4 枚を超えています",
            UnpackFault::KnightCount => "桂が 4 枚を超えています",
            UnpackFault::SilverCount => "銀が 4 枚を超えています",
            UnpackFault::GbrTotal => "金・角・飛が合わせて 8 枚を超えています",
            UnpackFault::Pt3Tail => "pt_bit3 の終わりより後のビットが立っています",
            UnpackFault::GoldCount => "金が 4 枚を超えています",
            UnpackFault::BrTotal => "角・飛が合わせて 4 枚を超えています",
            UnpackFault::Pt4Tail => "pt_bit4 の終わりより後のビットが立っています",
            UnpackFault::BishopCount => "角が 2 枚を超えています",
            UnpackFault::RookCount => "飛が 2 枚を超えています",
            UnpackFault::PromotedTail => "is_promoted の終わりより後のビットが立っています",
            UnpackFault::RemovedColor => "駒箱の駒に手番の色が付いています",
            UnpackFault::BasePieceRemoved => "駒箱の駒があります (SSPFv1 の拡張形式でのみ表せます)",
            UnpackFault::TailOrder => "盤外の駒の並びが正規の順ではありません",
            UnpackFault::SidePopcount => "1 の数が 35 から 40 で、どちらの手番でもありません",
            UnpackFault::BishopCode => "この符号の角の組はありません",
            UnpackFault::RookCode => "この符号の飛の組はありません",
            UnpackFault::MajorsCollide => "玉・角・飛のうち 2 枚が同じマスにあります",
            UnpackFault::MajorPromoted => "盤外の角か飛が成っています",
            UnpackFault::Payload => "付加情報が 0 ではありません",
            UnpackFault::TailCode => "盤外の駒にこの符号はありません",
            UnpackFault::PhantomPawns => "末尾の 0 が先手の持ち駒の歩か、省略された駒か決められません",
            UnpackFault::Length => "符号の終わりが 256 ビット目と一致しません",
            UnpackFault::Range => "番号が局面の総数以上です。ビット 238、239 は 0 ですか",
            _ => return fault.to_string(),
        };
        match self {
            Lang::En => fault.to_string(),
            Lang::Ja => ja.to_owned(),
        }
    }
}

pub fn sfen_ja(error: &SfenError) -> String {
    let what = match error.fault {
        SfenFault::Start => "`position` の後には `sfen` か `startpos` が必要です".to_owned(),
        SfenFault::BoardMissing => "盤面がありません".to_owned(),
        SfenFault::Board => "駒、1 から 9 の数字、`+`、`/` のいずれかが必要です".to_owned(),
        SfenFault::Promoted => "`+` の後には P L N S B R のいずれかが必要です".to_owned(),
        SfenFault::DoesNotPromote(kind) => format!("{}は成れません", kind_ja(kind)),
        SfenFault::RankTooLong(rank) => format!("{} 段目が 9 マスを超えています", rank.number()),
        SfenFault::RankTooShort(rank, squares) => {
            format!("{} 段目が {squares} マスで終わっています (9 マス必要)", rank.number())
        }
        SfenFault::RanksMissing(ranks) => format!("盤面が {ranks} 段で終わっています (9 段必要)"),
        SfenFault::TooManyRanks => "10 段目があります (盤面は 9 段)".to_owned(),
        SfenFault::SecondKing(color) => format!("{}の玉が 2 枚あります", side_ja(color)),
        SfenFault::TooMany(kind) => {
            format!("{}が盤と持ち駒を合わせて {} 枚を超えています", kind_ja(kind), kind.inventory())
        }
        SfenFault::Side => "手番 `b` か `w` が必要です".to_owned(),
        SfenFault::Hand => "持ち駒には枚数か R B G S N L P のいずれかが必要です".to_owned(),
        SfenFault::KingInHand => "玉は持ち駒になりません".to_owned(),
        SfenFault::PromotedInHand => "持ち駒に成駒はありません。`+` を取り除いてください".to_owned(),
        SfenFault::Count => "持ち駒の枚数は 1 から 9 で始まります。ない駒は書かないでください".to_owned(),
        SfenFault::Ply => "手数の数字が必要です".to_owned(),
        SfenFault::PlyTooLarge => "手数が大きすぎます".to_owned(),
        SfenFault::Moves => "局面の後に指し手があります。ここで行を切ってください".to_owned(),
        SfenFault::Trailing => "局面の後に余分な文字があります".to_owned(),
        fault => return fault.to_string(),
    };
    match error.found {
        Some(found) => format!("{what} (ここは `{}`)", found.escape_debug()),
        None => format!("{what} (ここで行が終わっています)"),
    }
}

/// A side's name.
pub fn side_ja(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

/// A kind's name.
pub fn kind_ja(kind: BaseKind) -> &'static str {
    ["歩", "香", "桂", "銀", "金", "角", "飛", "玉"][kind as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use komabako::board::sfen;
    use komabako::codec::Field;

    #[test]
    fn english_texts_of_a_line_leave_the_column_to_the_caller() {
        let error = sfen::parse("x").unwrap_err();
        assert_eq!(error.column, 1);
        assert_eq!(
            Lang::En.fault(&Fault::Sfen(error)),
            "expected a piece, a digit 1 to 9, `+` or `/`, found `x`"
        );
    }

    #[test]
    fn a_refused_word_is_named_in_japanese_with_its_field_and_bit() {
        let error = UnpackError { fault: UnpackFault::KingCode, field: Field::Kings, bit: 80 };
        let text = Lang::Ja.unpack_error(&error);
        assert_eq!(text, "玉の位置が盤のマスではありません (フィールド kings、ビット 80、KING_CODE)");
    }
}
