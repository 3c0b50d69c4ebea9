//! Texts of the commands on columns of scores.

texts! {
    unknown_scores(records) => "without a score: {records}, written as 32002 (NaN in f32)",
        "{records}には評価値がなく、32002 (f32 では NaN) としました";
    clamped(scores) => "{scores} of the column beyond ±32000, clamped",
        "列のうち {scores}が ±32000 を超えるため、±32000 としました";
}

reports! {
    column_missing as "output_missing" => "records, a column of scores and an output are needed",
        "レコード、評価値の列、出力先が必要です",
        help "name them in this order: komabako merge-scores IN... SCORES OUT",
        "この順に指定してください: komabako merge-scores IN... SCORES OUT";
}
