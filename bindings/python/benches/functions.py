"""Measures the functions on one thread: `functions.py RECORDS.psv [ROUNDS] [PEER.py]`, or `cargo xtask bench-python`.

Prints a line `program,work,unit,figure` per row: nanoseconds of CPU time per record (move, position, game or call), the median of the
rounds, in which all rows take turns. rsshogi and nshogi (MIT) are measured too if they are installed. A PEER has a function
`rows(records)` that returns `(program, work, records, function)` for each of its rows; `import functions` gives it the games of
`playouts` and `csa_games`, and the positions of `late`. With `--threads` the only line is the speed-up with two threads, by wall
time.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import tempfile
import time
from functools import lru_cache, partial
from typing import Any, Callable, List, Tuple

import numpy as np

import komabako
from komabako import PackedSfenValue, features
from komabako.streams import Candidates

Row = Tuple[str, str, int, Callable[[], Any]]
BATCH = 1024
#: A file with fewer records is repeated.
LEAST = 200_000


#: The number of random games, and their length in plies.
GAMES, PLIES = 200, 100


@lru_cache
def playouts() -> List[List[komabako.objects.Move]]:
    """Return the moves of random games."""
    drawn, games = random.Random(1), []
    for _ in range(GAMES):
        position, moves = komabako.Position(), []
        while len(moves) < PLIES and (legal := position.legal_moves):
            moves.append(drawn.choice(legal))
            position.push(moves[-1])
        games.append(moves)
    return games


@lru_cache
def csa_games() -> str:
    """Return the random games as a CSA file with times and comments, as floodgate writes them."""
    games = []
    for moves in playouts():
        lines = ["V2", "N+a", "N-b", "PI", "+"]
        for number, move in enumerate(moves):
            lines += [move.csa, f"T{number % 9}", f"'** {number}"]
        games.append("\n".join([*lines, "%TORYO", ""]))
    return "/\n".join(games)


def late(records: Any) -> Any:
    """Return positions to search mates in."""
    return records[records["gamePly"] > 100][:200]


def ours(records: Any, directory: str) -> List[Row]:
    batches = [records[first : first + BATCH] for first in range(0, len(records), BATCH)]
    words = np.empty((BATCH, 32), np.uint8)
    f4 = (np.empty((BATCH, 62, 9, 9), np.float32), np.empty((BATCH, 57, 9, 9), np.float32))
    u1 = (np.empty((BATCH, 62, 9, 9), np.uint8), np.empty((BATCH, 57, 9, 9), np.uint8))
    bits = (np.empty((BATCH, 628), np.uint8), np.empty((BATCH, 8), np.uint8))
    planes = features.dlshogi

    def each(work: str, function: Callable[[Any, int], Any]) -> Row:
        def run() -> None:
            for batch in batches:
                function(batch, len(batch))

        return "komabako", work, len(records), run

    path = f"{directory}/games.csa"
    with open(path, "w", encoding="ascii") as file:
        file.write(csa_games())
    some = records[:512]
    offsets = np.arange(len(some) + 1, dtype=np.int64)
    visits = np.ones(len(some), np.uint16)
    candidates = Candidates(some, offsets, komabako.move16(some["move"], "A", "C"), visits)
    positions = [komabako.Position(record) for record in some]

    def push() -> None:
        for moves in playouts():
            position = komabako.Position()
            for move in moves:
                position.push(move)

    def push_and_pop() -> None:
        for moves in playouts():
            position = komabako.Position()
            for move in moves:
                position.push(move)
            for _ in moves:
                position.pop()

    def legal_moves() -> None:
        for position in positions:
            position.legal_moves

    def legal_numbers() -> None:
        for position in positions:
            position.legal_moves16

    def columns() -> None:
        for game in komabako.games(path):
            game.sfen, game.moves, game.times, game.scores, game.comments, game.names, game.result

    played = sum(map(len, playouts()))
    return [
        each("decode only", lambda batch, _: komabako.validate(batch, level="codec")),
        each("board", lambda batch, _: komabako.decode_board(batch)),
        each("dlshogi f4", lambda batch, n: planes(batch, out=tuple(part[:n] for part in f4))),
        each("dlshogi u1", lambda batch, n: planes(batch, "u1", out=tuple(part[:n] for part in u1))),
        each("dlshogi bits", lambda batch, n: planes(batch, "bits", out=tuple(part[:n] for part in bits))),
        each("HalfKP", lambda batch, _: features.halfkp(batch)),
        each("HalfKA_hm", lambda batch, _: features.halfka_hm(batch)),
        each("legal mask", lambda batch, _: komabako.legal_mask(batch)),
        each("PSV to HCP words", lambda batch, n: komabako.recode(batch, "hcp", out=words[:n])),
        each("key128", lambda batch, _: komabako.key128(batch)),
        each("SFEN", lambda batch, _: komabako.to_sfen(batch)),
        each("where score and ply", lambda batch, _: komabako.where(batch, "score > 100 and ply > 20")),
        each("where by rules", lambda batch, _: komabako.where(batch, "not in_check and not capture")),
        ("komabako", "policy of one candidate", len(some), lambda: komabako.policy(candidates)),
        ("komabako", "push", played, push),
        ("komabako", "push and pop", played, push_and_pop),
        ("komabako", "legal moves as numbers", len(some), legal_numbers),
        ("komabako", "legal moves as objects", len(some), legal_moves),
        ("komabako", "mates", len(late(records)), lambda: komabako.solve(late(records), nodes=2_000, threads=1)),
        ("komabako", "games of CSA", GAMES, lambda: sum(1 for _ in komabako.games(path))),
        ("komabako", "columns of games of CSA", GAMES, columns),
        *calls(records[:1]),
    ]


def calls(one: Any) -> List[Row]:
    """Return a row for each function on arrays: calls with one record."""
    boards, labels, moves = komabako.decode_board(one), komabako.labels(one), np.ascontiguousarray(one["move"])
    sfens, usi = komabako.to_sfen(one), komabako.moves_to_usi(moves)
    planes = features.dlshogi(one)

    def call(name: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Row:
        # It calls without making a dict of options each time.
        bound = partial(function, *arguments, **options)

        def run() -> None:
            for _ in range(1000):
                bound()

        return "komabako", f"a call of {name}", 1000, run

    return [
        call("decode_board", komabako.decode_board, one),
        call("encode_board", komabako.encode_board, boards.board, boards.hands, boards.side, "psv"),
        call("recode to words", komabako.recode, one, "hcp"),
        call("recode to records", komabako.recode, one, "hcpe", allow_loss=True),
        call("to_sfen", komabako.to_sfen, one),
        call("from_sfen", komabako.from_sfen, sfens, "psv"),
        call("flip", komabako.flip, one),
        call("mirror", komabako.mirror, one),
        call("key64", komabako.key64, one),
        call("validate", komabako.validate, one),
        call("where", komabako.where, one, "score > 100"),
        call("is_legal", komabako.is_legal, one),
        call("move16", komabako.move16, moves, "A", "C"),
        call("moves_to_usi", komabako.moves_to_usi, moves),
        call("moves_from_usi", komabako.moves_from_usi, usi),
        call("mirror_moves", komabako.mirror_moves, moves),
        call("labels", komabako.labels, one),
        call("moves_from_labels", komabako.moves_from_labels, labels, one),
        call("targets", komabako.targets, one),
        call("legal_mask", komabako.legal_mask, one),
        call("dlshogi f4", features.dlshogi, one),
        call("dlshogi f4 with out", features.dlshogi, one, out=planes),
        call("dlshogi bits", features.dlshogi, one, "bits"),
        call("halfkp", features.halfkp, one),
        call("halfka_hm", features.halfka_hm, one),
    ]


def rsshogi_rows(records: Any) -> List[Row]:
    try:
        from rsshogi.core import Board
    except ImportError:
        return []
    words = [bytes(word) for word in records["sfen"][:4096]]
    board = Board()

    def each(work: str, function: Callable[[], Any]) -> Row:
        def run() -> None:
            for word in words:
                board.set_packed_sfen(word)
                function()

        return "rsshogi", work, len(words), run

    from rsshogi.record import Record

    def push() -> None:
        for moves in texts:
            fresh = Board()
            for move in moves:
                fresh.push_usi(move)

    def legal_moves() -> None:
        for one in positions:
            one.legal_moves()

    texts = [[move.usi for move in moves] for moves in playouts()]
    positions = []
    for word in words[:512]:
        positions.append(Board())
        positions[-1].set_packed_sfen(word)
    return [
        each("decode only", lambda: None),
        each("legal mask", lambda: board.legal_moves()),
        each("PSV to HCP words", lambda: board.to_hcp()),
        each("SFEN", lambda: board.to_sfen()),
        ("rsshogi", "push", sum(map(len, texts)), push),
        ("rsshogi", "legal moves as objects", len(positions), legal_moves),
        ("rsshogi", "games of CSA", GAMES, lambda: len(Record.from_csa_games_str(csa_games()))),
    ]


#: A record of nshogi's teacher files: `SimpleTeacher` of version 2.
NSHOGI_TEACHER = np.dtype(
    [("word", "u1", 32), ("ply", "<u2"), ("max_ply", "<u2"), ("draws", "<f4", 2), ("move", "<u2"), ("winner", "u1")]
    + [("v", "<f4"), ("q", "<f4"), ("game_ply", "<u2"), ("declared", "u1")]
)


def nshogi_rows(records: Any, directory: str) -> List[Row]:
    """Measure nshogi's loader on a file of the same positions: inputs of both colours as indices, with labels, on one thread."""
    try:
        from nshogi import ml
    except ImportError:
        return []
    teachers = np.zeros(50 * BATCH, NSHOGI_TEACHER)
    teachers["word"] = np.resize(komabako.recode(records, "nshogi"), (len(teachers), 32))
    teachers["ply"], teachers["max_ply"], teachers["draws"] = 1, 512, 0.5
    path = f"{directory}/teachers.bin"
    teachers.tofile(path)
    assert ml.SimpleTeacherLoader(path, False, 2)[1].sfen().startswith(komabako.to_sfen(records[1:2])[0])

    def each(work: str, extractor: Any) -> Row:
        def run() -> None:
            loader, batches = ml.BatchedTeacherLoader(path, extractor, BATCH, False, False, 1, 2), 0
            while loader.next() is not None:
                batches += 1
            assert batches == 50

        return "nshogi", work, len(teachers), run

    return [
        each("pieces as indices by its loader", ml.PFeatureExtractor()),
        each("kings and pieces as indices by its loader", ml.KAFeatureExtractor()),
    ]


