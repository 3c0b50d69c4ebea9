//! Texts of `info`.

use komabako::dataset::archive::{Joints, Summary};

use super::common::grouped;
use super::lang::Lang;
use crate::own_file::OwnFile;
use crate::survey::Oddity;

texts! {
    records_label => "records", "レコード";
    archive_label => "archive", "アーカイブ";
    archive_line(members, blocks, per_record) =>
        "members: {members}; blocks: {blocks}{per_record}", "メンバー {members}、ブロック {blocks}{per_record}";
    archive_per_record(bytes) => "; {bytes} bytes a record", "、1 レコード {bytes} バイト";
    archive_joints_line(chained, bridged, loose) =>
        "records: {chained} continue the record before, {bridged} after a missing move, {loose} stand alone",
        "レコード: 前のレコードの続き {chained}、1 手欠けた続き {bridged}、独立 {loose}";
    archive_columns(names) => "columns of users: {names}", "利用者の列: {names}";
    archive_metadata(text) => "metadata: {text}", "メタデータ: {text}";
    archive_order_lost => "the order of the records was given up (--unordered)", "レコードの順序は失われている (--unordered)";
    samples_label => "samples", "例";
    oddities_label => "note", "注意";
    read_by(command) => "read it: {command}", "読み込む: {command}";
    bad_of_examined(bad, seen) => "{bad} of {seen} examined", "調べた {seen}のうち {bad} 件";
}

impl Lang {
    /// What an archive consists of, line by line.
    pub fn archive_lines(self, archive: &Summary) -> Vec<String> {
        let blocks: Vec<String> =
            archive.blocks.iter().map(|(codec, count)| format!("{} {codec}", grouped(*count))).collect();
        let blocks = if blocks.is_empty() { "0".to_owned() } else { blocks.join(", ") };
        let per_record = match archive.records {
            0 => String::new(),
            records => self.archive_per_record(format!("{:.3}", archive.bytes as f64 / records as f64)),
        };
        let Joints { loose, chained, bridged } = archive.joints;
        let mut lines = vec![
            self.archive_line(archive.members, blocks, per_record),
            self.archive_joints_line(grouped(chained as u64), grouped(bridged as u64), grouped(loose as u64)),
        ];
        if archive.order_lost {
            lines.push(self.archive_order_lost());
        }
        if !archive.columns.is_empty() {
            let names: Vec<&str> = archive.columns.iter().map(String::as_str).collect();
            lines.push(self.archive_columns(names.join(", ")));
        }
        for metadata in archive.metadata.iter().filter(|metadata| !metadata.is_empty()) {
            lines.push(self.archive_metadata(String::from_utf8_lossy(metadata)));
        }
        lines
    }

    /// What a file is that holds neither records nor games.
    pub fn own_file(self, file: &OwnFile) -> String {
        match_text!(self, file;
            OwnFile::Certificates => "certificates of mate problems", "詰将棋の証明書";
            OwnFile::Statistics => "statistics that stats --save wrote", "stats --save の統計";
            OwnFile::Manifest => "a manifest: where the files of a command come from", "マニフェスト: コマンドのファイルの由来";
            OwnFile::Report(command) => "the report of komabako {command}, JSON", "komabako {command} の報告 (JSON)", command = command;
            OwnFile::Column(width) => "a column of numbers ({width}), one a record",
                "数の列 ({width})。1 レコードに 1 個", width = width;
            OwnFile::Mask => "a mask, one bit a record", "マスク。1 レコードに 1 ビット";
        )
    }

    /// The text of an oddity of a file.
    pub fn oddity(self, oddity: Oddity) -> String {
        match_text!(self, oddity;
            Oddity::SameScore(score) => "every score is {score}", "評価値がすべて {score}";
            Oddity::SamePly(ply) => "every ply is {ply}", "手数がすべて {ply}";
            Oddity::NoPly => "no ply is known", "手数が不明";
            Oddity::SameResult => "every game has the same result", "勝敗がすべて同じ";
            Oddity::NoMoves => "no record has a move", "どのレコードにも指し手がない";
            Oddity::IllFormedMoves(count) => "ill-formed moves: {count} (perhaps another encoding of moves)",
                "不正な指し手が {count} 件 (別のエンコーディングの可能性)", count = grouped(count);
            Oddity::ImpossibleScores(count) => "scores that mean no score (-32768, 32002): {count}",
                "評価値なしを表す値 (-32768、32002) が {count} 件", count = grouped(count);
            Oddity::Padding(count) => "records whose padding byte is not 0: {count}",
                "パディングのバイトが 0 でないレコードが {count} 件", count = grouped(count);
        )
    }
}
