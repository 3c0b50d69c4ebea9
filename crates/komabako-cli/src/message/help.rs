//! The texts of `--help`, laid over the command line that clap's derive builds.

use clap::{Arg, ArgAction, Command};

use super::Lang;

/// A text of help: of a command or several, of one of their arguments, or the examples after a command's help.
struct Text {
    /// The command, or several with blanks between.
    command: &'static str,
    argument: &'static str,
    en: &'static str,
    ja: &'static str,
}

/// Of an argument with more values than this the text itself says where they are listed.
const MANY_VALUES: usize = 8;

/// Names the text of a command itself in place of an argument.
const ABOUT: &str = "";
/// Names the examples of a command in place of an argument.
const EXAMPLES: &str = "examples";
/// Names the texts of arguments that all commands share, in place of a command.
const EVERY: &str = "*";

/// Declares texts: `command { argument: "English", "日本語"; }`.
macro_rules! help {
    ($($command:tt { $($argument:tt: $en:literal, $ja:literal;)* })*) => {
        &[$($(Text { command: $command, argument: $argument, en: $en, ja: $ja },)*)*]
    };
}

const TEXTS: &[Text] = help! {
    "*" {
        "help": "Print help", "この説明を表示する";
        "version": "Print version", "版を表示する";
        "lang": "Language of messages; without it LC_ALL, LC_MESSAGES, LANG decide",
            "メッセージの言語。省略時は LC_ALL、LC_MESSAGES、LANG による";
        "color": "Colour; auto: on a terminal, unless NO_COLOR is set",
            "色付け。auto: 端末で、NO_COLOR がないとき";
        "backend": "Backend that packs and unpacks (see `komabako backends`); also KOMABAKO_BACKEND",
            "使うバックエンド (`komabako backends` を参照)。環境変数 KOMABAKO_BACKEND でも可";
    }
    "komabako" {
        "": "Convert, encode, decode and inspect files of shogi positions; list, play and count moves",
            "将棋の局面データを変換・符号化・復号・検査し、指し手を調べる";
        "examples": "Exit codes: 0 all went well; 1 bad records or findings; 2 could not run; 130 stopped by Ctrl-C.\n\
            Examples:\n  \
            komabako convert selfplay.psv selfplay.hcpe\n  \
            komabako info selfplay.psv\n  \
            komabako inspect startpos",
            "終了コード: 0 正常、1 不正なレコードや指摘あり、2 実行できず、130 Ctrl-C で中断\n\
            例:\n  \
            komabako convert selfplay.psv selfplay.hcpe\n  \
            komabako info selfplay.psv\n  \
            komabako inspect startpos";
    }
    "convert" {
        "": "Convert files of positions from one format to another",
            "局面データのファイルを別の形式に変換する";
        "examples": "Examples:\n  \
            komabako convert games.psv games.hcpe\n  \
            komabako convert a.psv.zst b.psv all.hcpe.zst --on-error collect=bad.psv\n  \
            cat games.hcpe | komabako convert --from hcpe --to sfen - - | head",
            "例:\n  \
            komabako convert games.psv games.hcpe\n  \
            komabako convert a.psv.zst b.psv all.hcpe.zst --on-error collect=bad.psv\n  \
            cat games.hcpe | komabako convert --from hcpe --to sfen - - | head";
    }
    "cat" {
        "": "Write files of positions one after the other, in one format",
            "局面データのファイルを順につなぎ、1 つの形式で書く";
        "examples": "Records that stay in their format are copied byte for byte.\n\
            Examples:\n  \
            komabako cat a.psv b.psv.zst -o all.psv\n  \
            komabako cat games.hcpe --to sfen",
            "形式が変わらないレコードは 1 バイトも変えずに写します。\n\
            例:\n  \
            komabako cat a.psv b.psv.zst -o all.psv\n  \
            komabako cat games.hcpe --to sfen";
    }
    "head" {
        "": "Write the first records", "最初のレコードを書く";
        "records": "How many", "レコードの数";
        "examples": "Nothing after them is read.\n\
            Example:\n  komabako head -n 3 games.psv --to plain",
            "その先は読みません。\n\
            例:\n  komabako head -n 3 games.psv --to plain";
    }
    "tail" {
        "": "Write the last records", "最後のレコードを書く";
        "records": "How many", "レコードの数";
        "examples": "Of uncompressed files of records of one size only these are read; of others they are held in memory.\n\
            Example:\n  komabako tail -n 3 games.psv --to plain",
            "圧縮されていない固定長レコードのファイルでは最後だけを読み、ほかではその分をメモリーに置きます。\n\
            例:\n  komabako tail -n 3 games.psv --to plain";
    }
    "slice" {
        "": "Write a range of records", "ある範囲のレコードを書く";
        "range": "Numbers of the records, from 0 over all inputs, END not included; either may be left out",
            "レコードの番号の範囲。すべての入力を通して 0 から数え、END は含まない。どちらも省略可";
        "examples": "If the inputs end before END, what there is is written and the rest is told; exit code 1.\n\
            Examples:\n  \
            komabako slice games.psv --range 1000..2000 -o part.psv\n  \
            komabako slice a.psv b.psv --range 5000000.. -o rest.psv",
            "入力が END より前で終わるときは、ある分を書き、不足を知らせます (終了コード 1)。\n\
            例:\n  \
            komabako slice games.psv --range 1000..2000 -o part.psv\n  \
            komabako slice a.psv b.psv --range 5000000.. -o rest.psv";
    }
    "sample" {
        "": "Write records drawn at random, in the order of the inputs",
            "無作為に選んだレコードを入力の順に書く";
        "count": "How many; every subset of that size is equally likely. They are held in memory",
            "レコードの数。どの部分集合も同じ確率で選ばれる。選んだ分をメモリーに置く";
        "ratio": "Draw each record with this probability, 0 to 1", "各レコードをこの確率 (0 から 1) で選ぶ";
        "seed": "Seed; the same seed draws the same records", "乱数の種。同じ種からは同じレコードが選ばれる";
        "examples": "Examples:\n  \
            komabako sample games.psv.zst valid.psv --count 100000 --seed 7\n  \
            komabako sample a.psv b.psv tenth.psv --ratio 0.1",
            "例:\n  \
            komabako sample games.psv.zst valid.psv --count 100000 --seed 7\n  \
            komabako sample a.psv b.psv tenth.psv --ratio 0.1";
    }
    "filter" {
        "": "Write the records of which an expression holds", "式が成り立つレコードを書く";
        "expression": "Expression, in the syntax of Rust", "式 (Rust の文法)";
        "invert": "Write those of which it does not hold", "式が成り立たないレコードを書く";
        "examples": "Numbers: score, ply, result (1 won, 0 draw, -1 lost, by the side to move), board_pieces, hand_pieces,\n\
            black_hand, white_hand, removed_pieces; + - * / % abs(a) min(a, b) max(a, b); == != < <= > >=\n\
            True or false: won, lost, drawn, black_won, white_won, black_to_move, white_to_move, in_check,\n\
            has_move, capture, promotion, drop; && || ! ( )\n\
            Examples:\n  \
            komabako filter games.psv quiet.psv --where '!in_check && !capture && abs(score) < 2000'\n  \
            komabako filter games.psv opening.hcpe --where 'ply <= 40'",
            "数: score、ply、result (手番側の勝ち 1、引き分け 0、負け -1)、board_pieces、hand_pieces、black_hand、\n\
            white_hand、removed_pieces、+ - * / % abs(a) min(a, b) max(a, b)、== != < <= > >=\n\
            真偽: won、lost、drawn、black_won、white_won、black_to_move、white_to_move、in_check、\n\
            has_move、capture、promotion、drop、&& || ! ( )\n\
            例:\n  \
            komabako filter games.psv quiet.psv --where '!in_check && !capture && abs(score) < 2000'\n  \
            komabako filter games.psv opening.hcpe --where 'ply <= 40'";
    }
    "split" {
        "": "Split records into several files", "レコードを複数のファイルに分ける";
        "into": "Name of the parts with `{}` for their number from 001; with a ratio, or --parts, also one a part",
            "番号 (001 から) の位置を `{}` で示したパートの名前。--ratio と --parts ではパートの数だけ指定してもよい";
        "records": "So many records a part", "1 パートのレコード数";
        "bytes": "At most so many bytes a part, before compression, such as 512M or 2G",
            "1 パートの最大バイト数 (圧縮前)。512M、2G など";
        "parts": "So many parts, as equal as can be", "パートの数。できるだけ均等に分ける";
        "ratio": "At random in proportion to these weights, such as 98:1:1", "98:1:1 のような比で無作為に分ける";
        "seed": "Seed of the ratio; the same seed splits the same way", "比で分けるときの乱数の種。同じ種からは同じ分け方になる";
        "by_game": "Keep every game in one part: a part that has its size ends with a game, a ratio is one of games",
            "対局を途中で分けない。大きさに達したパートは対局の終わりまで続き、比は対局の比になる";
        "examples": "A record goes on with the game of the one before it if its ply is higher by n moves and at most 2n squares\n\
            differ; if plies are unknown, if at most 8 squares differ. Parts appear when all are complete.\n\
            Examples:\n  \
            komabako split games.psv --ratio 98:1:1 --by-game --into train.psv --into valid.psv --into test.psv\n  \
            komabako split games.psv.zst --bytes 2G --into 'part-{}.psv.zst'",
            "手数が n 手増え、盤の違いが 2n マス以内のとき、前のレコードと同じ対局とみなします。手数が不明なら\n\
            8 マス以内のときです。パートはすべてが完成してから現れます。\n\
            例:\n  \
            komabako split games.psv --ratio 98:1:1 --by-game --into train.psv --into valid.psv --into test.psv\n  \
            komabako split games.psv.zst --bytes 2G --into 'part-{}.psv.zst'";
    }
    "diff" {
        "": "Compare two files by position", "2 つのファイルを局面で比べる";
        "a": "First file; it is held in memory, 48 bytes a record", "1 つ目のファイル。1 レコード 48 バイトでメモリーに置く";
        "b": "Second file", "2 つ目のファイル";
        "only_a": "Write the records of A whose position B has not", "B にない局面の A のレコードを書く";
        "only_b": "Write the records of B whose position A has not", "A にない局面の B のレコードを書く";
        "changed": "Write the records of B whose position A has with another score, move or result",
            "A では評価値、指し手、結果のいずれかが違う局面の B のレコードを書く";
        "max_memory": "Most memory for the records of A, such as 500M or 8G", "A のレコードに使うメモリーの上限 (500M、8G など)";
        "json": "Summary as JSON, on standard output", "要約を JSON で標準出力に出す";
        "examples": "Score, move and result are compared as far as both formats have them; plies and padding are not.\n\
            Exit code 1 if the files differ. Lines: - only in A, + only in B, ! changed, with record numbers.\n\
            Example:\n  komabako diff old.psv new.hcpe --only-b new.psv",
            "評価値、指し手、結果のうち両方の形式にあるものを比べ、手数などは比べません。\n\
            違いがあれば終了コード 1。行頭の - は A のみ、+ は B のみ、! は変更で、レコードの番号が続きます。\n\
            例:\n  komabako diff old.psv new.hcpe --only-b new.psv";
    }
    "merge-scores" {
        "": "Write records with the scores of a column, one little-endian i16 a record",
            "評価値の列 (1 レコードに 1 個のリトルエンディアン i16) をレコードに入れて書く";
        "paths": "Files of records, then the column, then the file to write; `-` for standard input and output",
            "レコードのファイル (複数可)、評価値の列、最後に書くファイル。`-` なら標準入力・標準出力";
        "examples": "32002 in the column leaves the record's score as it is.\n\
            Example:\n  komabako merge-scores games.psv dl.i16 rescored.psv",
            "列の 32002 は元の評価値を残します。\n\
            例:\n  komabako merge-scores games.psv dl.i16 rescored.psv";
    }
    "extract-scores" {
        "": "Write the scores of records as a column, one little-endian i16 a record",
            "レコードの評価値を列 (1 レコードに 1 個のリトルエンディアン i16) として書く";
        "examples": "A record without a score gives 32002.\n\
            Example:\n  komabako extract-scores games.psv games.i16",
            "評価値のないレコードは 32002 になります。\n\
            例:\n  komabako extract-scores games.psv games.i16";
    }
    "dedup" {
        "": "Leave out duplicates; files may be larger than memory",
            "重複したレコードを除く。メモリより大きいファイルも可";
        "by": "What makes two records the same: the position in any format, position and move, or all bytes written",
            "同じとみなす基準。position 局面 (形式を問わない)、move 局面と指し手、record 書き込むバイト列すべて";
        "reference": "Leave out what is in this clean FILE too, and do not write it; repeatable",
            "この重複のない FILE にある局面も除く (FILE は書き換えない)。複数指定可";
        "shuffle_seed": "Shuffle what is left by this seed, without a file in between", "残りをこの乱数の種でシャッフルする。中間ファイルは作らない";
        "examples": "The first of the duplicates stays, and the order of the inputs; exactly, not by hashes.\n\
            Examples:\n  \
            komabako dedup a.psv b.hcpe clean.psv\n  \
            komabako dedup new.psv fresh.psv --reference train.psv --reference valid.psv\n  \
            komabako dedup huge.psv.zst train.psv --shuffle-seed 7 --max-memory 16G --tmp-dir /ssd1 --tmp-dir /ssd2",
            "重複のうち最初のものを残し、入力の順を保ちます。ハッシュではなくキー全体を比べます。\n\
            例:\n  \
            komabako dedup a.psv b.hcpe clean.psv\n  \
            komabako dedup new.psv fresh.psv --reference train.psv --reference valid.psv\n  \
            komabako dedup huge.psv.zst train.psv --shuffle-seed 7 --max-memory 16G --tmp-dir /ssd1 --tmp-dir /ssd2";
    }
    "shuffle" {
        "": "Put records in a random order; files may be larger than memory",
            "レコードを一様に無作為な順に並べ替える。メモリより大きいファイルも可";
        "seed": "Seed; the same seed gives the same bytes, whatever threads, memory and parts", "乱数の種。同じ種からは、スレッドやメモリによらず同じ結果が得られる";
        "examples": "Records of the output's format keep all their bytes and are not decoded.\n\
            Examples:\n  \
            komabako shuffle a.psv b.psv all.psv --seed 7\n  \
            komabako shuffle huge.psv all.psv --seed 7 --max-memory 16G --dry-run",
            "出力と同じ形式のレコードは、復号せずバイト列のまま移します。\n\
            例:\n  \
            komabako shuffle a.psv b.psv all.psv --seed 7\n  \
            komabako shuffle huge.psv all.psv --seed 7 --max-memory 16G --dry-run";
    }
    "dedup shuffle" {
        "paths": "Files to read, then the file to write; `-` for standard input and output; .zst, .gz and .xz are \
            read and written",
            "読むファイル (複数可) と、最後に書くファイル。`-` なら標準入力・標準出力。.zst、.gz、.xz も可";
        "from": "Format of the inputs (`komabako formats`); without it content and names decide",
            "入力の形式 (`komabako formats`)。省略時は内容と名前から判断";
        "to": "Format of the output (`komabako formats`); without it its name or else the inputs decide",
            "出力の形式 (`komabako formats`)。省略時は名前、次に入力から判断";
        "skip_bad": "Leave bad records out, rather than stop at the first", "不正なレコードで停止せず、除いて続ける";
        "salvage": "Keep the whole records of a truncated or damaged input",
            "途中で切れた、または壊れた入力から完全なレコードを残す";
        "force": "Overwrite the output if it exists", "出力がすでにあれば上書きする";
        "tmp_dir": "Directory for temporary files, spread over all if repeated; without it that of the output",
            "一時ファイルのディレクトリ。複数なら分散する。省略時は出力と同じ場所";
        "max_memory": "Memory to take at most, such as 512M or 16G; without it half of the machine's",
            "使うメモリの上限 (512M、16G など)。省略時は搭載量の半分";
        "parts": "Parts to work in; without it as few as memory allows. The output does not depend on it",
            "分割数。省略時はメモリに収まる最小の数。出力は分割数によらない";
        "phased": "Read the inputs once for each part rather than write temporary files to shuffle",
            "シャッフル用の一時ファイルを作らず、分割数だけ入力を読み直す";
        "threads": "Threads that decode and encode; 0 for one a CPU", "復号・符号化するスレッド数。0 なら CPU の数";
        "dry_run": "Only tell what the job takes of memory and disk, and whether it can finish",
            "必要なメモリとディスク、最後まで実行できるかだけを表示する";
        "resume": "Go on with what an interrupted run of the same command has finished",
            "中断した同じコマンドの続きから始める";
        "delete_inputs": "Delete the inputs once the output is in its place", "出力が完成した後に入力を削除する";
        "json": "Report as JSON, on standard output (on standard error if OUT is `-`)",
            "報告を JSON で標準出力に出す (OUT が `-` なら標準エラー出力)";
    }
    "cat convert diff extract-scores filter head merge-scores sample slice split tail" {
        "paths": "Files to read, then the file to write; `-` for standard input and output; .zst, .gz and .xz are \
            read and written",
            "読むファイル (複数可) と、最後に書くファイル。`-` なら標準入力・標準出力。.zst、.gz、.xz も可";
        "inputs": "Files to read; `-` for standard input; .zst, .gz and .xz are read too",
            "読むファイル (複数可)。`-` なら標準入力。.zst、.gz、.xz も可";
        "output": "File to write; `-` for standard output", "書くファイル。`-` なら標準出力";
        "check": "Decode every record, so that bad ones are found, instead of copying what stays in its format",
            "形式が変わらないレコードもそのまま写さず復号し、不正なものを見つける";
        "from": "Format of the inputs (`komabako formats`); without it content and names decide",
            "入力の形式 (`komabako formats`)。省略時は内容と名前から判断";
        "to": "Format of the output (`komabako formats`); without it its name decides, and standard output keeps that of \
            the inputs",
            "出力の形式 (`komabako formats`)。省略時は名前から判断。標準出力なら入力と同じ形式";
        "on_error": "At a bad record: stop, skip it, or collect=FILE to keep it apart",
            "不正なレコードで: stop 停止、skip 飛ばす、collect=FILE 別のファイルに集める";
        "salvage": "Keep the whole records of a truncated or damaged input",
            "途中で切れた、または壊れた入力から完全なレコードを残す";
        "force": "Overwrite the output if it exists", "出力がすでにあれば上書きする";
        "threads": "Threads that work; 0 for one a CPU", "処理するスレッド数。0 なら CPU の数";
        "json": "Summary as JSON, on standard output (on standard error if the records go there)",
            "要約を JSON で標準出力に出す (レコードを標準出力に書くときは標準エラー出力)";
    }
    "info" {
        "": "Tell what files are and why, how many records they have, and what looks odd",
            "ファイルの種類とその理由、レコード数、不審な点を表示する";
        "files": "Files to look at", "調べるファイル";
        "from": "Read the files as this format (`komabako formats`)", "この形式 (`komabako formats`) として読む";
        "samples": "Records to show", "表示するレコードの数";
        "examples": "All records are counted; of more than 10,000, one in 101 is decoded.",
            "レコードはすべて数えます。10,000 件を超える分は 101 件に 1 件だけ復号します。";
    }
    "validate" {
        "": "Tell what is wrong with the records of files, level by level",
            "ファイルのレコードの誤りを、水準ごとに調べる";
        "files": "Files to judge; `-` for standard input; .zst, .gz and .xz are read",
            "調べるファイル。`-` なら標準入力。.zst、.gz、.xz も可";
        "from": "Format of the files (`komabako formats`); without it content and names decide",
            "ファイルの形式 (`komabako formats`)。省略時は内容と名前から判断";
        "level": "Judge only these levels, named one by one or with commas; without it all (see below)",
            "この水準だけを調べる (複数はカンマ区切り)。省略時はすべて (下記参照)";
        "fail_fast": "Stop at the first finding", "最初の問題で停止する";
        "threads": "Threads that judge; 0 for one a CPU", "調べるスレッド数。0 なら CPU の数";
        "json": "Report as JSON", "報告を JSON で出す";
        "examples": "Levels, each judged and counted by itself:\n  \
            size       whole records to the end of the file\n  \
            codec      the position decodes\n  \
            inventory  no more pieces than a set has\n  \
            canonical  the position is written as the format's newest writers do\n  \
            rules      no nifu, no piece without a move, the opponent not in check\n  \
            move       well-formed and legal; a move may be missing\n  \
            score      not a value that means none, and no more than a mate\n  \
            result     one of the format's, and the byte beside it 0\n  \
            ply        plausible, and odd when Black is to move\n  \
            stream     games can be replayed to the end that they declare\n\
            Exit code 1 if anything is found.\n\
            Examples:\n  \
            komabako validate games.psv more.hcpe.zst\n  \
            komabako validate --level codec,move --json games.psv",
            "水準 (それぞれ別に調べて数える):\n  \
            size       ファイルの終わりまで完全なレコードである\n  \
            codec      局面を復号できる\n  \
            inventory  駒の数が一組を超えない\n  \
            canonical  局面が正規の形で書かれている\n  \
            rules      二歩や行き所のない駒がなく、相手の玉に王手がかかっていない\n  \
            move       指し手が正しい形で、合法である (指し手なしは可)\n  \
            score      「なし」を表す値でなく、詰みの値を超えない\n  \
            result     形式にある値で、隣のバイトが 0 である\n  \
            ply        ありうる手数で、先手番なら奇数である\n  \
            stream     棋譜を、記録された終局まで再現できる\n\
            問題があれば終了コード 1 です。\n\
            例:\n  \
            komabako validate games.psv more.hcpe.zst\n  \
            komabako validate --level codec,move --json games.psv";
    }
    "stats" {
        "": "Count what is in files, as text, JSON or an HTML report with charts",
            "ファイルの内容を集計し、文字、JSON、図入りの HTML で示す";
        "files": "Files to count together, `-` for standard input; .zst, .gz and .xz too",
            "まとめて数えるファイル。`-` なら標準入力。.zst、.gz、.xz も可";
        "from": "Format of the inputs (`komabako formats`); without it content and names decide",
            "入力の形式 (`komabako formats`)。省略時は内容と名前から判断";
        "salvage": "Count the whole records of a truncated or damaged input",
            "途中で切れた、または壊れた入力の完全なレコードを数える";
        "threads": "Threads that count; 0 for one a CPU", "数えるスレッド数。0 なら CPU の数";
        "json": "All figures as JSON (see docs/stats.md)", "すべての数値を JSON で出す (docs/stats.md を参照)";
        "html": "Also write a report with charts: one HTML page that needs nothing else",
            "図入りの報告も書く。他に何も要らない 1 つの HTML ファイル";
        "force": "Overwrite the HTML file if it exists", "HTML ファイルがすでにあれば上書きする";
        "examples": "Bad records are left out and counted (exit code 1). Duplicates are estimated, ± 0.2 %.\n\
            Examples:\n  \
            komabako stats selfplay.psv\n  \
            komabako stats part1.psv.zst part2.psv.zst --html report.html\n  \
            komabako stats games.hcpe --json | jq .fit",
            "不正なレコードは除外し、数を示します (終了コード 1)。重複は推定値です (± 0.2 %)。\n\
            例:\n  \
            komabako stats selfplay.psv\n  \
            komabako stats part1.psv.zst part2.psv.zst --html report.html\n  \
            komabako stats games.hcpe --json | jq .fit";
    }
    "inspect" {
        "": "Show a position: its board, its words, and a word bit by bit",
            "局面の盤面、各形式の符号語、符号語のビットの意味を表示する";
        "position": "SFEN, hex word, or with --record a FILE",
            "SFEN、16 進の符号語、または (--record とともに) ファイル";
        "record": "Show record N of the file, counted from 0", "ファイルの N 番目 (0 から) のレコードを表示";
        "from": "Format of the file (`komabako formats`); without it content and name decide",
            "ファイルの形式 (`komabako formats`)。省略時は内容と名前から判断";
        "format": "Format of the word; without it each is tried", "符号語の形式。省略時は順に試す";
        "codes": "Also show a word of codes (psv, hcp, nshogi) code by code",
            "符号の列からなる符号語 (psv、hcp、nshogi) を符号ごとに表示";
        "ascii": "Draw the board with letters", "盤面を英字で描く";
        "examples": "Examples:\n  \
            komabako inspect startpos\n  \
            komabako inspect \"4k4/9/9/9/9/9/9/9/4K4 b 2R 1\" --format psv\n  \
            komabako inspect games.psv --record 17",
            "例:\n  \
            komabako inspect startpos\n  \
            komabako inspect \"4k4/9/9/9/9/9/9/9/4K4 b 2R 1\" --format psv\n  \
            komabako inspect games.psv --record 17";
    }
    "moves" {
        "": "List the legal moves of a position", "局面の合法手を一覧する";
        "words": "SFEN or startpos, and `moves` with USI moves; USI moves alone, from --sfen or startpos",
            "SFEN または startpos と、`moves` に続く USI の指し手。指し手だけなら --sfen または startpos から";
        "sfen": "Position to start from", "開始局面";
        "japanese": "Write them in Japanese: ▲7六歩", "▲7六歩 のように日本語で書く";
        "csa": "Write them as CSA does: +7776FU", "+7776FU のように CSA 形式で書く";
        "json": "Write them as JSON, in every notation", "すべての表記を JSON で出す";
        "examples": "Examples:\n  \
            komabako moves\n  \
            komabako moves startpos moves 7g7f 3c3d --japanese\n  \
            komabako moves --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"",
            "例:\n  \
            komabako moves\n  \
            komabako moves startpos moves 7g7f 3c3d --japanese\n  \
            komabako moves --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"";
    }
    "play" {
        "": "Play moves; print the position after them and how the game stands",
            "指し手を進め、その後の局面と状況を表示する";
        "words": "SFEN or startpos, and `moves` with USI moves; USI moves alone, from --sfen or startpos",
            "SFEN または startpos と、`moves` に続く USI の指し手。指し手だけなら --sfen または startpos から";
        "sfen": "Position to start from", "開始局面";
        "diagram": "Draw the board too", "盤面も描く";
        "examples": "An illegal move is named with its number and the reason; exit code 1.\n\
            Examples:\n  \
            komabako play 7g7f 3c3d 8h2b+\n  \
            komabako play --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\" G*5b --diagram",
            "反則の手があれば、その手数と理由を示します (終了コード 1)。\n\
            例:\n  \
            komabako play 7g7f 3c3d 8h2b+\n  \
            komabako play --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\" G*5b --diagram";
    }
    "perft" {
        "": "Count the sequences of legal moves from a position", "局面からの合法手順を数える";
        "words": "SFEN or startpos, and `moves` with USI moves; USI moves alone, from --sfen or startpos",
            "SFEN または startpos と、`moves` に続く USI の指し手。指し手だけなら --sfen または startpos から";
        "sfen": "Position to start from", "開始局面";
        "depth": "Moves in a sequence", "手順の手数";
        "divide": "Also print the count of each first move", "初手ごとの数も表示する";
        "threads": "Threads that count; 0 for one a CPU", "数えるスレッド数。0 なら CPU の数";
        "hash": "Remember positions in a table of this size; on one thread",
            "この大きさの表に局面を覚える。スレッドは 1 つ";
        "examples": "Examples:\n  \
            komabako perft --depth 5\n  \
            komabako perft startpos moves 7g7f --depth 4 --divide",
            "例:\n  \
            komabako perft --depth 5\n  \
            komabako perft startpos moves 7g7f --depth 4 --divide";
    }
    "formats" {
        "": "List the formats of files, or what conversions between them lose",
            "ファイル形式の一覧、または変換で失われるものを表示する";
        "from": "Show what conversions from this format lose", "この形式からの変換で失われるものを表示";
        "to": "Show what conversions to this format lose", "この形式への変換で失われるものを表示";
    }
    "encode" {
        "": "Read SFEN lines and print one hex word a line",
            "SFEN を 1 行ずつ読み、16 進の符号語を 1 行ずつ出力する";
        "format": "Format of the words", "符号語の形式";
        "payload": "Payload of every word of c250, 0 to 63; without it 0", "c250 の符号語の付加情報 (0 から 63)。省略時は 0";
        "on_error": "At a bad line: stop, skip it, or write `!NAME` in its place",
            "不正な行で: 停止、飛ばす、その行に `!エラー名` を出力";
        "inputs": "Files of lines, `-` for standard input, which is also read if there are none; a blank line is bad",
            "行のファイル。`-` または省略時は標準入力。空行は不正な行";
        "examples": "Example:\n  echo startpos | komabako encode --format psv",
            "例:\n  echo startpos | komabako encode --format psv";
    }
    "decode" {
        "": "Read hex words and print one SFEN a line (ply 1), of c250 with a tab and the payload",
            "16 進の符号語を 1 行ずつ読み、SFEN (手数 1) を 1 行ずつ出力する。c250 ではタブと付加情報が続く";
        "format": "Format of the words", "符号語の形式";
        "on_error": "At a bad line: stop, skip it, or write `!NAME` in its place",
            "不正な行で: 停止、飛ばす、その行に `!エラー名` を出力";
        "inputs": "Files of lines, `-` for standard input, which is also read if there are none; a blank line is bad",
            "行のファイル。`-` または省略時は標準入力。空行は不正な行";
        "examples": "Example:\n  komabako decode --format psv words.txt",
            "例:\n  komabako decode --format psv words.txt";
    }
    "random" {
        "": "Print random positions, every one there is as likely as any other",
            "あらゆる局面から一様に選んだ局面を出力する";
        "count": "How many", "局面の数";
        "seed": "Seed; the same seed gives the same positions", "乱数の種。同じ種からは同じ局面が得られる";
        "format": "Print hex words of this format instead of SFEN", "SFEN の代わりに、この形式の 16 進の符号語を出力";
        "examples": "Most have both kings and all pieces on the board, half of them promoted; few could occur in a game.\n\
            Example:\n  komabako random -n 1000 --seed 7",
            "大半は両方の玉とほぼすべての駒が盤上にあり、その半分は成駒です。対局に現れうるものはわずかです。\n\
            例:\n  komabako random -n 1000 --seed 7";
    }
    "backends" {
        "": "List the ways to pack and unpack on this CPU, and which is used",
            "この CPU で使えるバックエンドと、使われるものを一覧する";
    }
    "completions" {
        "": "Print a script that completes komabako's command line",
            "シェルの補完スクリプトを出力する";
        "shell": "Shell to complete for", "シェル";
        "examples": "Example:\n  komabako completions bash > ~/.local/share/bash-completion/completions/komabako",
            "例:\n  komabako completions bash > ~/.local/share/bash-completion/completions/komabako";
    }
    "man" {
        "": "Write the manual pages", "マニュアル (man) を書き出す";
        "directory": "Write every page there; without it the first page goes to standard output",
            "全ページの書き出し先。省略時は最初のページを標準出力へ";
        "examples": "Examples:\n  komabako man | man -l -\n  komabako man ~/.local/share/man/man1",
            "例:\n  komabako man | man -l -\n  komabako man ~/.local/share/man/man1";
    }
};

