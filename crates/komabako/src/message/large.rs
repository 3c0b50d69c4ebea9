//! Texts of long jobs: needed resources, phases, and the reports of jobs on files larger than memory.

use komabako::dataset::preflight::Amount;
use komabako::dataset::{DatasetError, Name, Phase};

use super::lang::Lang;

texts! {
    needs_label => "needs", "必要量";
    needs_memory(memory, limit) => "memory {memory} of {limit}", "メモリ {memory} (上限 {limit})";
    needs_disk(path, peak, free) => "disk {path}: {peak}, {free} free", "ディスク {path}: {peak} (空き {free})";
    needs_uncounted(path) => "{path}: not included, one line per bad record",
        "{path}: 見積もりに含みません (不正なレコード 1 件に 1 行)";
    records_unknown => "records: the number is unknown until they are read",
        "レコード数は読むまで分かりません";
    disk_may_fill(path, most, free) => "{path}: up to {most} may be written there, but {free} are free",
        "{path}: 最大 {most} を書きますが、空きは {free} です";
    needs_parts(keys, order) => "in {keys} parts to find duplicates and {order} to shuffle",
        "重複検出 {keys} 分割、シャッフル {order} 分割";
    needs_key_parts(keys) => "in {keys} parts to find duplicates", "重複検出 {keys} 分割";
    needs_order_parts(order) => "in {order} parts to shuffle", "シャッフル {order} 分割";
    duplicates_label => "duplicates", "重複";
    in_references_label => "in other sets", "ほかのファイルにある";
    share_left_out(count, percent) => "{count} left out ({percent} %)", "{count} 件を除外 ({percent} %)";
    other_parts_label => "other parts", "ほかの分担";
    left_to_other_parts(count) => "{count} belong to other partitions", "{count} 件はほかの分担に任せた";
    references_label => "references", "参照";
    bad_references(count) => "{count} bad records, with which nothing was compared",
        "不正なレコード {count} 件とは比較していません";
    kept_inputs_label => "kept", "入力";
    kept_inputs =>
        "the inputs are not deleted: only they hold the data left out above, or comments (`--on-error collect=FILE` keeps bad records)",
        "削除していません。上の除外・欠落分やコメントは入力にしかありません (`--on-error collect=FILE` で不正なレコードを残せます)";
    changed_input(path) =>
        "{path} is not deleted: it changed after it was read, and the output lacks the change",
        "{path} は削除していません。読んだ後で内容が変わり、出力にその変更は入っていません";
    nothing_to_resume_help =>
        "no unfinished job is left to resume; if an earlier run wrote this file, it is complete",
        "再開できる途中の処理は残っていません。以前の実行が書いたファイルなら、完成しています";
    resumed_label => "resumed", "再開";
    resumed => "from the finished part of an earlier run", "以前の実行が終えたところから";
    left_by_killed_job(directory, size) =>
        "{directory}: left by a killed job ({size}); it is no longer needed and can be removed",
        "{directory}: 強制終了した処理が残したものです ({size})。不要なので削除してください";
    resume_without_bad_help(directory) =>
        "continue without bad records: the same command with `--resume --on-error collect=FILE`, which keeps them in FILE, or \
         with `--resume --on-error skip` (`--resume` alone stops here again); to repair the inputs first, remove {directory}, \
         which holds the finished part",
        "同じコマンドに `--resume --on-error collect=FILE` を付けると、不正なレコードを FILE に集めながら続けます。\
         除くだけなら `--resume --on-error skip` です (`--resume` だけではまたここで止まります)。先に入力を直すときは、途中まで\
         の結果がある {directory} を削除してください";
    bad_reference_help =>
        "mend the reference: `komabako repair IN OUT`, or write it anew from its source; `--on-error` would only leave this record out \
         of it, and its position would pass into the output",
        "参照のファイルを直すか (`komabako repair IN OUT`)、元のデータから作り直してください。`--on-error` では参照からこのレコードが抜けるだけ\
         で、その局面は除かれずに出力に残ります";
    unrecognized_reference_help =>
        "content and name tell the format of a reference, and not `--from`: give it the extension of its format, see `komabako formats`",
        "参照の形式は `--from` ではなく内容と名前で判別します。形式の拡張子を付けた名前にしてください (`komabako formats` を参照)";
    kept_for_later(directory) =>
        "the finished part is kept in {directory}; the same command with `--resume` continues from there",
        "終わった分は {directory} に残しました。同じコマンドに `--resume` を付けると続きから始めます";
}

