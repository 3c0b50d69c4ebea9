//! Texts about formats, their contents, and the losses of conversions.

use komabako::dataset::detect::{Evidence, Reason};
use komabako::dataset::{Field, FileFormat, Loss, LossKind, Lost};

use super::common::grouped;
use super::lang::Lang;

texts! {
    format_heading() { "format", "形式" }
    extension_heading() { "extension", "拡張子" }
    bytes_heading() { "bytes", "バイト" }
    labels_heading() { "labels", "付随情報" }
    write_heading() { "written", "書込" }
    what_heading() { "contents", "内容" }
    score() { "score", "評価値" }
    best_move() { "move", "指し手" }
    result() { "result", "勝敗" }
    ply() { "ply", "手数" }
    reading_compression() {
        "Compression (.zst, .gz, .xz) is detected from the content on reading and from the extension on writing.",
        "圧縮 (.zst、.gz、.xz) は、読み込みでは内容から、書き込みでは拡張子から判断します。"
    }
    reading_losses() {
        "To list the losses of a conversion: komabako formats --from psv --to hcpe",
        "変換で失われるもの: komabako formats --from psv --to hcpe"
    }
    nothing_lost() { "nothing is lost", "失われるものはありません" }
}

impl Lang {
    /// A description of a format, in one line.
    pub fn format_description(self, format: FileFormat) -> String {
        let ja = match format {
            FileFormat::Psv => "やねうら王の PackedSfenValue",
            FileFormat::PsvLenient => "規格外の PSV (持ち駒の順の違い、駒の省略を許す)",
            FileFormat::Hcpe => "Apery・dlshogi の HuffmanCodedPosAndEval",
            FileFormat::Hcpe2 => "dlshogi の hcpe に終局のフラグを加えたもの",
            FileFormat::Hcpe3 => "dlshogi の棋譜と候補手",
            FileFormat::Pack => "GenSfen の棋譜",
            FileFormat::Sspfv1 => "SSPFv1 の符号語のみ",
            FileFormat::PackedSfen => "PackedSfen の符号語のみ",
            FileFormat::Hcp => "HuffmanCodedPos の符号語のみ",
            FileFormat::Nshogi => "nshogi の符号語のみ",
            FileFormat::Sspfv1Ext => "SSPFv1 拡張形式の符号語のみ",
            FileFormat::C250 => "C250 の符号語のみ (付加情報を含む)",
            FileFormat::R238 => "R238 の番号のみ",
            FileFormat::Compact36 => "R238 の番号に評価値・指し手・手数・勝敗を加えたもの",
            FileFormat::Compact32 => "R238 の番号に評価値・勝敗を加えたもの",
            FileFormat::Ext36 => "SSPFv1 拡張形式の符号語に評価値・指し手を加えたもの",
            FileFormat::Sfen => "テキスト、1 行に 1 つの SFEN",
            FileFormat::Plain => "テキスト、sfen・move・score・ply・result・e のブロック",
            FileFormat::Tsv => "テキスト、タブ区切りの表 (sfen、move、score、ply、result)",
            FileFormat::Csv => "テキスト、コンマ区切りの表 (sfen、move、score、ply、result)",
            FileFormat::Jsonl => "テキスト、1 行に 1 つの JSON (sfen、move、score、ply、result)",
            _ => return format.description().to_owned(),
        };
        match self {
            Lang::En => format.description().to_owned(),
            Lang::Ja => ja.to_owned(),
        }
    }

