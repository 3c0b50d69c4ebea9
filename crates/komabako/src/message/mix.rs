//! Texts of `mix`.

texts! {
    shares_label => "from", "内訳";
    mixed_share(input, records, percent) => "{input}: {records} ({percent} %)", "{input}: {records} ({percent} %)";
    mixed_share_that_ended(input, records, percent, place) =>
        "{input}: {records} ({percent} %); ended after {place} records of the output, the rest is from the others",
        "{input}: {records} ({percent} %)。出力の {place} 件目で尽き、その後は残りの入力だけ";
}

reports! {
    no_weight(given) as "weight" => "{given}: the weight after the last `:` must be 1 or more",
        "{given}: 最後の `:` の後の重みは 1 以上にしてください",
        help "write IN:WEIGHT, such as a.psv:3; if the name of a file itself ends in `:` and digits, append a weight to it",
        "a.psv:3 のように「入力:重み」と書きます。`:` と数字で終わる名前のファイルは、その後に重みを付けてください";
}
