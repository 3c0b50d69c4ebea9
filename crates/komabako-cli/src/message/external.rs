//! Texts of jobs on files larger than memory: what they take, their phases, their reports.

use komabako::dataset::Phase;

use super::Lang;

texts! {
    needs_label() { "needs", "必要量" }
    needs_memory(memory, limit) { "memory {memory} of {limit}", "メモリ {memory} (上限 {limit})" }
    needs_disk(path, peak, free) { "disk {path}: {peak}, {free} free", "ディスク {path}: {peak} (空き {free})" }
    needs_records(records) { "{records} records", "{records} レコード" }
    needs_parts(keys, order) {
        "in {keys} parts to find duplicates and {order} to shuffle",
        "重複検出 {keys} 分割、シャッフル {order} 分割"
    }
    duplicates_label() { "duplicates", "重複" }
    share_left_out(count, percent) { "{count} left out ({percent} %)", "{count} 件を除外 ({percent} %)" }
    only_count_left_out(count) { "{count} left out", "{count} 件を除外" }
    resumed_label() { "resumed", "再開" }
    resumed() { "from what an earlier run had finished", "以前の実行が終えたところから" }
    kept_for_later(directory) {
        "what is finished is kept in {directory}; the same command with `--resume` goes on from it",
        "終わった分は {directory} に残しました。同じコマンドに `--resume` を付けると続きから始めます"
    }
}

/// The units of sizes, each a thousand times the one before.
const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];

impl Lang {
    /// What a job is doing, before how far it is.
    pub fn phase(self, phase: Phase) -> String {
        let (en, ja) = match phase {
            Phase::Spool => ("copying the stream: ", "入力を保存中: "),
            Phase::Count => ("counting: ", "計数中: "),
            Phase::Keys => ("reading keys: ", "キーを読込中: "),
            Phase::Mark => ("finding duplicates: ", "重複を検出中: "),
            Phase::Deal => ("dealing out: ", "振り分け中: "),
            Phase::Write => ("writing: ", "書込中: "),
            _ => ("", ""),
        };
        match self {
            Lang::En => en.to_owned(),
            Lang::Ja => ja.to_owned(),
        }
    }

    /// A number of bytes, in three digits or so.
    pub fn size(self, bytes: u64) -> String {
        let mut number = bytes as f64;
        let mut unit = 0;
        while number >= 999.5 && unit + 1 < UNITS.len() {
            number /= 1000.0;
            unit += 1;
        }
        match number {
            10.0.. => format!("{number:.0} {}", UNITS[unit]),
            _ if unit == 0 => format!("{number:.0} {}", UNITS[unit]),
            _ => format!("{number:.1} {}", UNITS[unit]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_234, "1.2 kB"),
            (999_999, "1.0 MB"),
            (4_000_000_000_000, "4.0 TB"),
        ] {
            assert_eq!(Lang::En.size(bytes), text);
        }
    }
}
