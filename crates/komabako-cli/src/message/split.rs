//! Texts of `split`.

texts! {
    names_of_parts(parts) {
        "there are {parts} parts, but a different number of names",
        "パートは {parts} 個ですが、名前の数が合いません"
    }
    names_of_unknown() {
        "the number of parts is not known in advance, so they cannot be named one by one",
        "パートの数が前もって分からないので、1 つずつ名前を付けられません"
    }
    part_names_help() {
        "give `--into` once with `{{}}` for the number (`--into part-{{}}.psv`), or with `--ratio` or `--parts` once per part",
        "`--into part-{{}}.psv` のように番号の位置を `{{}}` で示すか、`--ratio` か `--parts` では `--into` をパートの数だけ指定してください"
    }
    too_many_parts(parts, most) {
        "{parts} parts are too many: the limit is {most}",
        "{parts} 個のパートには分けられません ({most} 個まで)"
    }
    too_many_parts_help() {
        "ask for fewer parts, or set their size with `--records` or `--bytes`",
        "数を減らすか、`--records` か `--bytes` でパートの大きさを指定してください"
    }
    no_ratio() { "these weights do not form a ratio", "比として使えない数です" }
    ratio_help() {
        "give up to 256 weights, not all 0, e.g. `--ratio 98:1:1`",
        "`--ratio 98:1:1` のように 256 個まで、すべてが 0 ではない数を指定してください"
    }
    read_once(input) {
        "{input}: would have to be read twice",
        "{input}: 2 回読む必要があります"
    }
    read_once_help() {
        "write it to a file first; `split` with `--records` or `--bytes` reads it only once",
        "先にファイルに書き出してください。`split` なら `--records` と `--bytes` は 1 回で済みます"
    }
}
