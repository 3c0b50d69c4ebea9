//! Texts of a conversion: its progress and its summary.

use std::time::Duration;

use super::common::grouped;
use super::lang::Lang;

texts! {
    so_many_bad(count) => " ({count} bad)", " (不正 {count})";
    records_per_second(number) => "{number} records/s", "{number} レコード/秒";
    percent_and_time_left(percent, left) => ", {percent}%, {left} left", "、{percent}%、残り {left}";
    time_left(time) => "{time} left", "残り {time}";
    read_label => "read", "読込";
    written_label => "written", "書込";
    games_label => "games", "対局";
    rescaled_label => "scores", "評価値";
    rescaled(changed, clamped, mates) => "{changed} changed ({clamped} clamped); {mates} mate scores",
        "{changed} 件を変更 (うち範囲を制限したもの {clamped} 件)、詰みを表す値 {mates} 件";
    matched(matched, read) => "{matched} of {read} found by position; the others keep their scores",
        "{read} 件のうち {matched} 件に同じ局面の評価値を入れ、残りは元のまま";
    conflicts(count) => "a position had two different scores {count} times: the later was used",
        "同じ局面に異なる評価値が {count} 回あり、後のものを使いました";
    speed_label => "speed", "速度";
    lost_label => "lost", "喪失";
    bad_label => "bad", "不正";
    first_label => "first", "最初";
    tail_label => "not read", "未読";
    records_and_bytes(records, bytes) => "{records}, {bytes}", "{records}、{bytes}";
    in_seconds(rate, seconds) => "{rate}, {seconds} s", "{rate}、{seconds} 秒";
    left_out(count, names) => "{count} left out: {names}", "{count} 件を除外: {names}";
    without_score(count, names) => "{count} without a score: {names}", "{count} 件は評価値なし: {names}";
    reasons_listed(path) => "listed in {path}.reasons.tsv", "一覧は {path}.reasons.tsv";
    collected(path) => "kept in {path}, with the reasons in {path}.reasons.tsv", "{path} に保存。理由は {path}.reasons.tsv";
    output_is_an_option(command, path) =>
        "if it is the output: `{command}` writes to standard output or to `--output {path}`; all other paths are inputs",
        "出力先のつもりなら `--output {path}` と書いてください。`{command}` は標準出力か `--output` に書き、ほかのパスはすべて入力です";
    done_before(done, count) => "{done} of {count} files were converted before the error and are complete",
        "{count} ファイルのうち {done} ファイルは変換が済んでおり、完全です";
    binary_to_terminal(format) => "{format} is binary and is not written to a terminal",
        "{format} はバイナリなので端末には出力しません";
    binary_to_terminal_help =>
        "redirect the output, name a file, or read it as text with `--to plain` or `--to sfen`",
        "出力をリダイレクトするか、ファイルを指定するか、`--to plain` や `--to sfen` でテキストにしてください";
    redirect_help => "redirect the output, or name a file", "出力をリダイレクトするか、ファイルを指定してください";
}

