//! Texts about formats, their contents, and the losses of conversions.

use komabako::dataset::{Field, Lost};

use super::lang::Lang;

texts! {
    format_heading => "format", "形式";
    extension_heading => "extension", "拡張子";
    bytes_heading => "bytes", "バイト";
    labels_heading => "labels", "付随情報";
    write_heading => "written", "書込";
    what_heading => "contents", "内容";
    score => "score", "評価値";
    best_move => "move", "指し手";
    result => "result", "勝敗";
    ply => "ply", "手数";
    reading_compression =>
        "Compression (.zst, .gz, .xz) is detected from the content on reading and from the extension on writing.\n\
         Records are read from and written to archives (.kmb), game records read from .zip, .7z and .lzh too.",
        "圧縮 (.zst、.gz、.xz) は、読み込みでは内容から、書き込みでは拡張子から判断します。\n\
         レコードはアーカイブ (.kmb) でも読み書きでき、棋譜は .zip、.7z、.lzh からも読みます。";
    reading_losses => "To list the losses of a conversion: komabako formats --from psv --to hcpe",
        "変換で失われるもの: komabako formats --from psv --to hcpe";
    nothing_lost => "nothing is lost", "失われるものはありません";
}

impl Lang {
    /// A loss of a conversion, with its count.
    pub fn lost(self, lost: &Lost) -> String {
        let text = self.say(&lost.loss);
        match lost.count {
            Some(games) if lost.loss.field == Field::Games => format!("{text} ({})", self.games(games)),
            Some(records) => format!("{text} ({})", self.records(records)),
            None => text,
        }
    }
}