/// The usage of commands whose inputs and output are one argument to clap.
const USAGES: [(&str, &str); 7] = [
    ("convert", "komabako convert [OPTIONS] <IN>... <OUT>"),
    ("dedup", "komabako dedup [OPTIONS] <IN>... <OUT>"),
    ("extract-scores", "komabako extract-scores [OPTIONS] <IN>... <OUT>"),
    ("filter", "komabako filter [OPTIONS] --where <EXPR> <IN>... <OUT>"),
    ("merge-scores", "komabako merge-scores [OPTIONS] <IN>... <SCORES> <OUT>"),
    ("sample", "komabako sample [OPTIONS] <--count <N>|--ratio <P>> <IN>... <OUT>"),
    ("shuffle", "komabako shuffle [OPTIONS] --seed <N> <IN>... <OUT>"),
];

/// The template of Japanese help: clap's, with its one fixed heading in Japanese.
const JAPANESE: &str = "{about-with-newline}\n使い方: {usage}\n\n{all-args}{after-help}";

/// Gives a command, its arguments and its subcommands the texts of a language.
pub fn overlay(command: Command, lang: Lang) -> Command {
    // One form of help for `-h` and `--help`: there is no longer one.
    let help = Arg::new("help").short('h').long("help").global(true).action(ArgAction::HelpShort);
    let mut command = command.disable_help_subcommand(true).disable_help_flag(true).arg(help);
    // Adds the global options to every subcommand, so that they get their texts as well.
    command.build();
    localise(command, lang)
}