reports! {
    level_of_small as "archive" => "`--level` is for `--archive fast`",
        "`--level` は `--archive fast` で使います",
        help "leave one of them out", "どちらかを外してください";
    appended_stream as "archive" => "`--append` adds records to a file",
        "`--append` はファイルに追加するものです",
        help "name an archive (`.kmb`); `komabako cat` joins archives",
        "アーカイブ (`.kmb`) を指定してください。アーカイブは `komabako cat` でつなげられます";
    not_named_archive(name) as "archive" =>
        "{name}: these options are for archives, whose names end in `.kmb`",
        "{name}: これらのオプションはアーカイブ (末尾が `.kmb` の名前) で使います",
        help "name the output so, or leave the options out",
        "出力の名前を変えるか、オプションを外してください";
    games_in_one as "out_dir" => "game records are converted into one file, not one file each",
        "棋譜は 1 つの出力にまとめて変換します",
        help "name the output last instead of --out-dir: IN... OUT",
        "--out-dir の代わりに、最後に出力を指定してください: IN... OUT";
    games_undivided as "partition" => "game records are converted whole, not in partitions",
        "棋譜の変換は分担できません",
        help "give each machine its own files, or convert the games first and divide the result",
        "マシンごとに別の棋譜を渡すか、先に局面データに変換してから分担してください";
    games_not_appended as "archive" => "game records are not added to an archive",
        "棋譜をアーカイブに追加することはできません",
        help "convert them to an archive of their own, and add that: `komabako convert NEW.kmb OUT.kmb --append`",
        "別のアーカイブに変換してから、`komabako convert NEW.kmb OUT.kmb --append` で追加してください";
    output_missing(input) as "output_missing" => "no output is given for {input}",
        "{input} の出力先がありません",
        help "name the output last: IN... OUT", "最後に出力を指定してください: IN... OUT";
    collects_into_one as "out_dir" => "with --out-dir, bad records cannot be collected in one file",
        "--out-dir では、不正なレコードを 1 つのファイルに集められません",
        help "convert the files with bad records one by one with `--on-error collect=FILE`, or leave bad records out with \
         `--on-error skip`",
        "不正なレコードのあるファイルを `--on-error collect=FILE` で 1 つずつ変換するか、`--on-error skip` で除いてください";
    has_no_name(input) as "out_dir" => "{input} has no file name to name the output after",
        "{input}: ファイル名がないので、出力の名前を決められません",
        help "name files, not standard input or directories",
        "標準入力やフォルダーではなく、ファイルを指定してください";
    same_output(one, other, output) as "out_dir" => "{one} and {other} would both be written to {output}",
        "{one} と {other} の出力先がどちらも {output} になります",
        help "convert them into different directories, or into one file without --out-dir; nothing has been written",
        "別々のディレクトリに出力するか、--out-dir なしで 1 つのファイルにまとめてください。まだ何も書いていません";
}

impl Lang {
    /// The number of records done and, once known, the speed.
    pub fn progress(self, records: u64, bad: u64, rate: Option<f64>) -> String {
        let mut text = self.records(records);
        if bad > 0 {
            text += &self.so_many_bad(grouped(bad));
        }
        if let Some(rate) = rate {
            let comma = if self == Lang::En { ", " } else { "、" };
            text += &format!("{comma}{}", self.rate(rate));
        }
        text
    }

    /// A rate in records per second.
    pub fn rate(self, rate: f64) -> String {
        let number = match rate {
            1e6.. => format!("{:.1} M", rate / 1e6),
            1e4.. => format!("{:.0} k", rate / 1e3),
            _ => format!("{rate:.0}"),
        };
        self.records_per_second(number)
    }

    /// The fraction done, and the time left at the same speed.
    pub fn left(self, done: u64, total: u64, elapsed: Duration) -> String {
        let part = done as f64 / total.max(1) as f64;
        let seconds = elapsed.as_secs_f64() * (1.0 / part.max(1e-9) - 1.0);
        let left = self.time(Duration::try_from_secs_f64(seconds.round()).unwrap_or(Duration::MAX));
        let percent = (part * 100.0).floor();
        self.percent_and_time_left(percent, left)
    }

    /// A span of time in its two largest units: `2 min 5 s`.
    pub fn time(self, span: Duration) -> String {
        let seconds = span.as_secs();
        let [hour, minute, second] = match self {
            Lang::En => ["h", "min", "s"],
            Lang::Ja => ["時間", "分", "秒"],
        };
        match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
            (0, 0, seconds) => format!("{seconds} {second}"),
            (0, minutes, seconds) => format!("{minutes} {minute} {seconds} {second}"),
            (hours, minutes, _) => format!("{hours} {hour} {minutes} {minute}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        for (rate, text) in
            [(12.4, "12 records/s"), (45_000.0, "45 k records/s"), (3.21e6, "3.2 M records/s")]
        {
            assert_eq!(Lang::En.rate(rate), text);
        }
        assert_eq!(Lang::Ja.rate(3.21e6), "3.2 M レコード/秒");
    }

    #[test]
    fn a_quarter_done_leaves_three_times_the_time() {
        assert_eq!(Lang::En.left(25, 100, Duration::from_secs(10)), ", 25%, 30 s left");
        assert_eq!(Lang::Ja.left(0, 0, Duration::ZERO), "、0%、残り 0 秒");
        assert_eq!(Lang::En.time(Duration::from_secs(125)), "2 min 5 s");
        assert_eq!(Lang::Ja.time(Duration::from_secs(7384)), "2 時間 3 分");
    }
}