    /// A loss of a conversion.
    pub fn loss(self, loss: &Loss) -> String {
        let ja = match (loss.field, loss.kind) {
            (Field::Score, LossKind::MadeUp) => "評価値: 元にないため 0 を書く",
            (Field::Move, LossKind::MadeUp) => "指し手: 元にないため 0 (指し手なし) を書く",
            (Field::Result, LossKind::MadeUp) => "勝敗: 元にないため 0 (引き分け) を書く",
            (Field::Ply, LossKind::Counted) => "手数: 元にないため、対局の開始局面を 1 として数える",
            (Field::Ply, LossKind::MadeUp) => "手数: 元にないため 0 (SFEN では 1) を書く",
            (Field::Payload, LossKind::MadeUp) => "付加情報: 元にないため 0 を書く",
            (Field::EndFlags, LossKind::MadeUp) => "終局のフラグ: 元にないため立てない",
            (Field::EndReason, LossKind::MadeUp) => {
                "終局理由: 元にないため、終局のフラグか最終局面から定める"
            }
            (Field::Games, LossKind::MadeUp) => {
                "対局の区切り: 元にないため、指し手でつながるレコードを 1 局とする。指せない手は変換できない"
            }
            (Field::Candidates, LossKind::MadeUp) => "候補手: 指した手のみを訪問回数 1 で書く",
            (Field::Opponent, LossKind::MadeUp) => "対戦相手: 元にないため 0 (自己対局) を書く",
            (Field::Move, LossKind::Refused) => "指し手: 元になく、棋譜にならないため変換できない",
            (Field::Score, _) => "評価値: 失われる",
            (Field::Move, _) => "指し手: 失われる",
            (Field::SpecialMove, _) => "特殊な指し手: `resign` や `win` のレコードは変換できない",
            (Field::Result, _) => "勝敗: 失われる",
            (Field::Ply, _) => "手数: 失われる",
            (Field::PsvPadding, _) => "パディング: PSV のバイト 39 は失われる",
            (Field::HcpePadding, _) => "パディング: hcpe のバイト 37 は失われる",
            (Field::Payload, _) => "付加情報: C250 の 6 ビットは失われる",
            (Field::EndFlags, _) => "終局のフラグ: 千日手・宣言・手数制限のフラグは失われる",
            (Field::EndReason, _) => "終局理由: 失われる。出力形式にあれば勝敗は残る",
            (Field::Games, _) => "対局の区切り: 失われる。指し手のない対局も失われる",
            (Field::Candidates, _) => "候補手: 訪問回数、学習に使わない局面のフラグとともに失われる",
            (Field::Opponent, _) => "対戦相手: 失われる",
            (Field::RemovedPieces, _) => "駒箱の駒: 40 枚に満たない局面 (駒落ち、詰将棋) は変換できない",
            (Field::MissingKings, _) => "玉のない局面: 両方の玉がない局面は変換できない",
            _ => return loss.to_string(),
        };
        match self {
            Lang::En => loss.to_string(),
            Lang::Ja => ja.to_owned(),
        }
    }

    /// The name of a field by which records are compared.
    pub fn field(self, field: Field) -> String {
        let ja = match field {
            Field::Score => "評価値",
            Field::Move => "指し手",
            Field::Result => "勝敗",
            Field::Ply => "手数",
            _ => field.name(),
        };
        match self {
            Lang::En => field.name().to_owned(),
            Lang::Ja => ja.to_owned(),
        }
    }

    /// A loss of a conversion, with its count.
    pub fn lost(self, lost: &Lost) -> String {
        let text = self.loss(&lost.loss);
        match lost.count {
            Some(games) if lost.loss.field == Field::Games => format!("{text} ({})", self.games(games)),
            Some(records) => format!("{text} ({})", self.records(records)),
            None => text,
        }
    }

    /// One reason for or against a format.
    pub fn reason(self, reason: &Reason) -> String {
        match reason {
            Reason::Evidence(evidence) => self.evidence(evidence),
            _ if self == Lang::En => reason.to_string(),
            Reason::Given(format) => format!("指定により {format} として読む"),
            Reason::Compressed(compression) => format!("先頭が {} の識別子", compression.name()),
            _ => reason.to_string(),
        }
    }

    fn evidence(self, evidence: &Evidence) -> String {
        match evidence {
            Evidence::Decoded { format, good, sampled } if self == Lang::En && *sampled > 0 => {
                let good = grouped(*good as u64);
                let records = self.records(*sampled as u64);
                format!("{format}: {good} of the first {records} can be decoded")
            }
            _ if self == Lang::En => evidence.to_string(),
            Evidence::Empty => "空のファイル (どの形式としても正しい)".to_owned(),
            Evidence::Extension(format) => format!("拡張子が {format} 用"),
            Evidence::Size { format, size, record } => {
                format!("{format}: {} バイトは {record} の倍数でない", grouped(*size))
            }
            Evidence::Decoded { format, sampled: 0, .. } => format!("{format}: 完全なレコードで始まらない"),
            Evidence::Decoded { format, good, sampled } => {
                let good = grouped(*good as u64);
                let records = self.records(*sampled as u64);
                format!("{format}: 先頭の {records}のうち {good} 件が復号できる")
            }
            Evidence::Damaged { format, damage } => format!("{format}: {}", self.damage(*damage)),
            Evidence::OtherCodec { format, codec, good, sampled } => {
                format!("{format} で、局面が {codec} の符号語: 先頭の {sampled} レコードのうち {good} 件")
            }
            Evidence::NameIgnored(format) => format!("名前は {format} だが、内容は異なる"),
            _ => evidence.to_string(),
        }
    }
}
