#!/usr/bin/env python3
"""Our libraries for nnue-pytorch beside its own: `loader.py [REPETITIONS]`.

Prints one line `program,work,threads,unit,figure` per row: thousands of positions a CPU second through ctypes, the median over the
repetitions. `cargo xtask c --install target/c` makes ours. `KOMABAKO_NNUE_COO` and `KOMABAKO_NNUE_PADDED` name the other ones, see
build.sh; one that is not named is left out. The records are those of `cargo xtask bench-loader`.
"""

import ctypes
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
RECORDS = ROOT / "target/bench-loader/loader.psv"
BATCH = 16_384
# The positions that are fetched: the other libraries take a hundred times longer.
BATCHES = {"komabako": 160, "nodchip": 12}
FEATURES = {"coo": ["HalfKP", "HalfKA_hm"], "padded": ["HalfKA_hm"]}


class SkipConfig(ctypes.Structure):
    """The settings of the padded layout, by value."""

    _fields_ = [
        ("filtered", ctypes.c_bool),
        ("random_fen_skipping", ctypes.c_int),
        ("wld_filtered", ctypes.c_bool),
        ("early_fen_skipping", ctypes.c_int),
        ("simple_eval_skipping", ctypes.c_int),
        ("param_index", ctypes.c_int),
    ]


def measure(layout, library, features, threads, batches):
    """The positions a CPU second."""
    loader = ctypes.CDLL(library)
    fetch, drop = loader.fetch_next_sparse_batch, loader.destroy_sparse_batch
    fetch.restype, fetch.argtypes, drop.argtypes = ctypes.c_void_p, [ctypes.c_void_p], [ctypes.c_void_p]
    create = loader.create_sparse_batch_stream
    create.restype = ctypes.c_void_p
    # Upstream reads only files with this ending.
    file = str(RECORDS.with_suffix(".bin")).encode()
    if layout == "coo":
        types = [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_bool, ctypes.c_bool, ctypes.c_int]
        create.argtypes = types
        stream = create(features.encode(), threads, file, BATCH, True, False, 0)
    else:
        names = (ctypes.c_char_p * 1)(file)
        types = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int]
        create.argtypes = types + [ctypes.c_bool, SkipConfig]
        stream = create(features.encode(), threads, 1, names, BATCH, True, SkipConfig())
    assert stream, "the library opens the file"
    drop(fetch(stream))
    start = sum(os.times()[:2])
    for _ in range(batches):
        batch = fetch(stream)
        assert batch, "the file is read again and again"
        drop(batch)
    seconds = sum(os.times()[:2]) - start
    # Destroying a stream of upstream's may wait for ever.
    print(batches * BATCH / seconds, flush=True)
    os._exit(0)


def main():
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    RECORDS.with_suffix(".bin").unlink(missing_ok=True)
    os.link(RECORDS, RECORDS.with_suffix(".bin"))
    for layout, sets in FEATURES.items():
        ours = ROOT / f"target/c/lib/nnue-pytorch-{layout}/libkomabako_{layout}_training_data_loader.so"
        libraries = {"komabako": str(ours), "nodchip": os.environ.get(f"KOMABAKO_NNUE_{layout.upper()}")}
        for features in sets:
            for threads in [1, 2]:
                rates = {program: [] for program, library in libraries.items() if library}
                for _ in range(repetitions):
                    for program, found in rates.items():
                        command = [sys.executable, __file__, "--measure", layout, libraries[program], features]
                        command += [str(threads), str(BATCHES[program])]
                        found.append(float(subprocess.run(command, check=True, capture_output=True).stdout))
                for program, found in rates.items():
                    rate = statistics.median(found) / 1_000
                    print(f"{program},drop-in {layout} {features},{threads},thousands of positions a CPU second,{rate:.0f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:5], int(sys.argv[5]), int(sys.argv[6]))
    else:
        main()