def median(figures: List[float]) -> float:
    return sorted(figures)[len(figures) // 2]


def two_threads(records: Any, rounds: int) -> float:
    many = np.resize(records, 1_000_000)
    out = (np.empty((len(many), 628), np.uint8), np.empty((len(many), 8), np.uint8))
    # Once without a clock, so that no round pays for the first touch of the output.
    features.dlshogi(many, "bits", out=out, threads=2)
    ratios = []
    for _ in range(rounds):
        times = []
        for threads in (1, 2):
            started = time.perf_counter()
            features.dlshogi(many, "bits", out=out, threads=threads)
            times.append(time.perf_counter() - started)
        ratios.append(times[0] / times[1])
    return median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("records")
    parser.add_argument("rounds", nargs="?", type=int, default=7)
    parser.add_argument("peer", nargs="?")
    parser.add_argument("--threads", action="store_true")
    options = parser.parse_args()
    records = np.fromfile(options.records, PackedSfenValue)
    # A pass over few records is over before the caches and the branch predictor are warm again after the row before.
    records = np.tile(records, max(1, -(-LEAST // len(records))))
    if options.threads:
        ratio = two_threads(records, options.rounds)
        print(f"komabako,dlshogi bits by two threads,times as fast,{ratio:.2f}")
        return
    directory = tempfile.TemporaryDirectory(prefix="komabako-")
    rows = ours(records, directory.name) + rsshogi_rows(records) + nshogi_rows(records, directory.name)
    if options.peer is not None:
        spec = importlib.util.spec_from_file_location("peer", options.peer)
        assert spec is not None and spec.loader is not None
        peer = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(peer)
        rows += peer.rows(records)
    figures: List[List[float]] = [[] for _ in rows]
    for _ in range(options.rounds):
        for (_, _, count, run), taken in zip(rows, figures):
            started = time.process_time()
            run()
            taken.append((time.process_time() - started) / count)
    for (program, work, _, _), taken in zip(rows, figures):
        print(f"{program},{work},ns,{median(taken) * 1e9:.0f}")


if __name__ == "__main__":
    main()