fn localise(command: Command, lang: Lang) -> Command {
    let name = command.get_name().to_owned();
    let mut command = command.mut_args(|argument| describe(argument, &name, lang));
    if let Some(about) = find(&name, ABOUT) {
        command = command.about(about.in_lang(lang));
    }
    if let Some((_, usage)) = USAGES.iter().find(|(command, _)| *command == name) {
        command = command.override_usage(*usage);
    }
    if let Some(examples) = find(&name, EXAMPLES) {
        command = command.after_help(examples.in_lang(lang));
    }
    if lang == Lang::Ja {
        command = command.help_template(JAPANESE).subcommand_help_heading("コマンド");
    }
    command.mut_subcommands(|subcommand| localise(subcommand, lang))
}

fn describe(argument: Arg, command: &str, lang: Lang) -> Arg {
    let id = argument.get_id().as_str();
    let Some(text) = text_of(command, id) else { return argument };
    let is_shared = text.command == EVERY;
    let heading = match (lang, is_shared, argument.is_positional()) {
        (Lang::En, true, _) => "Common options",
        (Lang::Ja, true, _) => "共通オプション",
        (Lang::En, false, true) => "Arguments",
        (Lang::Ja, false, true) => "引数",
        (Lang::En, false, false) => "Options",
        (Lang::Ja, false, false) => "オプション",
    };
    let help = text.in_lang(lang).to_owned() + &values(&argument, lang);
    argument.help(help).help_heading(heading).hide_possible_values(true).hide_default_value(true)
}

