//! Texts of `rescore`.

use komabako::dataset::rescore::{EngineFault, RescoreError};

use super::lang::Lang;

texts! {
    answers_label => "answers", "応答";
    answers(exact, mates, clamped) => "{exact} exact ({clamped} clamped to ±29999), {mates} mates",
        "評価値 {exact} 件 (うち {clamped} 件を ±29999 に制限)、詰み {mates} 件";
    bounds(records) => "only a bound for {records}", "{records}は上限または下限だけ";
    not_asked(records) => "{records} from which no game can be played kept their labels",
        "対局できない局面の{records}は元のまま";
    without_move(records) => "the engine resigned or declared a win in {records}, which kept their moves",
        "エンジンが投了か勝ちを宣言した{records}の指し手は元のまま";
    answers_kept(path) => "the answers so far are kept in {path}; the same command with `--resume` continues from there",
        "これまでの応答は {path} に残しました。同じコマンドに `--resume` を付けると続きから始めます";
    restarts(count) => "the engine was restarted {count} times", "エンジンを {count} 回起動し直しました";
}

reports! {
    cancelled_with_answers(path) as "interrupted" => "cancelled; the answers so far are kept in {path}",
        "中断しました。これまでの応答は {path} に残しました",
        help "continue with the same command and `--resume`, or remove that file",
        "同じコマンドに `--resume` を付けると続きから始めます。続けないときは、このファイルを削除してください";
}

impl Lang {
    /// The advice for records that got no new labels.
    pub fn rescore_advice(self, error: &RescoreError) -> String {
        match_text!(self, error;
            RescoreError::Answers(_) => "`--resume` continues that run; to start again, rename that file first",
                "`--resume` で続けられます。最初から始めるなら、このファイルの名前を変えてください";
            RescoreError::NoAnswers(_) => "run the command without `--resume`", "`--resume` を付けずに実行してください";
            RescoreError::OtherAnswers(_) =>
                "run the earlier command with `--resume`; to start again, rename that file first",
                "前回と同じコマンドに `--resume` を付けて実行してください。最初から始めるなら、このファイルの名前を変えてください";
            RescoreError::Locked(_) => "wait for the other run, or choose another output",
                "ほかの実行が終わるのを待つか、別の出力を指定してください";
            RescoreError::GameMoves => "replace only the scores (`--score`), or write another format, such as --to hcpe",
                "評価値だけを置き換える (`--score`) か、--to hcpe など別の形式に書いてください";
            RescoreError::Engine(EngineFault::Start(..) | EngineFault::Option { .. }) =>
                "check `--engine`, `--engine-arg` and `--option`; a program in this directory is written ./NAME",
                "`--engine`、`--engine-arg`、`--option` を確かめてください。このディレクトリのプログラムは ./名前 と書きます";
            // It was asked to leave out records without an answer already.
            RescoreError::Failures(..) =>
                "see what the engine printed; check `--engine`, `--engine-arg`, `--option`, `--go` and `--timeout`",
                "エンジンの出力を見て、`--engine`、`--engine-arg`、`--option`、`--go`、`--timeout` を確かめてください";
            _ => "see what the engine printed; `--on-error collect=FILE` sets aside records at which the engine fails twice",
                "エンジンの出力を確かめてください。`--on-error collect=FILE` なら、エンジンが 2 回失敗したレコードを別のファイルに集めます";
        )
    }
}
