"""Batches for PyTorch: `loader.py RECORDS.psv [ORDER]`, dlshogi's bits, labels and values by a `DataLoader` from a file of records.

Prints a line `program,work,records,unit,figure` a row: positions a second by the clock and by processor time, and the memory of the
process's own pages in MiB after a tenth, half and all of the epoch, in which it does not grow. The first row of each number of threads
is the transform alone, on batches that lie in memory.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import torch.utils.data

import komabako
from komabako.torch import Dataset

BATCH = 16_384


def own_memory() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) // 1024
    raise OSError("the system does not say")


def transform_of(threads: int) -> Any:
    def transform(records: Any) -> Any:
        planes = komabako.features.dlshogi(records, "bits", threads=threads)
        # A record without a move has no label, which is no fault here.
        return (*planes, komabako.labels(records, on_error="mask", threads=threads)[0], komabako.targets(records).value)

    return transform


def main() -> None:
    path, order = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "shuffle"
    records = komabako.memmap(path, komabako.PackedSfenValue)

    def row(work: str, unit: str, figure: Any) -> None:
        print(f"komabako,{work},{len(records)},{unit},{figure}", flush=True)

    for threads in (1, 2):
        transform, batch = transform_of(threads), records[:BATCH].copy()
        started = time.perf_counter()
        for _ in range(100):
            transform(batch)
        row(f"transform, {threads} threads", "M/s", f"{100 * BATCH / (time.perf_counter() - started) / 1e6:.2f}")
        batches = komabako.Batches(path, BATCH, order=order, seed=1, transform=transform)
        started, used, seen, marks = time.perf_counter(), time.process_time(), 0, [0.1, 0.5, 1.0]
        for planes, *_ in torch.utils.data.DataLoader(Dataset(batches), batch_size=None):
            seen += len(planes)
            if marks and seen >= marks[0] * len(records):
                row(f"DataLoader {order}, {threads} threads, after {marks.pop(0):.0%}", "MiB", own_memory())
        assert seen == len(records)
        row(f"DataLoader {order}, {threads} threads", "M/s", f"{seen / (time.perf_counter() - started) / 1e6:.2f}")
        row(f"DataLoader {order}, {threads} threads", "M/s of processor time", f"{seen / (time.process_time() - used) / 1e6:.2f}")


if __name__ == "__main__":
    main()
