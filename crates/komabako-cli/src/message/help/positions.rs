//! Commands on single positions.

use super::Text;

pub(super) const TEXTS: &[Text] = help! {
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
        "hash": "Remember positions in a table of this size, which the threads share",
            "この大きさの表に局面を覚える。表は全スレッドで共有";
        "examples": "Examples:\n  \
            komabako perft --depth 5\n  \
            komabako perft startpos moves 7g7f --depth 4 --divide",
            "例:\n  \
            komabako perft --depth 5\n  \
            komabako perft startpos moves 7g7f --depth 4 --divide";
    }
    "encode" {
        "": "Read SFEN lines and print one hex word a line",
            "SFEN を 1 行ずつ読み、16 進の符号語を 1 行ずつ出力する";
        "format": "Format of the words", "符号語の形式";
        "payload": "Payload of every word of c250, 0 to 63; without it 0", "c250 の符号語の付加情報 (0 から 63)。省略時は 0";
        "on_error": "At a bad line: stop, skip it, or (inline) write `!NAME`, the error's name, in its place",
            "不正な行で: stop 停止、skip 飛ばす、inline その行に `!エラー名` を出力";
        "inputs": "Files of lines, `-` for standard input, which is also read if there are none; a blank line is bad",
            "行のファイル。`-` または省略時は標準入力。空行は不正な行";
        "examples": "Example:\n  echo startpos | komabako encode --format psv",
            "例:\n  echo startpos | komabako encode --format psv";
    }
    "decode" {
        "": "Read hex words and print one SFEN a line (ply 1); for c250 a tab and the payload follow",
            "16 進の符号語を 1 行ずつ読み、SFEN (手数 1) を 1 行ずつ出力する。c250 ではタブと付加情報が続く";
        "format": "Format of the words", "符号語の形式";
        "phantom_pawns": "In psv-lenient, zeros that can be pawns in hand as well as missing pieces: strip them, keep them as \
            pawns, or refuse the word",
            "psv-lenient で持ち駒の歩とも、ない駒の空きとも読める 0: strip 歩でない、keep 歩である、error その行を不正とする";
        "on_error": "At a bad line: stop, skip it, or (inline) write `!NAME`, the error's name, in its place",
            "不正な行で: stop 停止、skip 飛ばす、inline その行に `!エラー名` を出力";
        "inputs": "Files of lines, `-` for standard input, which is also read if there are none; a blank line is bad",
            "行のファイル。`-` または省略時は標準入力。空行は不正な行";
        "examples": "Example:\n  komabako decode --format psv words.txt",
            "例:\n  komabako decode --format psv words.txt";
    }
    "random" {
        "": "Print random positions, each position as likely as any other",
            "あらゆる局面から一様に選んだ局面を出力する";
        "count": "How many", "局面の数";
        "seed": "Seed; the same seed gives the same positions", "乱数のシード。同じシードからは同じ局面が得られる";
        "format": "Print hex words of this format instead of SFEN", "SFEN の代わりに、この形式の 16 進の符号語を出力";
        "examples": "Most have both kings and all pieces on the board, half of them promoted; few could occur in a game.\n\
            Example:\n  komabako random -n 1000 --seed 7",
            "大半は両方の玉とほぼすべての駒が盤上にあり、その半分は成駒です。対局に現れうるものはわずかです。\n\
            例:\n  komabako random -n 1000 --seed 7";
    }
};
