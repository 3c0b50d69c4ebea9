//! Commands that write files from files, record by record.

use super::text::Help;

pub(super) const HELP: Help = help! {
    "convert" {
        "": "Convert files of positions from one format to another",
            "局面データのファイルを別の形式に変換する";
        "out_dir": "Write each input to its own file in this directory, with the input's name and compression; all paths are \
            inputs",
            "入力ごとに、名前と圧縮を引き継いだファイルをこのディレクトリに書く。パスはすべて入力";
        "compress": "Compression of the files in --out-dir; by default each input's own",
            "--out-dir のファイルの圧縮方式。省略時は入力ごとに同じ";
        "on_error": "On a bad record: stop (default), skip it, or collect=FILE to write it to FILE. Bad game records are left \
            out unless `stop` is given; collect=FILE lists them, with line and column",
            "不正なレコードで: stop 停止 (既定)、skip 飛ばす、collect=FILE 別のファイルに集める。不正な棋譜は、stop と指定しない限り除いて続ける (collect=FILE なら行と桁の一覧を書き出す)";
        "archive": "How to write an archive (.kmb): read as fast as a plain file, or as small as possible, the default",
            "アーカイブ (.kmb) の書き方: fast は読むのが速い、small は最も小さい (既定)";
        "level": "Level of zstd in a fast archive; 3 by default", "fast のアーカイブでの zstd のレベル。既定は 3";
        "block_records": "Records of a block of an archive; reading one record decodes its block; 65536 by default",
            "アーカイブの 1 ブロックのレコード数。1 レコードを読むにはそのブロックを展開する。既定は 65536";
        "unordered": "Archives: put the records of a game, wherever they are, one after the other, which gives up their order; shuffled \
            games become as small as games in order",
            "アーカイブ: ばらばらのレコードを対局ごとに並べ直す。順序は失われるが、シャッフル済みでも対局順と同じ小ささになる";
        "memory": "Memory for --unordered, such as 512M or 2G: 512M by default, for 3 million records; up to 50 million go through \
            temporary files beside the output",
            "--unordered のメモリ (512M、2G など)。既定は 512M で 300 万レコード分。5,000 万レコードまでは出力の隣の一時ファイルを使う";
        "no_verify": "Archives: do not decode each block again to compare it with its records before it is written",
            "アーカイブ: 書く前に各ブロックを展開し直して確かめるのをやめる";
        "append": "Write the records to the end of an archive that exists; that one stays as it is until all is written",
            "既存のアーカイブの末尾に追加する。すべて書き終えるまで元のファイルは変わらない";
        "recursive": "Game records: search folders too", "棋譜: フォルダーの中も探す";
        "notes": "Names for --games, also on .hcpe3 and .pack as far as they hold them: the members of `komabako kifu --list`.\n\
            What a game does not say is unknown, as in SQL, and the game is left out: rating_min >= 3500 needs both ratings.",
            "--games の名前は `komabako kifu --list` の項目と同じです (.hcpe3 と .pack では、その形式にあるもの)。\n\
            棋譜にない値は SQL と同じく不明とし、その対局は除きます。rating_min >= 3500 には両者のレートが必要です。";
        "score": "Game records: scores to use, the mover's before the move (mover), an analysis after it (after), or none",
            "棋譜: どの評価値を使うか。mover 指した側の読み、after 解析、none なし";
        "missing_score": "Game records: leave out a position without a score (skip), or give it this score",
            "棋譜: 評価値のない局面を除く (skip)、またはこの値にする";
        "unfinished": "Game records: leave out games and variations without a result, or count them as draws",
            "棋譜: 勝敗のない対局や変化を除く (skip)、引き分けとする (draw)";
        "variations": "Game records: include the moves of variations, each once, with the variation's own result; not in .hcpe3 and .pack",
            "棋譜: 変化の手も 1 度ずつ、その変化の勝敗で含める (.hcpe3 と .pack を除く)";
        "score_view": "Game records: side from whose view the scores of ShogiGUI are, which lets its user choose",
            "棋譜: ShogiGUI の評価値がどちらから見た値か (ShogiGUI の設定による)";
        examples
            "komabako convert games.psv games.hcpe",
            "komabako convert games.psv games.kmb",
            "komabako convert a.psv.zst b.psv all.hcpe.zst --on-error collect=bad.psv",
            "cat games.hcpe | komabako convert --from hcpe --to sfen - - | head",
            "komabako convert *.psv.zst --to hcpe --out-dir hcpe",
            "komabako convert games/*.csa archive.zip out.psv",
            "komabako convert --recursive floodgate out.hcpe3",
            "komabako convert wdoor2026.7z out.psv --games 'rating_min >= 3500 and plies >= 60' --unique-games";
    }
    "clean" {
        "": "Remove what killed runs have left: unfinished outputs and temporary directories",
            "強制終了した実行が残した、書きかけの出力と一時ディレクトリを削除する";
        "directories": "Directories of outputs or of --tmp-dir; their subdirectories are not searched",
            "出力や --tmp-dir のディレクトリ。その中のディレクトリは探さない";
        "all": "Also remove the finished parts of jobs that --resume could continue, with their files in --tmp-dir", "--resume で再開できる処理の、終えた部分も削除する (--tmp-dir にある分も)";
        "dry_run": "Only list what would be removed", "何が削除されるかを示すだけで、削除しない";
        "json": "Summary as JSON", "要約を JSON で出す";
        "notes": "Files that a run is using are kept, and so are files less than a minute old, and the part of an unfinished job\n\
            that --resume continues.",
            "実行中の処理のファイルと、できてから 1 分経たないファイルは残します。途中の処理が --resume で続ける部分も残します。";
        examples
            "komabako clean . --dry-run",
            "komabako clean data /mnt/tmp";
    }
    "kifu" {
        "": "Convert, list or check game records: KIF, KI2, CSA, JKF, USI", "棋譜 (KIF・KI2・CSA・JKF・USI) を変換・一覧・検査する";
        "paths": "Files to read, then the file to write; `-` for standard input and output; archives (.zip, .7z, .lzh) and compressed \
            files too",
            "入力と、最後に出力。`-` は標準入出力。書庫 (.zip、.7z、.lzh) や圧縮ファイルも可";
        "to": "Format of the output; by default from its extension", "出力の形式。省略時は拡張子による";
        "recursive": "Search folders too", "フォルダーの中も探す";
        "split": "Write one file per game: OUT-000001.kif and so on", "1 局ずつ別のファイル (OUT-000001.kif など) に書く";
        "list": "Print one line of JSON per game; all paths are inputs", "1 局 1 行の JSON で一覧する。パスはすべて入力";
        "check": "Only read and check; all paths are inputs", "読むだけで何も書かない。パスはすべて入力";
        "csa_version": "Version of CSA to write; 3 keeps milliseconds", "書き込む CSA のバージョン。3 はミリ秒を保つ";
        "encoding": "Encoding of the output; by default CP932 for .kif and .ki2, else UTF-8",
            "出力の文字コード。省略時は .kif と .ki2 が CP932、ほかは UTF-8";
        "eol": "Line ends of the output; by default CRLF for .kif and .ki2, else LF",
            "出力の改行。省略時は .kif と .ki2 が CRLF、ほかは LF";
        "unmappable": "Character to write for those that CP932 lacks: ?, _ or a Japanese one; they are counted. By default such a game is left out",
            "CP932 にない文字の代わりに書く文字 (?、_、または全角文字)。置き換えた数を知らせる。省略時はその棋譜を除く";
        "lenient": "Keep the moves before an error", "誤りがあっても、その前までの手を残す";
        "keep_comments": "Keep CSA's plain comments ('TEXT) too", "CSA の ' だけのコメントも残す";
        "on_error": "On a bad game: skip it (default), stop, or skip it and list it in FILE (collect=FILE)",
            "不正な棋譜を除く (skip、省略時)、そこで止める (stop)、除いて FILE に一覧する (collect=FILE)";
        "json": "Summary as JSON, on standard output (on standard error if the games go there)",
            "要約を JSON で標準出力に出す (棋譜を標準出力に書くときは標準エラー出力)";
        "notes": "Losses of the output's format are counted. Bad games are reported and left out (exit code 1).",
            "出力の形式で表せないものは数えて知らせます。不正な棋譜は知らせて除きます (終了コード 1)。";
        examples
            "komabako kifu game.kif game.csa",
            "komabako kifu --list --recursive games",
            "komabako kifu games.csa games.kifu --split",
            "komabako kifu wdoor2026.7z best.csa --games 'black contains \"elmo\" and date >= \"2026-07\"'";
    }
    "convert kifu stats" {
        "games": "Only games for which EXPR is true, such as 'rating_min >= 3500 and plies >= 60'",
            "EXPR が真となる対局だけ ('rating_min >= 3500 and plies >= 60' など)";
        "unique_games": "Of games with the same moves from the same start only the first", "同じ開始局面から同じ指し手の対局は、最初の 1 局だけにする";
    }
    "cat" {
        "": "Concatenate files of positions, in one format",
            "局面データのファイルを順につなぎ、1 つの形式で書く";
        "notes": "Records that stay in their format are copied byte for byte; games (.pack, .hcpe3) are replayed first.",
            "形式が変わらないレコードはバイト列のままコピーします。棋譜 (.pack、.hcpe3) は先に再生して確かめます。";
        examples
            "komabako cat a.psv b.psv.zst -o all.psv",
            "komabako cat games.hcpe --to sfen";
    }
    "head" {
        "": "Write the first records", "最初のレコードを書く";
        "notes": "The rest of the inputs is not read.",
            "その先は読みません。";
        examples "komabako head -n 3 games.psv --to plain";
    }
    "tail" {
        "": "Write the last records", "最後のレコードを書く";
        "notes": "In uncompressed files with records of one size, only these are read; in others they are kept in memory.",
            "圧縮されていない固定長レコードのファイルでは最後だけを読み、ほかではその分をメモリに置きます。";
        examples "komabako tail -n 3 games.psv --to plain";
    }
    "head tail" {
        "records": "Number of records", "レコードの数";
    }
    "slice" {
        "": "Write a range of records", "ある範囲のレコードを書く";
        "range": "Record numbers, from 0 over all inputs, END not included; either may be left out",
            "レコードの番号の範囲。すべての入力を通して 0 から数え、END は含まない。どちらも省略可";
        "notes": "If the inputs end before END, the records up to there are written, and a warning reports the number of missing ones (exit code \
            1). A game (.pack, .hcpe3) that is cut keeps the candidates and scores of its remaining moves.",
            "入力が END より前で終わるときは、ある分を書き、不足を知らせます (終了コード 1)。途中で切った棋譜\n\
            (.pack、.hcpe3) も、残した手の候補手や評価値を保ちます。";
        examples
            "komabako slice games.psv --range 1000..2000 -o part.psv",
            "komabako slice a.psv b.psv --range 5000000.. -o rest.psv";
    }
    "sample" {
        "": "Write records drawn at random, in the order of the inputs",
            "無作為に選んだレコードを入力の順に書く";
        "count": "Number of records; every subset of this size is equally likely. They are kept in memory. If there are fewer, all are \
            written, with a warning",
            "レコードの数。どの部分集合も同じ確率で選ばれる。選んだ分をメモリに置く。足りなければすべてを書き、警告する";
        "ratio": "Draw each record with this probability, 0 to 1", "各レコードをこの確率 (0 から 1) で選ぶ";
        "seed": "Seed; the same seed draws the same records", "乱数シード。同じシードなら同じレコードが選ばれる";
        examples
            "komabako sample games.psv.zst valid.psv --count 100000 --seed 7",
            "komabako sample a.psv b.psv tenth.psv --ratio 0.1";
    }
    "filter" {
        "": "Write the records that match an expression", "式が成り立つレコードを書く";
        "expression": "Condition on a record (see below)", "レコードの条件 (下記)";
        "by_mask": "Write the records whose bits are set in this file, which `--mask` wrote for this file or one with the same records. \
            Those that stay in their format are not decoded, so that --on-error finds no bad ones",
            "このファイルのビットが 1 のレコードを書く。`--mask` で同じ並びのレコードから作ったもの。形式が変わらなければ復号しないので、--on-error は不正なものを見つけない";
        "mask": "Write one bit a record to this file (the lowest bit first) instead of records; then all paths are inputs",
            "レコードの代わりに 1 件 1 ビット (下位から) をこのファイルに書く。パスはすべて入力になる";
        "not_in": "Write the records whose positions are not in this FILE, such as a held-out set; repeatable. Its content and name tell its \
            format, not --from. Files may be larger than memory",
            "この FILE (評価用に取り分けたものなど) にない局面のレコードを書く。複数指定可。形式は --from によらず内容と名前から判断。メモリより大きい\
            ファイルも可";
        "invert": "Write the records that do not match", "式が成り立たないレコードを書く";
        "limit": "Write at most N records, and read no more than these need", "最大で N 件を書き、それに必要な分だけを読む";
        "notes": "Numbers: score, ply, result (1 won, 0 draw, -1 lost, by the side to move), board_pieces, hand_pieces, \
            black_hand, white_hand, removed_pieces, black_king_file, black_king_rank, white_king_file, white_king_rank, \
            moved_piece, captured_piece (pawn, lance, knight, silver, gold, bishop, rook, king), mate_in, see(move), \
            best_capture, plies_left; \
            + - * / % abs(a) min(a, b) max(a, b); == != < <= > >=\n\
            Conditions: won, lost, drawn, black_won, white_won, black_to_move, white_to_move, in_check, \
            has_move, legal, capture, promotion, drop, gives_check, quiet, quiet_move, hanging, mate_in_one, mating, \
            mated; and or not ( ), or && || !",
            "数: score、ply、result (手番側の勝ち 1、引き分け 0、負け -1)、board_pieces、hand_pieces、black_hand、\n\
            white_hand、removed_pieces、black_king_file、black_king_rank、white_king_file、white_king_rank、\n\
            moved_piece、captured_piece (pawn、lance、knight、silver、gold、bishop、rook、king)、\n\
            mate_in、see(move)、best_capture、plies_left、\n\
            + - * / % abs(a) min(a, b) max(a, b)、== != < <= > >=\n\
            条件: won、lost、drawn、black_won、white_won、black_to_move、white_to_move、in_check、\n\
            has_move、legal、capture、promotion、drop、gives_check、quiet、quiet_move、hanging、mate_in_one、\n\
            mating、mated、and or not ( ) または && || !";
        examples
            "komabako filter games.psv quiet.psv --where 'quiet and abs(score) < 2000'",
            "komabako filter games.psv rook.psv --where 'moved_piece == rook and ply <= 40'",
            "komabako filter games.psv --where quiet --mask quiet.bits",
            "komabako filter games.psv quiet.psv --by-mask quiet.bits",
            "komabako filter games.psv train.psv --not-in valid.psv";
    }
    "split" {
        "": "Split records into several files", "レコードを複数のファイルに分ける";
        "into": "Name of the parts with `{}` for their number from 001; with --ratio or --parts also one name per part",
            "番号 (001 から) の位置を `{}` で示したパートの名前。--ratio と --parts ではパートの数だけ指定してもよい";
        "records": "Records per part", "1 パートのレコード数";
        "bytes": "Largest size of a part, before compression, such as 512M or 2G",
            "1 パートの最大バイト数 (圧縮前)。512M、2G など";
        "parts": "Number of parts, as equal as possible", "パートの数。できるだけ均等に分ける";
        "ratio": "Split at random in proportion to these weights, such as 98:1:1", "98:1:1 のような比で無作為に分ける";
        "seed": "Seed of the ratio; the same seed splits the same way", "比で分けるときの乱数シード。同じシードなら同じ分け方になる";
        "by_game": "Keep every game in one part: a part that reaches its size continues to the end of the game, and a ratio \
            counts games",
            "対局を途中で分けない。大きさに達したパートは対局の終わりまで続き、比は対局の比になる";
        "notes": "A record continues the game of the previous record if that record's move leads to it, or if its ply is higher by n and at most \
            2n squares differ; if plies are unknown or the same, at most 8 squares may differ. The formats .pack and .hcpe3 store games, \
            and parts in these formats never cut one. Parts appear when all are complete. Records that stay in their format are copied byte \
            for byte and not decoded, so that --on-error finds no bad ones.",
            "前のレコードの指し手でその局面になるとき、または手数が n 手増え、盤の違いが 2n マス以内のとき、同じ対局と\n\
            みなします。手数が不明か同じなら 8 マス以内のときです。.pack と .hcpe3 の対局は元のままで、この形式の\n\
            パートは対局を切りません。パートはすべてが完成してから現れます。形式が変わらないレコードは復号せずにコピーするので、--on-error は不正なものを見つけません。";
        examples
            "komabako split games.psv --ratio 98:1:1 --by-game --into train.psv --into valid.psv --into test.psv",
            "komabako split games.psv.zst --bytes 2G --into 'part-{}.psv.zst'";
    }
    "diff" {
        "": "Compare two files by position", "2 つのファイルを局面で比べる";
        "a": "First file, preferably the smaller one: takes 49 bytes of memory per record, or temporary files",
            "1 つ目のファイル。小さいほうがよい。1 レコード 49 バイトのメモリ、または一時ファイルを使う";
        "b": "Second file", "2 つ目のファイル";
        "only_a": "Write the records of A whose position is not in B", "B にない局面の A のレコードを書く";
        "only_b": "Write the records of B whose position is not in A", "A にない局面の B のレコードを書く";
        "changed": "Write the records of B whose position is in A with another score, move or result",
            "A では評価値、指し手、勝敗のいずれかが違う局面の B のレコードを書く";
        "json": "Summary as JSON, on standard output", "要約を JSON で標準出力に出す";
        "notes": "Score, move and result are compared if both formats have them; plies and padding are not.\n\
            Exit code 1 if the files differ. Lines: - only in A, + only in B, ! changed, with record numbers.",
            "評価値、指し手、勝敗のうち両方の形式にあるものを比べ、手数などは比べません。\n\
            違いがあれば終了コード 1。行頭の - は A のみ、+ は B のみ、! は変更で、レコードの番号が続きます。";
        examples "komabako diff old.psv new.hcpe --only-b new.psv";
    }
    "merge-scores" {
        "": "Write records with the scores of a column, one little-endian number per record: i16 or, by its name, .f32 or .u32",
            "評価値の列 (1 レコードに 1 個のリトルエンディアンの数。i16、または名前が .f32、.u32 ならその型) をレコードに入れて書く";
        "paths": "Files of records, then the column, then the file to write; `-` for standard input and output",
            "レコードのファイル (複数可)、評価値の列、最後に書くファイル。`-` なら標準入力・標準出力";
        "by": "number: SCORES is a column, one score per record in their order. position: SCORES is a file of records in any \
            format with scores; a record gets the score of the same position there, or keeps its own if the position is missing",
            "number: SCORES は評価値の列で、レコードの順に対応する。position: SCORES は評価値を持つ任意の形式のレコードで、同じ局面の評価値を入れる \
            (なければ元のまま)";
        "max_memory": "With --by position: memory limit for the scores, such as 512M or 16G; by default half of the machine's \
            memory",
            "--by position で評価値に使うメモリの上限 (512M、16G など)。省略時は搭載量の半分";
        "notes": "32002 or -32768 in the column (NaN in f32, 4294967295 in u32) keeps the record's score; numbers of f32 and u32 beyond ±32000 are clamped to it. Positions are compared by board, hands and side to move; of two scores of a \
            position the later is used. The scores take 55 bytes of memory each.",
            "列の 32002 と -32768 (f32 では NaN、u32 では 4294967295) は元の評価値を残します。f32 と u32 の ±32000 を超える数は ±32000 とします。局面は盤面・持ち駒・手番で比べ、同じ局面に複数の評価値があれば後のものを使います。評価値は 1 件 55 バイトでメモリに置きます。";
        examples
            "komabako merge-scores games.psv dl.i16 rescored.psv",
            "komabako merge-scores games.psv rescored.csv out.psv --by position";
    }
    "rescore" {
        "": "Give records the scores or moves of an engine that speaks USI", "USI エンジンの評価値や指し手をレコードに入れる";
        "engine": "The engine's program; it is started without a shell, in the current directory",
            "エンジンのプログラム。シェルを介さず、今のディレクトリで起動する";
        "engine_args": "An argument for the engine; repeat it for more", "エンジンの引数。複数なら繰り返す";
        "engine_options": "An option to set (`setoption name NAME value VALUE`); repeat it for more",
            "設定するオプション (`setoption name NAME value VALUE`)。複数なら繰り返す";
        "go": "What follows `go`, such as 'nodes 20000' or 'depth 9'", "`go` に続けるもの ('nodes 20000'、'depth 9' など)";
        "engines": "Number of processes of the engine", "エンジンのプロセス数";
        "timeout": "Seconds to wait for each answer, and for the engine to start", "応答と起動を待つ秒数";
        "new_game": "each: every position is a new game, with the options set again, so that answers do not depend on earlier positions",
            "each: 局面ごとにオプションを設定し直して新しい対局とし、応答がそれまでの局面によらないようにする";
        "score": "Replace the score; this is the default", "評価値を置き換える (省略時)";
        "best_move": "Replace the move", "指し手を置き換える";
        "both": "Replace score and move", "評価値と指し手を置き換える";
        "column": "Write only the scores, as a column for `merge-scores`, to this file; then all paths are inputs. Bad records keep their \
            place in it, without a score (32002; NaN in f32)",
            "評価値だけを `merge-scores` 用の列としてこのファイルに書く。ほかのパスはすべて入力になる。不正なレコードの行も残り、評価値なし \
            (32002、f32 では NaN) とする";
        "paths": "Files to read, then the file to write; `-` for standard output only, since the inputs are read twice; .zst, .gz, .xz and \
            .kmb are read and written",
            "読むファイル (複数可) と、最後に書くファイル。入力は 2 回読むので、`-` は標準出力だけ。.zst、.gz、.xz、.kmb も可";
        "resume": "Continue an interrupted run of the same command from the answers in OUT.answers, if there are any",
            "中断した同じコマンドが OUT.answers に残した応答があれば、その続きから始める";
        "notes": "The last exact score before `bestmove` counts; a mate in N plies is 32000 - N, evaluations end at ±29999. An engine that ends, \
            hangs or answers nonsense is started anew, and asked once more; then the record is bad (--on-error). Answers are kept in \
            OUT.answers until OUT is complete. With `--option Threads=1`, --new-game each and a limit by nodes or depth the result does not \
            depend on --engines or on interruptions.",
            "`bestmove` の前の最後の正確な評価値を使います。N 手の詰みは 32000 - N、評価値は ±29999 \
            までです。終了したり、応答しなかったり、不正な応答をしたエンジンは起動し直してもう一度だけ聞き、それでも駄目ならそのレコードを不正とします (--on-error)。応答は OUT が完成するまで OUT.answers に残ります。`--option \
            Threads=1` と --new-game each を指定し、ノード数か深さで制限すれば、結果は --engines や中断によりません。";
        examples
            "komabako rescore games.psv new.psv --engine ./YaneuraOu --option Threads=1 --option EvalDir=eval --go 'nodes 20000' --engines 8",
            "komabako rescore games.hcpe new.hcpe --both --engine ./dlshogi --option DNN_Model=model.onnx --go 'nodes 800'";
    }
    "scores" {
        "": "Scale, clamp and map the scores of records", "評価値を定数倍し、範囲を制限し、詰みの値をそろえる";
        "scale": "Multiply evaluations, rounding to the nearest; results beyond ±29999 become ±29999",
            "評価値にこの数を掛けて四捨五入する。±29999 を超える値は ±29999 にする";
        "clamp": "Limit scores to -N to N; mates too, unless --mate replaces them",
            "評価値を -N から N までに収める。--mate がなければ詰みの値も";
        "mate": "Replace every mate with N, or -N for the side that is mated", "詰みの値を N (詰まされる側は -N) にそろえる";
        "notes": "Scores from 30000 (dlshogi) up and from -30000 down mean mate: they are never scaled. 32002 and -32768, which mean no score, \
            stay. Evaluations are scaled first, then clamped. `komabako stats` fits the factor that brings scores to the usual 600.",
            "30000 以上と -30000 以下は詰みを表す値とみなし、倍率を掛けません。評価値なしを表す 32002 と -32768 はそのまま残します。先に倍率を掛け、次に範囲を制限します。通例の 600 に合わせる倍率は `komabako stats` が示します。";
        examples
            "komabako scores games.psv scaled.psv --scale 0.79",
            "komabako scores games.psv clean.psv --clamp 3000 --mate 3000";
    }
    "mix" {
        "": "Interleave the records of several files by weight", "複数のファイルのレコードを重みに応じて混ぜる";
        "paths": "Files to read, each with its weight (default 1), then the file to write; `-` for standard input and output",
            "読むファイル (それぞれ `:重み` 付き、省略時 1) と、最後に書くファイル。`-` なら標準入力・標準出力";
        "seed": "Seed of the draws; the same seed gives the same output", "乱数シード。同じシードなら同じ出力になる";
        "stop_at_first_end": "Stop when an input has no record left, so that the weights hold throughout",
            "どれかの入力が尽きたところで終え、最後まで比率を保つ";
        "notes": "Each record is drawn from one of the inputs by weight; the records of an input keep their order. When an input ends, the others \
            continue, so that no record is left out. Takes one pass and constant memory; to shuffle as well, run `komabako shuffle` on the \
            output. Records that stay in their format are copied byte for byte and not decoded, so that --on-error finds no bad ones.",
            "次のレコードをどの入力から取るかを重みで抽選します。同じ入力の中の順序は変わりません。先に尽きた入力があれば残りの入力で続けるので、レコードが失われることはありません。1 回読むだけで、使うメモリは一定です。順序も混ぜるには、出力を `komabako \
            shuffle` してください。形式が変わらないレコードは復号せずにコピーするので、--on-error は不正なものを見つけません。";
        examples
            "komabako mix new.psv:3 old.psv:1 all.psv --seed 7",
            "komabako mix a.psv:3 b.psv:1 c.hcpe:1 mixed.psv --seed 7 --stop-at-first-end";
    }
    "extract-scores" {
        "": "Write the scores of records as a column, one little-endian number per record: i16 or, by its name, .f32",
            "レコードの評価値を列 (1 レコードに 1 個のリトルエンディアンの数。i16、または名前が .f32 ならその型) として書く";
        "notes": "A record without a score, or with 32002 or -32768, gives 32002, or NaN in f32.",
            "評価値のないレコードと、評価値が 32002 か -32768 のレコードは 32002 (f32 では NaN) になります。";
        examples "komabako extract-scores games.psv games.i16";
    }
};
