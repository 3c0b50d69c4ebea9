//! Commands that examine, repair, deduplicate or shuffle whole files.

use super::text::Help;

pub(super) const HELP: Help = help! {
    "dedup" {
        "": "Remove duplicate records; files may be larger than memory",
            "重複したレコードを除く。メモリより大きいファイルも可";
        "by": "Key by which two records are duplicates: the position in any format, position and move, or all bytes written",
            "同じとみなす基準。position 局面 (形式を問わない)、move 局面と指し手、record 書き込むバイト列すべて";
        "keep": "Record that stays of duplicates: the first, the last, or the first with the mean score, the most frequent move and the \
            most frequent result of all (see below)",
            "重複のうち残すレコード。first 最初、last 最後、mean 最初のものに全体の平均の評価値と最も多い指し手・勝敗を入れる (下記)";
        "columns": "With --keep mean, write beside the output PREFIX.count.u32, PREFIX.result.f32 and PREFIX.score.f32, with a number \
            for each of its records: how many it stands for, their mean result (1 won, 0 draw, -1 lost, by the side to move) and their \
            mean score",
            "--keep mean のとき、出力の各レコードに対応する数を PREFIX.count.u32 (件数)、PREFIX.result.f32 (手番側から見た勝敗の平均。勝ち 1、\
            引き分け 0、負け -1)、PREFIX.score.f32 (評価値の平均) に書く";
        "reference": "Leave out records that are in this FILE too, which has no duplicates and is not changed; repeatable. Its content and name \
            tell its format, not --from",
            "この重複のない FILE にある局面も除く (FILE は書き換えない)。複数指定可。形式は --from によらず内容と名前から判断";
        "shuffle_seed": "Shuffle the remaining records with this seed, without an intermediate file",
            "残りをこの乱数シードでシャッフルする。中間ファイルは作らない";
        "partition": "Write only partition I of N (from 0), to share the work with other machines: each reads all inputs and keeps \
            only its share of the keys, by their hash, in memory or in files. Together the parts have all records of the \
            whole output; with --shuffle-seed, the parts joined in order are the whole output",
            "N 分割した I 番目 (0 から) だけを書く。複数のマシンで分担するためのもので、どのマシンもすべての入力を読み、メモリと一時ファイルには\
            自分の分のキーだけを置く。分け方はキーのハッシュによる。すべての部分を合わせると全体のレコードになり、--shuffle-seed があれば順につないで\
            全体の出力と同じになる";
        "notes": "Keeps one of duplicate records and the order of the inputs. Whole keys are compared, not their hashes. With --keep mean, \
            scores are rounded half away from zero, scores beyond ±29999 (mates) count as ±29999, the first of equally frequent moves or \
            results counts, and a record without a duplicate keeps its bytes. hcpe3 stays hcpe3: each position becomes a game whose \
            candidates have the sums of their visits.",
            "重複のうち 1 件を残し、入力の順を保ちます。ハッシュではなくキー全体を比べます。--keep mean では評価値の平均の絶対値を四捨五入し、\
            ±29999 を超える値 (詰み) は ±29999 として数え、同数の指し手や勝敗は先に現れたものを採り、重複のないレコードはそのまま残します。hcpe3 は hcpe3 \
            のまま、局面ごとに候補手の訪問回数を合計した 1 手の対局になります。";
        examples
            "komabako dedup a.psv b.hcpe clean.psv",
            "komabako dedup new.psv fresh.psv --reference train.psv --reference valid.psv",
            "komabako dedup huge.psv.zst train.psv --shuffle-seed 7 --max-memory 16G --tmp-dir /ssd1 --tmp-dir /ssd2",
            "komabako dedup games.psv mean.psv --keep mean --columns mean",
            "komabako dedup huge.psv part-0.psv --partition 0/3";
    }
    "shuffle" {
        "": "Put records in a random order; files may be larger than memory",
            "レコードを一様に無作為な順に並べ替える。メモリより大きいファイルも可";
        "partition": "Write only partition I of N (from 0) of the output, to share the work with other machines: each reads all \
            inputs, and the parts joined in order are the whole output",
            "出力を N 分割した I 番目 (0 から) だけを書く。複数のマシンで分担するためのもので、どのマシンもすべての入力を読み、\
            順につなげば全体の出力と同じになる";
        "seed": "Seed; the same seed gives the same bytes with any threads, memory and parts",
            "乱数シード。同じシードなら、スレッド数、メモリ、分割数によらず同じバイト列になる";
        "notes": "Records already in the output's format keep all their bytes and are not decoded.",
            "出力と同じ形式のレコードは、復号せずバイト列のままコピーします。";
        examples
            "komabako shuffle a.psv b.psv all.psv --seed 7",
            "komabako shuffle huge.psv all.psv --seed 7 --max-memory 16G --dry-run",
            "komabako shuffle huge.psv part-0.psv --seed 7 --partition 0/3";
    }
    "convert filter" {
        "partition": "Process only partition I of N (from 0) of the records, to share the work with other machines: the outputs \
            joined in order are the whole output, and games stay whole. Inputs must be files; compressed and text ones are \
            counted first",
            "レコードを N 分割した I 番目 (0 から) だけを処理する。複数のマシンで分担するためのもので、出力を順につなげば全体の出力と同じになり、\
            対局は途中で切れない。\
            入力はファイルに限る。圧縮ファイルとテキストは先に数える";
    }
    "stats validate" {
        "partition": "Process only partition I of N (from 0) of the records, to share the work with other machines. Inputs must be \
            files; compressed and text ones are counted first",
            "レコードを N 分割した I 番目 (0 から) だけを調べる。複数のマシンで分担するためのもの。入力はファイルに限る。圧縮ファイルとテキストは先に数える";
    }
    "filter" {
        "resume": "With --not-in: continue an interrupted run of the same command", "--not-in のとき、中断した同じコマンドの続きから始める";
    }
    "dedup shuffle" {
        "to": "Format of the output (`komabako formats`); by default its name or else the inputs decide",
            "出力の形式 (`komabako formats`)。省略時は名前、次に入力から判断";
        "on_error": "On a bad record: stop, skip it, or collect=FILE to write it to FILE, which reads the inputs once more; a \
            job that stopped continues with `--resume --on-error collect=FILE`",
            "不正なレコードで: stop 停止、skip 飛ばす、collect=FILE 別のファイルに集める (入力をもう一度読みます)。停止した処理は \
            `--resume --on-error collect=FILE` で続けられます";
        "skip_bad": "The same as `--on-error skip`", "`--on-error skip` と同じ";
        "phased": "Read the inputs once per part instead of writing temporary files to shuffle",
            "シャッフル用の一時ファイルを作らず、分割数だけ入力を読み直す";
        "threads": "Threads that decode and encode; 0 for one per CPU", "復号・符号化するスレッド数。0 なら CPU の数";
        "resume": "Continue an interrupted run of the same command",
            "中断した同じコマンドの続きから始める";
        "delete_inputs": "Delete the inputs once the output file is complete, unless they hold data that would then be lost: \
            bad records that were not collected, damaged ends, comments, fields that the output's format lacks",
            "出力ファイルが完成した後に入力を削除する。集めていない不正なレコード、壊れた末尾、コメント、出力形式にない項目があれば残す";
        "json": "Report as JSON, on standard output (on standard error if OUT is `-`)",
            "報告を JSON で標準出力に出す (OUT が `-` なら標準エラー出力)";
    }
    "any" {
        "paths": "Files to read, then the file to write; `-` for standard input and output; .zst, .gz, .xz and .kmb are \
            read and written",
            "読むファイル (複数可) と、最後に書くファイル。`-` なら標準入力・標準出力。.zst、.gz、.xz、.kmb も可";
        "inputs": "Files to read; `-` for standard input; .zst, .gz, .xz and .kmb are read too",
            "読むファイル (複数可)。`-` なら標準入力。.zst、.gz、.xz、.kmb も可";
        "output": "File to write; by default, or with `-`, standard output",
            "書くファイル。省略または `-` なら標準出力";
        "check": "Decode every record to find bad ones, instead of copying records that stay in their format",
            "形式が変わらなくても、すべてのレコードを復号して不正なものを見つける";
        "from": "Format of the inputs (`komabako formats`); by default content and names decide",
            "入力の形式 (`komabako formats`)。省略時は内容と名前から判断";
        "to": "Format of the output (`komabako formats`); by default its name decides, and standard output keeps the format \
            of the inputs",
            "出力の形式 (`komabako formats`)。省略時は名前から判断。標準出力なら入力と同じ形式";
        "on_error": "On a bad record: stop (default), skip it, or collect=FILE to write it to FILE",
            "不正なレコードで: stop 停止 (既定)、skip 飛ばす、collect=FILE 別のファイルに集める";
        "salvage": "Keep the whole records of a truncated or damaged input",
            "途中で切れた、または壊れた入力から完全なレコードを残す";
        "force": "Overwrite the output if it exists", "出力がすでにあれば上書きする";
        "threads": "Threads that work; 0 for one per CPU", "処理するスレッド数。0 なら CPU の数";
        "json": "Summary as JSON, on standard output (on standard error if the records go there)",
            "要約を JSON で標準出力に出す (レコードを標準出力に書くときは標準エラー出力)";
        "dry_run": "Only report the memory and disk that the job needs, and whether it can finish",
            "必要なメモリとディスク、最後まで実行できるかだけを表示する";
        "moves": "Read the moves in this encoding, or (as-is) as the format defines them, without checking a sample first",
            "指し手をこのエンコーディングで読む。as-is なら標本を調べず形式どおりに読む";
        "repair": "Repair inputs on the fly if their sample shows another encoding, codec or order of hands",
            "標本から別のエンコーディング、符号語、持ち駒の並びと分かった入力を、修復しながら読む";
        "tmp_dir": "Directory for temporary files, which are spread over all if repeated; by default the output's directory, or \
            without an output the system's (TMPDIR)",
            "一時ファイルのディレクトリ。複数なら分散する。省略時は出力と同じ場所、出力がなければシステムのもの (TMPDIR)";
        "max_memory": "Memory limit, such as 512M or 16G; by default half of the machine's memory",
            "使うメモリの上限 (512M、16G など)。省略時は搭載量の半分";
        "parts": "Number of parts to work in; by default the fastest within the memory. The result does not depend on it",
            "分割数。省略時はメモリに収まる範囲で最も速い数。結果は分割数によらない";
        "manifest": "Write to FILE (JSON) where the outputs come from: the command, the version, the files read and written with \
            their sizes and SHA-256, and the report; `komabako card` makes a dataset card of such files",
            "出力の由来を FILE (JSON) に書く。コマンド、バージョン、読み書きしたファイルのサイズと SHA-256、要約。`komabako card` で\
            データセットカードにできる";
    }
    "info" {
        "": "Show the format of files and why, the number of their records, and oddities",
            "ファイルの形式と判断の理由、レコード数、不審な点を表示する";
        "files": "Files to examine; `-` for standard input", "調べるファイル。`-` なら標準入力";
        "from": "Read the files as this format (`komabako formats`)", "この形式 (`komabako formats`) として読む";
        "samples": "Records to show", "表示するレコードの数";
        "notes": "All records are counted; beyond the first 10,000, one in 101 is decoded. The moves of 16,384, spread over the file, are checked \
            too: exit code 1 if something is wrong.",
            "レコードはすべて数えます。10,000 件を超える分は 101 件に 1 件だけ復号します。全体に散らばる 16,384 件では指し手も調べ、問題があれば終了コード 1 を返します。";
    }
    "validate" {
        "": "Check the records of files and report faults, level by level",
            "ファイルのレコードの誤りを、水準ごとに調べる";
        "files": "Files to check; `-` for standard input; .zst, .gz, .xz and .kmb are read",
            "調べるファイル。`-` なら標準入力。.zst、.gz、.xz、.kmb も可";
        "from": "Format of the files (`komabako formats`); by default content and names decide",
            "ファイルの形式 (`komabako formats`)。省略時は内容と名前から判断";
        "level": "Check only these levels, named one by one or with commas; by default all but mate (see below)",
            "この水準だけを調べる (複数はカンマ区切り)。省略時は mate 以外のすべて (下記参照)";
        "fail_fast": "Stop at the first finding", "最初の問題で停止する";
        "threads": "Threads that check; 0 for one per CPU", "調べるスレッド数。0 なら CPU の数";
        "json": "Report as JSON", "報告を JSON で出す";
        "notes": "Levels, each checked and counted separately:\n  \
            size       whole records to the end of the file\n  \
            codec      the position decodes\n  \
            inventory  no more pieces than a set has\n  \
            canonical  the position is written as by the format's newest programs\n  \
            rules      no nifu, no piece without a move, the opponent not in check\n  \
            move       well-formed, legal, and consistent with the next position; it may be missing\n  \
            score      not a value that means no score, and not beyond a mate\n  \
            result     valid in the format, and the byte next to it 0\n  \
            ply        plausible, and odd when Black is to move\n  \
            stream     games can be replayed to their recorded end\n  \
            mate       the move mates if there is a mate in one (only if named)\n\
            Exit code 1 if anything is found.",
            "水準 (それぞれ別に調べて数える):\n  \
            size       ファイルの終わりまで完全なレコードである\n  \
            codec      局面を復号できる\n  \
            inventory  駒の数が一組を超えない\n  \
            canonical  局面が正規の形で書かれている\n  \
            rules      二歩や行き所のない駒がなく、相手の玉に王手がかかっていない\n  \
            move       指し手が正しい形で、合法で、次の局面と矛盾しない (指し手なしは可)\n  \
            score      「なし」を表す値でなく、詰みの値を超えない\n  \
            result     形式にある値で、隣のバイトが 0 である\n  \
            ply        ありうる手数で、先手番なら奇数である\n  \
            stream     棋譜を、記録された終局まで再現できる\n  \
            mate       1 手詰を逃していない (指定したときだけ)\n\
            問題があれば終了コード 1 です。";
        examples
            "komabako validate games.psv more.hcpe.zst",
            "komabako validate --level codec,move --json games.psv";
    }
    "repair" {
        "": "Rewrite positions and moves that older programs wrote, into a new file",
            "古いプログラムの書いた局面と指し手を直し、新しいファイルに書く";
        "from": "Format of the inputs (psv, hcpe, hcpe2, packed_sfen, sspfv1, sspfv1-ext, ext36); by default content and \
            names decide",
            "入力の形式 (psv、hcpe、hcpe2、packed_sfen、sspfv1、sspfv1-ext、ext36)。省略時は内容と名前から判断";
        "moves": "Encoding of the moves: a YaneuraOu's, b rshogi's before 2026, c Apery's; mixed: each move is decided \
            separately, by legality, the next position and the neighbouring moves; auto: a sample of each file decides \
            between these",
            "指し手のエンコーディング。a やねうら王、b 2026 年より前の rshogi、c Apery。mixed: 合法性、次の局面、前後の指し手から 1 手ずつ決める。\
            auto: ファイルごとに標本で以上から選ぶ";
        "tie_break": "Encoding for an undecided move of a mixed file, if it is legal in it; by default the record is not \
            repaired",
            "混在したファイルで決め手のない指し手を、合法ならこのエンコーディングで読む。省略時はそのレコードは修復しない";
        "phantom_pawns": "Zeros that can be pawns in hand or missing pieces: strip them, keep them as pawns, or (error) do \
            not repair the record; auto: a sample of each file decides, or else error",
            "持ち駒の歩とも、ない駒の空きとも読める 0: strip 歩でない、keep 歩である、error そのレコードは修復しない。\
            auto: ファイルごとに標本で決め、決まらなければ error";
        "flip_score": "Change the sign of all scores, or only of those with this side to move",
            "評価値の符号を反転する。すべてか、この手番の局面だけ";
        "flip_result": "Change the winner of all records, or only of those with this side to move",
            "勝敗を反転する。すべてか、この手番の局面だけ";
        "rejects": "Write records that cannot be repaired to FILE, with the reasons in FILE.reasons.tsv; by default they stop \
            the repair",
            "修復できないレコードをこのファイルに移し、理由を FILE.reasons.tsv に書く。省略時はそこで停止";
        "threads": "Threads that repair; 0 for one per CPU", "修復するスレッド数。0 なら CPU の数";
        "json": "Summary as JSON, on standard output (on standard error if OUT is `-`)",
            "要約を JSON で標準出力に出す (OUT が `-` なら標準エラー出力)";
        "notes": "Correct records keep their bytes; inputs are never changed. `komabako validate` reports the faults.",
            "正しいレコードの内容は変わりません。入力は変更しません。何が誤りかは `komabako validate` で分かります。";
        examples
            "komabako repair old.psv new.psv --rejects rejects.psv",
            "komabako repair mixed.psv.zst new.psv.zst --moves mixed --rejects rejects.psv",
            "komabako repair black-view.psv new.psv --flip-score=white";
    }
    "stats" {
        "": "Report statistics of files of records or games, as text, JSON or an HTML page with charts",
            "レコードや棋譜のファイルの内容を集計し、テキスト、JSON、グラフ付きの HTML で示す";
        "files": "Files to count together, `-` for standard input; .zst, .gz, .xz and .kmb too. Game records (.kif, .csa …, \
            also in .zip, .7z, .lzh) are counted by the fields that `--games` knows",
            "まとめて数えるファイル。`-` なら標準入力。.zst、.gz、.xz、.kmb も可。棋譜 (.kif、.csa など。.zip、.7z、.lzh の中も可) は `--games` で使える項目ごとに集計";
        "recursive": "Game records: search folders too", "棋譜: フォルダーの中も探す";
        "salvage": "Count the whole records of a truncated or damaged input",
            "途中で切れた、または壊れた入力の完全なレコードを数える";
        "threads": "Threads that count; 0 for one per CPU", "数えるスレッド数。0 なら CPU の数";
        "json": "All figures as JSON (see docs/stats.md)", "すべての数値を JSON で出す (docs/stats.md を参照)";
        "html": "Also write a report with charts: one self-contained HTML page",
            "グラフ付きの報告も、単独で開ける 1 つの HTML ファイルに書く";
        "save": "Also write the counts to a file, for --merge", "集計を --merge 用のファイルにも書く";
        "merge": "Read files written by --save, and report their counts together", "--save で書いたファイルを読み、合わせた集計を示す";
        "force": "Overwrite the output files if they exist", "書くファイルがすでにあれば上書きする";
        "notes": "Bad records are left out and counted (exit code 1). Duplicates are estimated, ± 0.2 %.",
            "不正なレコードは除外し、数を示します (終了コード 1)。重複は推定値です (± 0.2 %)。";
        examples
            "komabako stats selfplay.psv",
            "komabako stats part1.psv.zst part2.psv.zst --html report.html",
            "komabako stats huge.psv --partition 0/3 --save 0.stats",
            "komabako stats --merge 0.stats 1.stats 2.stats",
            "komabako stats wdoor2026.7z --games 'rating_min >= 3500' --html games.html",
            "komabako stats games.hcpe --json | jq .fit";
    }
};
