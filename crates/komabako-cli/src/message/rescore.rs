//! Texts of `rescore`.

use komabako::dataset::rescore::RescoreError;

use super::lang::Lang;

texts! {
    answers_label() { "answers", "応答" }
    answers(exact, mates, clamped) {
        "{exact} exact ({clamped} clamped to ±29999), {mates} mates",
        "評価値 {exact} 件 (うち {clamped} 件を ±29999 に制限)、詰み {mates} 件"
    }
    bounds(records) { "only a bound for {records}", "{records}は上限または下限だけ" }
    not_asked(records) {
        "{records} from which no game can be played kept their labels",
        "対局できない局面の{records}は元のまま"
    }
    restarts(count) { "the engine was started anew {count} times", "エンジンを {count} 回起動し直しました" }
    engine_help() {
        "the answers so far are kept: `--resume` goes on from there, `--on-error skip` leaves out positions at which the engine fails twice",
        "これまでの応答は残っています。`--resume` で続けられ、`--on-error skip` で 2 回失敗した局面を除けます"
    }
    answers_help() {
        "go on with `--resume`; to start anew, rename or remove that file first",
        "`--resume` で続けられます。最初から始めるなら、このファイルの名前を変えるか削除してください"
    }
    no_answers_help() { "run the command without `--resume`", "`--resume` を付けずに実行してください" }
    other_answers_help() {
        "run the command as it was run before, with `--resume`; to start anew, rename or remove that file first",
        "前回と同じコマンドに `--resume` を付けて実行してください。最初から始めるなら、このファイルの名前を変えるか削除してください"
    }
    locked_answers_help() { "wait for the other run, or choose another output", "他の実行を待つか、別の出力を指定してください" }
    game_moves_help() {
        "replace only the scores (`--score`), or write another format, such as --to hcpe",
        "評価値だけを置き換える (`--score`) か、--to hcpe など別の形式に書いてください"
    }
}

impl Lang {
    /// The advice for records that got no new labels.
    pub fn rescore_advice(self, error: &RescoreError) -> String {
        match error {
            RescoreError::Answers(_) => self.answers_help(),
            RescoreError::NoAnswers(_) => self.no_answers_help(),
            RescoreError::OtherAnswers(_) => self.other_answers_help(),
            RescoreError::Locked(_) => self.locked_answers_help(),
            RescoreError::GameMoves => self.game_moves_help(),
            _ => self.engine_help(),
        }
    }
}
