//! Texts of `split`.

texts! {
    names_of_parts(parts) {
        "there are {parts} parts, but not as many names",
        "パートは {parts} 個ですが、名前の数が合いません"
    }
    names_of_unknown() {
        "how many parts there will be is not known, so they cannot be named one by one",
        "パートの数が前もって分からないので、1 つずつ名前を付けられません"
    }
    part_names_help() {
        "give `--into` once with `{{}}` for the number (`--into part-{{}}.psv`), or with a ratio once a part",
        "`--into part-{{}}.psv` のように番号の位置を `{{}}` で示すか、比では `--into` をパートの数だけ指定してください"
    }
    too_many_parts(parts, most) {
        "{parts} parts are too many: {most} is the most",
        "{parts} 個のパートには分けられません ({most} 個まで)"
    }
    too_many_parts_help() {
        "ask for fewer, or say with `--records` or `--bytes` how large they are",
        "数を減らすか、`--records` か `--bytes` でパートの大きさを指定してください"
    }
    no_ratio() { "these weights are no ratio", "比として使えない数です" }
    ratio_help() {
        "give up to 256 weights, not all 0, e.g. `--ratio 98:1:1`",
        "`--ratio 98:1:1` のように 256 個まで、すべてが 0 ではない数を指定してください"
    }
    read_once(input) {
        "{input}: would have to be read twice",
        "{input}: 2 回読む必要があります"
    }
    read_once_help() {
        "write it to a file first; for `split`, `--records` and `--bytes` read once",
        "先にファイルに書き出してください。`split` なら `--records` と `--bytes` は 1 回で済みます"
    }
}