reports! {
    deletion_after_pipe as "delete_inputs" => "inputs are not deleted if the output is a pipe",
        "標準出力に書くときは入力を削除しません",
        help "the reader of the pipe may not keep the records; write to a file, or leave out `--delete-inputs`",
        "出力が保存されるか分からないためです。ファイルに書くか、`--delete-inputs` を外してください";
    cancelled_and_kept(directory) as "interrupted" => "cancelled; the finished part is kept in {directory}",
        "中断しました。終わった分は {directory} に残しました",
        help "continue with the same command and `--resume`, or remove that directory",
        "同じコマンドに `--resume` を付けると続きから始めます。続けないときは、このディレクトリを削除してください";
}

impl Lang {
    /// The advice for an error of a reference, where that for an error of an input would be wrong.
    pub fn reference_advice(self, error: &DatasetError, references: &[Name]) -> Option<String> {
        match error {
            DatasetError::Record(error) if references.contains(&error.input) => {
                Some(self.bad_reference_help())
            }
            DatasetError::Unrecognized { input, .. } if references.contains(input) => {
                Some(self.unrecognized_reference_help())
            }
            _ => None,
        }
    }

    /// The phase of a job, printed before its progress.
    pub fn phase(self, phase: Phase) -> String {
        match_text!(self, phase;
            Phase::Spool => "copying the stream: ", "入力を保存中: ";
            Phase::Count => "counting: ", "計数中: ";
            Phase::Keys => "reading keys: ", "キーを読込中: ";
            Phase::FindDuplicates => "finding duplicates: ", "重複を検出中: ";
            Phase::Distribute => "partitioning: ", "振り分け中: ";
            Phase::Ask => "asking the engine: ", "エンジンに問い合わせ中: ";
            Phase::Compare => "comparing: ", "比較中: ";
            Phase::Write => "writing: ", "書込中: ";
            Phase::Collect => "collecting bad records: ", "不正なレコードを収集中: ";
            Phase::Whole => "", "";
        )
    }

    /// An amount of bytes, as far as it is known.
    pub fn amount(self, amount: Amount) -> String {
        match_text!(self, amount;
            Amount { least, most: Some(most) } if least == most => { self.size(most) };
            Amount { least: 0, most: Some(most) } => "up to {most}", "最大 {most}", most = self.size(most);
            Amount { least, most: Some(most) } => "{least} to {most}", "{least} ～ {most}",
                least = self.size(least), most = self.size(most);
            Amount { least: 0, most: None } => "an unknown amount", "不明";
            Amount { least, most: None } => "{least} or more", "{least} 以上", least = self.size(least);
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_show_their_known_bounds() {
        let between = Amount { least: 1_000, most: Some(2_000) };
        for (amount, en, ja) in [
            (Amount::exactly(1_000), "1.0 kB", "1.0 kB"),
            (Amount::up_to(1_000), "up to 1.0 kB", "最大 1.0 kB"),
            (between, "1.0 kB to 2.0 kB", "1.0 kB ～ 2.0 kB"),
            (between + Amount::UNKNOWN, "1.0 kB or more", "1.0 kB 以上"),
            (Amount::UNKNOWN, "an unknown amount", "不明"),
        ] {
            assert_eq!((Lang::En.amount(amount), Lang::Ja.amount(amount)), (en.to_owned(), ja.to_owned()));
        }
    }
}
