//! Options shared by all commands, and the commands about the program itself.

use super::text::Help;

pub(super) const HELP: Help = help! {
    "*" {
        "help": "Print help", "この説明を表示する";
        "version": "Print version", "バージョンを表示する";
        "lang": "Language of messages; by default LC_ALL, LC_MESSAGES, LANG decide",
            "メッセージの言語。省略時は LC_ALL、LC_MESSAGES、LANG による";
        "color": "Colour; auto: on a terminal, unless NO_COLOR is set",
            "色付け。auto: 端末で、NO_COLOR がないとき";
        "backend": "Backend that packs and unpacks (see `komabako backends`); also KOMABAKO_BACKEND",
            "符号化と復号に使うバックエンド (`komabako backends` を参照)。環境変数 KOMABAKO_BACKEND でも可";
        "quiet": "Print no progress and, if all goes well, no summary", "進捗を出さず、問題がなければ要約も出さない";
        "verbose": "Print the memory and disk that a job needs even if it is short", "短い処理でも、必要なメモリとディスクを先に示す";
    }
    "card" {
        "": "Write a dataset card (Markdown, as Hugging Face shows it) from manifests",
            "マニフェストからデータセットカード (Hugging Face で表示される Markdown) を書く";
        "manifests": "Files that `--manifest` wrote, in the order of the steps", "`--manifest` で書いたファイル。作業の順に並べる";
        "output": "Write the card to this FILE; by default to standard output", "カードをこの FILE に書く。省略時は標準出力";
        "title": "Title of the set", "データセットのタイトル";
        "license": "Identifier of the licence on Hugging Face, such as cc0-1.0", "Hugging Face でのライセンスの識別子 (cc0-1.0 など)";
        "stats": "Show the statistics that `komabako stats --save FILE` counted", "`komabako stats --save FILE` で集計した統計を載せる";
        "picture": "Show this picture; its path as seen from the card", "この画像を載せる (カードから見たパス)";
        "force": "Overwrite an existing card", "既存のカードに上書きする";
        examples
            "komabako dedup games.psv train.psv --keep mean --manifest train.json",
            "komabako stats train.psv --save train.stats",
            "komabako card train.json --stats train.stats --license cc0-1.0 --title 'My set' -o README.md";
    }
    "komabako" {
        "": "Convert, check, repair, select, shuffle and count files of shogi positions; list and play moves",
            "将棋の局面データを変換・検査・修復・抽出・シャッフル・集計し、指し手を調べる";
        "notes": "Outputs: cat, head, tail, slice, solve and card write to standard output or to --output; stats writes to --html and --save; \
            split, diff, filter --mask, rescore --column and convert --out-dir name theirs by options; other commands that write files name the output last, `-` for standard output.\n\
            Exit codes: 0 all went well; 1 bad records or findings; 2 could not run; 130 stopped by Ctrl-C.",
            "出力先: cat、head、tail、slice、solve、card は標準出力か --output。stats は --html と --save。split、diff、filter --mask、rescore --column、convert --out-dir はオプションで指定。ファイルを書くほかのコマンドでは最後に指定 (`-` は標準出力)。\n\
            終了コード: 0 正常、1 不正なレコードや指摘あり、2 実行できない、130 Ctrl-C で中断";
        examples
            "komabako convert selfplay.psv selfplay.hcpe",
            "komabako info selfplay.psv",
            "komabako inspect startpos";
    }
    "formats" {
        "": "List the formats of files, or the losses of conversions between them",
            "ファイル形式の一覧、または変換で失われるものを表示する";
        "from": "Show what conversions from this format lose", "この形式からの変換で失われるものを表示";
        "to": "Show what conversions to this format lose", "この形式への変換で失われるものを表示";
    }
    "backends" {
        "": "List the backends that pack and unpack on this CPU, and the one in use",
            "この CPU で使えるバックエンドと、使われるものを一覧する";
    }
    "completions" {
        "": "Print a shell script that completes komabako's command line",
            "シェルの補完スクリプトを出力する";
        "shell": "Shell to complete for", "シェル";
        examples "komabako completions bash > ~/.local/share/bash-completion/completions/komabako";
    }
    "man" {
        "": "Write the manual pages", "マニュアル (man) を書き出す";
        "directory": "Directory for all pages; without it the first page goes to standard output",
            "全ページの書き出し先。省略時は最初のページを標準出力へ";
        "force": "Overwrite existing pages", "既存のページに上書きする";
        examples
            "komabako man | man -l -",
            "komabako man ~/.local/share/man/man1";
    }
};
