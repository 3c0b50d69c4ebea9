//! Texts of the commands on columns of scores.

texts! {
    score_size(column, bytes) {
        "{column}: {bytes}: a column of scores has two bytes per score",
        "{column}: {bytes}では 2 バイトずつの評価値の列になりません"
    }
    score_count(column, scores, records) {
        "{column}: {scores} for {records}",
        "{column}: {records}に対して {scores}があります"
    }
    score_help() {
        "check that the column belongs to these records; to take the scores from a file of records, use `--by position`",
        "このレコードの評価値の列か確かめてください。レコードのファイルなら、`--by position` で局面ごとに入れられます"
    }
    column_missing() { "records, a column of scores and an output are needed", "レコード、評価値の列、出力先が必要です" }
    column_missing_help() {
        "name them in this order: komabako merge-scores IN... SCORES OUT",
        "この順に指定してください: komabako merge-scores IN... SCORES OUT"
    }
    unknown_scores(records) {
        "without a score: {records}, written as 32002",
        "{records}には評価値がなく、32002 としました"
    }
}
