//! Texts of manifests and of dataset cards.

texts! {
    card_title => "Shogi training positions", "将棋の教師局面";
    card_files => "Files", "ファイル";
    card_file => "file", "ファイル";
    card_steps => "How it was made", "作り方";
    card_sources => "Sources", "元のデータ";
    card_statistics => "Statistics", "統計";
    card_made_by(version) => "This card was written by `komabako card` {version}.",
        "このカードは `komabako card` {version} が書きました。";
}

reports! {
    no_manifest(path) as "manifest" => "{path}: not a manifest",
        "{path}: マニフェストではありません",
        help "give files that `--manifest FILE` wrote; records are read by the other commands",
        "`--manifest FILE` で書いたものを指定してください。レコードはほかのコマンドで読みます";
}
