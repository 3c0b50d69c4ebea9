//! Texts of the commands on columns of scores.

texts! {
    score_size(column, bytes) {
        "{column}: {bytes} bytes are no column of scores, which have two each",
        "{column}: {bytes} バイトは 2 バイトずつの評価値の列ではありません"
    }
    score_count(column, scores, records) {
        "{column}: {scores} scores for {records} records",
        "{column}: レコード {records} 件に対して評価値が {scores} 個です"
    }
    score_help() { "check that it is the column of these records", "このレコードの評価値の列か確かめてください" }
    column_missing() { "records, a column of scores and an output are needed", "レコード、評価値の列、出力先が必要です" }
    column_missing_help() {
        "name them in this order: komabako merge-scores IN... SCORES OUT",
        "この順に指定してください: komabako merge-scores IN... SCORES OUT"
    }
    scores_extracted(scores) { "{scores} scores", "評価値 {scores} 個" }
    unknown_scores(count) {
        "{count} records have no score; 32002 stands for it",
        "{count} レコードには評価値がなく、32002 としました"
    }
}
