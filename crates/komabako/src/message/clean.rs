//! Texts of `clean`, and of the notice that names it.

use super::lang::Lang;

texts! {
    clean_nothing => "nothing was left by killed runs", "強制終了した実行が残したものはありません";
    clean_removed => "removed", "削除しました";
    clean_would_remove => "would be removed", "削除されます";
    clean_in_use => "kept: in use", "残しました: 使用中";
    clean_resumable => "kept: can be resumed", "残しました: 再開できます";
    clean_recent => "kept: less than a minute old", "残しました: まだ 1 分経っていません";
    clean_failed(why) => "cannot remove: {why}", "削除できません: {why}";
    clean_resumable_help =>
        "The command of such a job continues with `--resume`. `komabako clean --all` removes its finished part too.",
        "再開するには、その処理のコマンドに `--resume` を付けます。`komabako clean --all` なら、終えた部分も削除します。";
    left_by_killed_runs(directory, names, argument) =>
        "{directory}: killed runs left {names}; `komabako clean {argument}` removes what no run can continue",
        "{directory}: 強制終了した実行が残したもの: {names}。どの実行からも続けられないものは `komabako clean {argument}` で削除できます";
}

impl Lang {
    /// The first of some names, and the number of the others.
    pub fn first_names(self, names: &[String], count: u64) -> String {
        /// The number of names that fit on a line.
        const SHOWN: usize = 3;
        let mut items = names[..names.len().min(SHOWN)].to_vec();
        let others = count - items.len() as u64;
        if others > 0 {
            items.push(self.other_files(others));
        }
        self.comma_separated(&items)
    }
}
