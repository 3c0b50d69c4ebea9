//! The labels of a record, in words.

use komabako::dataset::record::Labels;
use komabako::dataset::{GameResult, Record};

use super::lang::Lang;

texts! {
    label_move(text) => "move {text}", "指し手 {text}";
    label_score(score) => "score {score}", "評価値 {score}";
    label_ply(ply) => "ply {ply}", "手数 {ply}";
    bad_move => "ill-formed", "不正";
}

impl Lang {
    /// The labels that a record has.
    pub fn labels(self, record: &Record) -> String {
        let Labels { score, best_move, result, ply, .. } = record.labels;
        let best_move = best_move.map(|bits| match bits.decode() {
            Ok(best_move) => self.label_move(best_move),
            Err(_) => self.label_move(format!("{:#06x} ({})", bits.bits, self.bad_move())),
        });
        let parts = [
            best_move,
            score.map(|score| self.label_score(score)),
            ply.map(|ply| self.label_ply(ply)),
            result.map(|result| self.game_result(result)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(match self {
            Lang::En => ", ",
            Lang::Ja => "、",
        })
    }

    fn game_result(self, result: GameResult) -> String {
        match_text!(self, result;
            GameResult::Draw => "draw", "引き分け";
            GameResult::BlackWin => "Black won", "先手勝ち";
            GameResult::WhiteWin => "White won", "後手勝ち";
        )
    }
}
