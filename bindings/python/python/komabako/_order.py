"""The orders of the records of `komabako.Batches` without the loader: permutations that are computed place by place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native

Indices = NDArray[np.uint64]


def permuted(numbers: Any, count: int, *key: int) -> Indices:
    """Apply a permutation of the numbers below ``count`` to some of them. The key selects the permutation."""
    places = np.ascontiguousarray(numbers, np.uint64)
    result = np.empty(len(places), np.uint64)
    _native.permute(places, count, [part % (1 << 64) for part in key], result)
    return result


class RecordOrder:
    """The order of the records in an epoch: the record at each place."""

    BLOCK = 1 << 16

    def __init__(self, kind: str, count: int, seed: int, epoch: int, pool: int) -> None:
        self.kind, self.count, self.key = kind, count, (seed, epoch)
        if kind != "blocks":
            return
        blocks = -(-count // self.BLOCK)
        self.blocks = permuted(np.arange(blocks), blocks, *self.key, 1) if blocks else np.empty(0, np.uint64)
        sizes = np.full(blocks, self.BLOCK, np.uint64)
        if count % self.BLOCK:
            sizes[self.blocks == np.uint64(blocks - 1)] = count % self.BLOCK
        #: The start of each block in the order before the blocks of a pool are mixed, and the start of each pool.
        self.starts = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
        self.pools = np.concatenate([self.starts[:-1][::pool], self.starts[-1:]])

    def records(self, first: int, last: int) -> Indices:
        """Return the numbers of the records at consecutive places."""
        places = np.arange(first, last, dtype=np.uint64)
        if self.kind == "file" or not len(places):
            return places
        if self.kind == "shuffle":
            return permuted(places, self.count, *self.key)
        pool = np.searchsorted(self.pools, places, "right") - 1
        for number in np.unique(pool):
            start, end = int(self.pools[number]), int(self.pools[number + 1])
            inside = pool == number
            mixed = permuted(places[inside] - np.uint64(start), end - start, *self.key, 2, int(number))
            places[inside] = mixed + np.uint64(start)
        block = np.searchsorted(self.starts, places, "right") - 1
        records: Indices = self.blocks[block] * np.uint64(self.BLOCK) + (places - self.starts[block])
        return records
