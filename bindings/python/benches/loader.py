"""Measures batches for PyTorch, `loader.py RECORDS.psv [ORDER]`: dlshogi's bits, labels and values through a `DataLoader`.

Prints a line `program,work,records,unit,figure` per row: positions per second of wall time and of CPU time, and the memory of the
process's own pages in MiB after a tenth, half and all of the epoch, during which it must not grow. The first row is the transform
alone, on a batch in memory.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import torch.utils.data

import komabako
from komabako.torch import Dataset
from memory import own_memory

BATCH = 16_384


def transform(records: Any) -> Any:
    # A record without a move has no label, which is not an error here.
    labels = komabako.labels(records, on_error="mask")[0]
    return (*komabako.features.dlshogi(records, "bits"), labels, komabako.targets(records).value)


def main() -> None:
    path, order = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "shuffle"
    records = komabako.memmap(path, komabako.PackedSfenValue)
    # Read the whole file once, so that it is in memory from here on.
    np.asarray(records).view(np.uint8).max()

    def row(work: str, unit: str, figure: Any) -> None:
        print(f"komabako,{work},{len(records)},{unit},{figure}", flush=True)

    batch = records[:BATCH].copy()
    started = time.perf_counter()
    for _ in range(100):
        transform(batch)
    row("transform alone", "M/s", f"{100 * BATCH / (time.perf_counter() - started) / 1e6:.2f}")
    for workers in (1, 2):
        batches = komabako.Batches(path, BATCH, order=order, seed=1, transform=transform, workers=workers)
        work = f"DataLoader {order} of {workers} workers"
        started, used, seen, marks = time.perf_counter(), time.process_time(), 0, [0.1, 0.5, 1.0]
        for planes, *_ in torch.utils.data.DataLoader(Dataset(batches), batch_size=None):
            seen += len(planes)
            if marks and seen >= marks[0] * len(records):
                row(f"{work} after {marks.pop(0):.0%}", "MiB", f"{own_memory():.0f}")
        assert seen == len(records)
        row(work, "M/s", f"{seen / (time.perf_counter() - started) / 1e6:.2f}")
        row(work, "M/s of processor time", f"{seen / (time.process_time() - used) / 1e6:.2f}")


if __name__ == "__main__":
    main()
