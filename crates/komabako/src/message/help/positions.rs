//! Commands on single positions.

use super::text::Help;

pub(super) const HELP: Help = help! {
    "inspect" {
        "": "Show a position: its board, its words in every format, and one word bit by bit",
            "局面の盤面、各形式の符号語、符号語のビットの意味を表示する";
        "position": "SFEN, also with moves after it, hex word, or a FILE with --record; `-` for standard input",
            "SFEN (続けて指し手も可)、16 進の符号語、またはファイル (レコードは --record で指定)。`-` なら標準入力";
        "record": "Show record N of the file, counted from 0", "ファイルの N 番目 (0 から) のレコードを表示";
        "from": "Format of the file (`komabako formats`); by default content and name decide",
            "ファイルの形式 (`komabako formats`)。省略時は内容と名前から判断";
        "format": "Format of the word; by default each is tried", "符号語の形式。省略時は順に試す";
        "codes": "Also show a word that consists of codes (psv, hcp, nshogi) code by code",
            "符号の列からなる符号語 (psv、hcp、nshogi) を符号ごとに表示";
        "square": "Also show the bits of a square in every format (7g)", "マスのビットも形式ごとに表示 (7g など)";
        "ascii": "Draw the board with letters", "盤面を英字で描く";
        examples
            "komabako inspect startpos",
            "komabako inspect \"4k4/9/9/9/9/9/9/9/4K4 b 2R 1\" --format psv",
            "komabako inspect games.psv --record 17";
    }
    "moves" {
        "": "List the legal moves of a position", "局面の合法手を一覧する";
        "japanese": "Write the moves in Japanese: ▲7六歩", "▲7六歩 のように日本語で書く";
        "csa": "Write the moves in CSA: +7776FU", "+7776FU のように CSA 形式で書く";
        "checks": "Only moves that give check", "王手になる手だけにする";
        "json": "Write the moves as JSON, in every notation", "すべての表記を JSON で出す";
        examples
            "komabako moves",
            "komabako moves startpos moves 7g7f 3c3d --japanese",
            "komabako moves --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"";
    }
    "play" {
        "": "Play moves; print the resulting position and the state of the game",
            "指し手を進め、その後の局面と状況を表示する";
        "diagram": "Draw the board too", "盤面も描く";
        "notes": "An illegal move is reported with its number and the reason (exit code 1).",
            "反則手があれば、何手目かと理由を示します (終了コード 1)。";
        examples
            "komabako play 7g7f 3c3d 8h2b+",
            "komabako play --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\" G*5b --diagram";
    }
    "diagram" {
        "": "Draw a position as a picture (SVG), which needs no fonts", "局面の図を SVG で書く (フォントは要らない)";
        "words": "SFEN or startpos, then moves in USI, CSA or Japanese, or a game file (.kif, .csa); then the picture: FILE.svg, or - for standard output",
            "SFEN または startpos と、それに続く指し手 (USI、CSA、日本語)、または棋譜のファイル (.kif、.csa など)。最後に画像の FILE.svg (標準出力なら -)";
        "ply": "Position after N moves instead of the last one", "最後ではなく N 手目の局面";
        "book": "Black characters on white, as in books", "本のような白黒の図にする";
        "flip": "White at the lower edge", "後手を下にする";
        "force": "Overwrite an existing picture", "既存の画像に上書きする";
        examples
            "komabako diagram startpos moves 7g7f 3c3d start.svg",
            "komabako diagram --sfen \"4k4/9/4P4/9/9/9/9/9/9 b G 1\" --book - > mate.svg";
    }
    "perft" {
        "": "Count the sequences of legal moves from a position", "局面からの合法手順を数える";
        "depth": "Moves in a sequence; `perft 5` is `perft --depth 5`", "手順の手数。`perft 5` は `perft --depth 5` と同じ";
        "divide": "Also print the count of each first move", "初手ごとの数も表示する";
        "threads": "Threads that count; 0 for one per CPU", "数えるスレッド数。0 なら CPU の数";
        "hash": "Keep positions in a hash table of this size, which the threads share",
            "この大きさの表に局面を覚える。表は全スレッドで共有";
        examples
            "komabako perft --depth 5",
            "komabako perft startpos moves 7g7f --depth 4 --divide";
    }
    "moves play perft" {
        "words": "SFEN or startpos, then moves in USI, CSA or Japanese; moves alone start from --sfen or startpos; or a game file (.kif, .csa)",
            "SFEN または startpos と、それに続く指し手 (USI、CSA、日本語)。指し手だけなら --sfen または startpos から。棋譜のファイル (.kif、.csa など) も可";
    }
    "moves play perft diagram" {
        "sfen": "Position to start from", "開始局面";
    }
    "solve" {
        "": "Find mates: tsume problems and positions of games", "詰みを探す: 詰将棋と実戦の局面";
        "inputs": "An SFEN (`moves` after it are the author's line), files with one SFEN per line (columns after a tab are \
            kept), game records (.kif, .ki2, .csa, .jkf, .zip, .7z, .lzh: the start is the problem, the moves are the author's line), or \
            files of records of every format; `-` for standard input",
            "SFEN (`moves` 以降は作意手順)、1 行に 1 つの SFEN を書いたファイル (タブ以降の列はそのまま残る)、棋譜 (.kif、.ki2、.csa、.jkf、.zip、.7z、.lzh。開始局面が問題、\
            指し手が作意手順)、または各形式のレコードのファイル。`-` は標準入力";
        "from": "Format of files of records, if it cannot be detected", "レコードのファイルの形式 (ファイルから分からない場合)";
        "any": "Find any mate: quicker, but the length may not be the shortest", "どの詰みでもよい。速いが最短手数とは限らない";
        "mate_in": "Only decide whether there is a mate within N plies; if not, the verdict is no-mate-within: a longer one may \
            exist",
            "N 手以内に詰むかどうかだけを調べる。詰まなければ判定は no-mate-within (さらに長い詰みはありうる)";
        "all": "Show every first check with its length", "初手の王手ごとに手数を示す";
        "check": "Check a problem, and the author's moves and variations if it has some: duals, shorter mates, pieces left over, other \
            lengths than stated (手数, 29手詰)",
            "検討: 余詰・早詰・駒余りなどを調べる。作意手順や変化、手数の記載 (手数、29手詰) があれば、それも調べる";
        "needless": "With --check: also name the pieces without which a sound problem is sound, with the same line",
            "--check で、完全作なら、外しても同じ手順で完全作になる駒も挙げる";
        "convention": "tsume: useless interpositions do not count; strict: they do (not with --check or --line author); both: the two lengths",
            "tsume は無駄合を数えず、strict は数える (--check と --line author では使えない)。both は両方の手数";
        "line": "main: the longest defence; author: the one that leaves no pieces over", "main は最長の応手、author は駒の余らない応手";
        "hands": "Hand of the defender: complement is all remaining pieces, as in tsume problems; auto is complement if the \
            attacker has no king", "玉方の持ち駒。complement は残り全部 (詰将棋の慣習)。auto は攻方に玉がなければ complement";
        "root": "Side to move: attack, or defend (in check: is this mate?)", "手番。attack は攻方、defend は王手を受けた玉方";
        "nodes": "Node limit of one problem, for all its searches together: the verdict, then --all, the author's and the \
            strict length, --variations. The report of --check has its own: this limit for each search (default 200000), and \
            five times that for all of them",
            "1 問あたりのノード数の上限。詰みの探索、--all、作意手順と厳密な手数、--variations を合わせた数。--check の検査は別枠で、探索 1 回の上限がこの値 \
            (既定は 200000)、検査全体ではその 5 倍";
        "time": "Time limit of one problem, for all its searches together, such as 10s, 500ms, 2m; by default 10s if the \
            input has several problems",
            "1 問あたりの時間の上限 (10s、500ms、2m など)。その問題の探索すべてを合わせた時間。入力に複数の問題があれば既定で 10 秒";
        "depth": "Limit of the search depth in plies; useless interpositions count", "探索する手数の上限 (無駄合も数える)";
        "memory": "Memory for the tables of all threads", "全スレッドの表のメモリ";
        "threads": "Problems solved at the same time; 0 for one per CPU. With fewer problems than threads, several threads \
            work on each problem; then --any and --mate-in may show another line on each run",
            "同時に解く問題の数。0 なら CPU の数。問題がスレッドより少ないときは 1 問を複数のスレッドで解き、--any と --mate-in の手順は実行ごとに変わることがある";
        "on_error": "On a line, game or record that is not a problem: stop, skip it, or collect=FILE to write the line or \
            record to FILE and the reason, of a game too, to FILE.reasons.tsv. By default lines, and games that cannot be read, stop before \
            anything is solved; a game whose moves are not checks stops when its turn comes; records are skipped",
            "問題でない行、棋譜、レコードで: stop 停止、skip 飛ばす、collect=FILE 行とレコードを FILE に、棋譜も含めた理由を \
            FILE.reasons.tsv に書く。省略時は、行と、読めない棋譜なら何も解かずに停止し、王手でない手のある棋譜ならその番で停止し、レコードなら飛ばす";
        "skip_solved": "Skip positions solved in this output of an earlier run (JSON or TSV, finished or `.part`), but not \
            those that a limit left unknown or that answer another question (--mate-in, --any, no --check). Another output's answers count for every problem \
            with their position. If it is the `--output` itself or its `.part`, each answer counts for one problem, and the \
            new answers are appended; with --split, skip problems whose file exists",
            "以前の出力 (JSON か TSV。途中の `.part` でもよい) で解けている局面を飛ばす。上限に達して不明に終わった局面や、別の問い (--mate-in、--any、--check なし) の答えしかない局面は解き直す。別の出力なら、同じ局面をすべて飛ばす。\
            `--output` と同じファイルかその `.part` なら、結果 1 つにつき 1 問だけ飛ばし、前の結果の後に続けて書く。--split では、ファイルがある問題を飛ばす";
        "skip_unknown": "With --skip-solved: also skip those that ended unknown",
            "--skip-solved で、不明に終わった局面も飛ばす";
        "variations": "Also show the defender's other replies and their continuations, to this depth of branches (not of plies); with \
            --check also note other mates in them",
            "玉方の別の応手とその後の手順も出す。値は手数ではなく枝分かれの深さ。--check では変化別詰も注記する";
        "output": "Form: text, usi, sfen, json, tsv, or a game record (kif, ki2, csa, jkf); or a FILE, whose extension \
            decides the form (.kif and .ki2 in CP932, .kifu and .ki2u in UTF-8). Each answer is written at once, to \
            FILE.part, which becomes FILE when all are complete",
            "形式: text、usi、sfen、json、tsv、または棋譜 (kif、ki2、csa、jkf)。ファイル名なら拡張子で決まる (.kif と .ki2 は CP932、.kifu と .ki2u は UTF-8)。1 問解くごとに FILE.part に書き、すべて解くと FILE になる";
        "certificate": "Also write certificates to FILE (compressed as FILE.zst, .gz or .xz), one after the other: proofs of the mate and, of an exact length, that \
            there is no shorter one (strictly, or by the rule of problems where that is shorter); or that there is no mate. With --check also of each check beside the \
            main line: that it does not mate but by a detour, or that it does. With --skip-solved, of the problems solved by this \
            run. `komabako certificate` checks them",
            "証明書を FILE に続けて書く (FILE.zst、.gz、.xz なら圧縮する)。詰むこと、最短なら (厳密に、詰将棋の手数のほうが短ければその手数で) それより短い詰みがないこと、または不詰の証明。--check では、\
            本手順以外の王手ごとに、(迂回以外では) 詰まないこと、または詰むことの証明も加える。--skip-solved では、この実行で解いた問題の証明だけになる。`komabako certificate` で検証できる";
        "split": "Several problems: one file each, answers-000001.kif and so on, by their places in the input",
            "複数の問題を、入力での順番により answers-000001.kif のように 1 問ずつファイルに書く";
        "json": "One report as JSON, with all results; `--output json` prints one line per problem",
            "すべての結果を含む 1 つの報告を JSON で出す (`--output json` は 1 問 1 行)";
        "notes": "Exit code 0: every problem is a mate (with --check: sound); 1: one is not, or unknown; 2: could not run; 130: stopped.",
            "終了コード 0: すべて詰み (--check では完全作)、1: 詰まないか不明なものがある、2: 実行できない、130: 中断。";
        examples
            "komabako solve '3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1'",
            "komabako solve problems.txt --threads 0 --output json > solved.json",
            "komabako solve '3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1' --variations 1 --output answer.kif";
    }
    "certificate" {
        "": "Check certificates of mates by playing, without a search", "詰みの証明書を、探索せずに指し手をたどって検証する";
        "files": "Files of certificates (KMTC 1), also compressed", "証明書 (KMTC 1) のファイル。圧縮されていてもよい";
        "text": "Also print the nodes, one a line: number, check, and for each reply the node it leads to",
            "ノードも 1 行ずつ出す: 番号、王手、応手ごとに行き先のノード";
        "json": "One report as JSON", "1 つの報告を JSON で出す";
        "notes": "Exit code 0: every claim holds; 1: one does not; 2: a file cannot be read.",
            "終了コード 0: すべて正しい、1: 正しくないものがある、2: 読めないファイルがある。";
        examples
            "komabako solve '3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1' --certificate mate.kmc",
            "komabako certificate mate.kmc";
    }
    "encode" {
        "": "Read SFEN lines, also with moves, and print one hex word per line",
            "SFEN (続けて指し手も可) を 1 行ずつ読み、16 進の符号語を 1 行ずつ出力する";
        "payload": "Payload of every word of c250, 0 to 63; by default 0", "c250 の符号語の付加情報 (0 から 63)。省略時は 0";
        examples "echo startpos | komabako encode --format psv";
    }
    "decode" {
        "": "Read hex words and print one SFEN per line (ply 1); for c250 a tab and the payload follow",
            "16 進の符号語を 1 行ずつ読み、SFEN (手数 1) を 1 行ずつ出力する。c250 ではタブと付加情報が続く";
        "phantom_pawns": "In psv-lenient, zeros that can be pawns in hand or missing pieces: strip them, keep them as pawns, \
            or (error) refuse the word",
            "psv-lenient で持ち駒の歩とも、ない駒の空きとも読める 0: strip 歩でない、keep 歩である、error その行を不正とする";
        examples "komabako decode --format psv words.txt";
    }
    "encode decode" {
        "format": "Format of the words", "符号語の形式";
        "on_error": "On a bad line: stop, skip it, or (inline) write `!NAME`, the error's name, in its place",
            "不正な行で: stop 停止、skip 飛ばす、inline その行に `!エラー名` を出力";
        "inputs": "Files of lines; `-` or no file for standard input; a blank line is bad",
            "行のファイル。`-` または省略時は標準入力。空行は不正な行";
    }
    "random" {
        "": "Print random positions, all equally likely",
            "あらゆる局面から一様に選んだ局面を出力する";
        "count": "Number of positions", "局面の数";
        "seed": "Seed; the same seed gives the same positions", "乱数シード。同じシードなら同じ局面になる";
        "format": "Print hex words of this format instead of SFEN", "SFEN の代わりに、この形式の 16 進の符号語を出力";
        "notes": "Most have both kings and all pieces on the board, half of them promoted; few could occur in a game.",
            "大半は両方の玉とすべての駒が盤上にあり、その半分は成駒です。対局に現れうるものはわずかです。";
        examples "komabako random -n 1000 --seed 7";
    }
};