/// The values that an argument takes, the default one named: clap's own list is in English and long.
fn values(argument: &Arg, lang: Lang) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let names: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let default = argument.get_default_values().first().and_then(|value| value.to_str());
    match (names.is_empty(), default, lang) {
        _ if names.len() > MANY_VALUES => String::new(),
        (true, None, _) => String::new(),
        (false, None, _) => format!(" [{}]", names.join(", ")),
        (true, Some(default), Lang::En) => format!(" [default: {default}]"),
        (true, Some(default), Lang::Ja) => format!(" [既定: {default}]"),
        (false, Some(default), Lang::En) => format!(" [{}; default: {default}]", names.join(", ")),
        (false, Some(default), Lang::Ja) => format!(" [{}、既定: {default}]", names.join(", ")),
    }
}

/// The text of an argument: the command's own, or one that it shares.
fn text_of(command: &str, argument: &str) -> Option<&'static Text> {
    [command, EVERY].into_iter().find_map(|command| find(command, argument))
}

fn find(command: &str, argument: &str) -> Option<&'static Text> {
    TEXTS.iter().find(|text| text.is_of(command) && text.argument == argument)
}

impl Text {
    fn is_of(&self, command: &str) -> bool {
        self.command.split(' ').any(|name| name == command)
    }

    fn in_lang(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Ja => self.ja,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    /// The command and its subcommands.
    fn commands(lang: Lang) -> Vec<Command> {
        let program = cli::command(lang);
        let subcommands: Vec<Command> = program.get_subcommands().cloned().collect();
        [program].into_iter().chain(subcommands).collect()
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_both_languages() {
        for lang in [Lang::En, Lang::Ja] {
            for command in commands(lang) {
                let name = command.get_name();
                let about = command.get_about().map(ToString::to_string);
                assert_eq!(about.as_deref(), find(name, ABOUT).map(|text| text.in_lang(lang)), "{name}");
                assert!(about.is_some(), "{name}");
                for argument in command.get_arguments() {
                    let id = argument.get_id().as_str();
                    let text = text_of(name, id).expect(id).in_lang(lang);
                    let help = argument.get_help().expect(id).to_string();
                    assert!(help.starts_with(text), "{name} {id}: {help}");
                }
            }
        }
    }

    #[test]
    fn japanese_texts_are_japanese_and_none_is_of_nothing() {
        let commands = commands(Lang::En);
        for text in TEXTS {
            assert!(text.ja.chars().any(|letter| letter >= '\u{3040}'), "{}", text.ja);
            let is_of = |command: &Command| {
                let is_known = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
                (text.command == EVERY || text.is_of(command.get_name()))
                    && (matches!(text.argument, ABOUT | EXAMPLES) || is_known(text.argument))
            };
            assert!(commands.iter().any(is_of), "{} {}", text.command, text.argument);
        }
    }
}
