"""Measures the functions on one thread: `functions.py RECORDS.psv [ROUNDS] [PEER.py]`, or `cargo xtask bench-python`.

Prints a line `program,work,unit,figure` per row: nanoseconds of CPU time per record, the median of the rounds, in which all rows
take turns. rsshogi and nshogi (MIT) are measured too if they are installed. A PEER has a function `rows(records)` that returns
`(program, work, records, function)` for each of its rows. With `--threads` the only line is the speed-up with two threads, by wall
time.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from typing import Any, Callable, List, Tuple

import numpy as np

import komabako
from komabako import PackedSfenValue, features

Row = Tuple[str, str, int, Callable[[], Any]]
BATCH = 1024
#: A file with fewer records is repeated.
LEAST = 200_000


def ours(records: Any) -> List[Row]:
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

    one = records[:1]

    def single() -> None:
        for _ in range(1000):
            komabako.key64(one)

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
        ("komabako", "a call of one record", 1000, single),
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

    return [
        each("decode only", lambda: None),
        each("legal mask", lambda: board.legal_moves()),
        each("PSV to HCP words", lambda: board.to_hcp()),
        each("SFEN", lambda: board.to_sfen()),
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
    rows = ours(records) + rsshogi_rows(records) + nshogi_rows(records, directory.name)
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
