"""Files of records as arrays, and batches of them for training: in any order, on many ranks, resumed in mid-epoch."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _native, _stores
from .dtypes import DTYPES, Dtype
from .errors import FormatError

PathLike = Union[str, "os.PathLike[str]"]
Indices = NDArray[np.uint64]

#: The program's extensions of formats whose records are all of one size.
_EXTENSIONS = {
    ".psv": "psv",
    ".bin": "psv",
    ".hcpe": "hcpe",
    ".hcpe2": "hcpe2",
    ".hcp": "hcp",
    ".packed_sfen": "packed_sfen",
    ".psfen": "packed_sfen",
    ".sspfv1": "sspfv1",
    ".sspf": "sspfv1",
    ".sspfv1-ext": "sspfv1-ext",
    ".c250": "c250",
    ".r238": "r238",
    ".compact36": "compact36",
    ".compact32": "compact32",
    ".ext36": "ext36",
}
_COMPRESSED = (".zst", ".gz", ".xz", ".lz4", ".bz2")


def memmap(path: PathLike, dtype: Optional[Dtype] = None) -> Any:
    """A file of records as a read-only mapped array. Its dtype follows from the extension, or is given.

    Raises `FormatError` if the file is compressed, of games or text, or does not end with a whole record.
    """
    if _stores.is_url(path):
        name = _stores.name_of(str(path))
        raise FormatError(
            name, "format", f"{name}: a file of an object store cannot be mapped; komabako.open reads it, read_split parts of it"
        )
    path = Path(path)
    dtype, length = _shape(path, os.fspath(path), path.stat().st_size, dtype)
    # An empty file cannot be mapped.
    return np.memmap(path, dtype, mode="r") if length else np.empty(0, dtype)


def _shape(path: Path, name: str, size: int, dtype: Optional[Dtype]) -> tuple[Dtype, int]:
    """The dtype of the records of an uncompressed file of a size in bytes, and their number."""
    if path.suffix in _COMPRESSED:
        plain = name[: -len(path.suffix)]
        raise FormatError(
            name,
            "format",
            f"{name}: records of a compressed file are read in order only; `komabako convert {name} {plain}` decompresses it",
        )
    if dtype is None:
        format = _EXTENSIONS.get(path.suffix)
        if format is None:
            raise FormatError(
                name,
                "format",
                f"{name}: the extension does not say the dtype of the records; give dtype=, or make records of one size by "
                f"`komabako convert {name} {name.removesuffix(path.suffix)}.psv`",
            )
        dtype = DTYPES[format]
    dtype = np.dtype(dtype)
    if size % dtype.itemsize:
        raise FormatError(
            name,
            "tail",
            f"{name}: {size} bytes are not a whole number of records of {dtype.itemsize}; `komabako info {name}` says what the "
            "file is",
        )
    return dtype, size // dtype.itemsize


def records_in(path: PathLike, dtype: Optional[Dtype] = None, kept: int = 1) -> Any:
    """The records of a file as a mapped array, or of a store with so many blocks ``kept``."""
    if not _stores.is_url(path):
        return memmap(path, dtype)
    url = str(path)
    name = _stores.name_of(url)
    dtype, length = _shape(Path(name), name, _stores.size(url), dtype)
    return _stores.StoredRecords(url, dtype, length, kept)


class Split(NamedTuple):
    """Some consecutive records of a file."""

    path: str
    first: int
    length: int


def splits(paths: Sequence[PathLike], count: int = 250_000, dtype: Optional[Dtype] = None) -> List[Split]:
    """Files, or URLs of object stores, cut into `Split`s of ``count`` records at most, for engines that share out work."""
    if count < 1:
        raise ValueError(f"count is a number of records from 1, not {count}")
    made = []
    for path in _list(paths):
        length = len(records_in(path, dtype))
        made += [Split(os.fspath(path), first, min(count, length - first)) for first in range(0, length, count)]
    return made


def read_split(split: Split, dtype: Optional[Dtype] = None) -> Any:
    """The records of a `Split`: mapped, or read from their object store."""
    return records_in(split.path, dtype)[split.first : split.first + split.length]


def _list(paths: Any) -> List[PathLike]:
    return [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)


def permuted(numbers: Any, count: int, *key: int) -> Indices:
    """Where a permutation of the numbers below ``count`` sends some of them. A key is a permutation."""
    places = np.ascontiguousarray(numbers, np.uint64)
    result = np.empty(len(places), np.uint64)
    _native.permute(places, count, [part % (1 << 64) for part in key], result)
    return result


class _Order:
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
        #: Where each block begins in the order, before the blocks of a pool are mixed; and where each pool begins.
        self.starts = np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)])
        self.pools = np.concatenate([self.starts[:-1][::pool], self.starts[-1:]])

    def records(self, first: int, last: int) -> Indices:
        """The numbers of the records at some consecutive places."""
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


class Batches:
    """Batches of records of some files of one dtype, uncompressed: an iterator over one epoch after the other. Paths may be URLs of
    object stores, where ``order`` is not ``"shuffle"``.

    Each ``for`` loop goes through the rest of an epoch. Over all ranks every record comes once in an epoch; the order of all
    records is the same for every world size, and another one in each epoch.

    order
        ``"shuffle"``: all records, permuted, without a list of them in memory; for files in memory or on NVMe. ``"blocks"``:
        blocks of 65,536 records permuted, ``pool`` blocks at a time mixed; for other disks. ``"file"``: as they lie, best after
        `komabako shuffle`.
    rank, world
        The number of this process and of all. Each gets consecutive batches of the order in turn.
    transform
        What is made of a batch of records, on a thread of its own.
    prefetch
        How many batches are made ahead. 0: none, on the caller's thread.
    workers
        How many threads make batches ahead, each one of its own, in order. With more than one ``transform`` is called by several
        at a time. Better than ``threads`` in it: reading and Python's part of it are shared out too.
    drop_last
        Leaves out the last batches where they are not full on every rank.
    """

    def __init__(
        self,
        paths: Union[PathLike, Sequence[PathLike]],
        batch_size: int,
        *,
        order: str = "shuffle",
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        transform: Optional[Callable[[Any], Any]] = None,
        prefetch: int = 2,
        workers: int = 1,
        drop_last: bool = False,
        dtype: Optional[Dtype] = None,
        pool: int = 16,
    ) -> None:
        if order not in ("shuffle", "blocks", "file"):
            raise ValueError(f'order is "shuffle", "blocks" or "file", not {order!r}')
        if batch_size < 1 or pool < 1 or workers < 1 or prefetch < 0:
            raise ValueError("batch_size, pool and workers are at least 1, prefetch at least 0")
        if not 0 <= rank < world:
            raise ValueError(f"rank is a number from 0 and below world, not {rank} of {world}")
        self._paths = _list(paths)
        # A block of the order may lie in two of a file.
        self._files = [records_in(path, dtype, 2 * pool + 1) for path in self._paths]
        if order == "shuffle" and any(map(_stores.is_url, self._paths)):
            raise ValueError('order="shuffle" reads single records: take "blocks" for files of an object store, or copy them')
        if not self._files:
            raise ValueError("no files")
        for path, file in zip(self._paths, self._files):
            if file.dtype != self._files[0].dtype:
                raise ValueError(f"{path}: records of another dtype than those of {self._paths[0]}")
        self._bytes = np.dtype((np.void, self._files[0].dtype.itemsize))
        self._ends = np.cumsum([len(file) for file in self._files])
        self._options: Dict[str, Any] = {
            "order": order,
            "seed": seed,
            "transform": transform,
            "prefetch": prefetch,
            "workers": workers,
            "drop_last": drop_last,
            "dtype": dtype,
            "pool": pool,
        }
        self.batch_size, self.rank, self.world = batch_size, rank, world
        self._epoch, self._consumed = 0, 0

    @property
    def records(self) -> int:
        """The records of an epoch, over all ranks."""
        return int(self._ends[-1])

    @property
    def epoch(self) -> int:
        """The number of the epoch that the next loop goes through, from 0."""
        return self._epoch

    def set_epoch(self, epoch: int) -> None:
        """Begins an epoch, by its number from 0."""
        self._epoch, self._consumed = epoch, 0

    def __len__(self) -> int:
        """The batches of a whole epoch on this rank."""
        steps, rest = divmod(self.records, self.batch_size * self.world)
        return steps + (self._share(rest) != (0, 0) and not self._options["drop_last"])

    def _share(self, rest: int) -> tuple[int, int]:
        """The part of the last places, fewer than a batch on every rank, that is this rank's."""
        first, last = rest * self.rank // self.world, rest * (self.rank + 1) // self.world
        return (first, last) if first < last else (0, 0)

    def state_dict(self) -> Dict[str, Any]:
        """What `load_state_dict` needs to go on after the last batch that was handed out, on any number of ranks."""
        return {
            "epoch": self._epoch,
            "consumed": self._consumed,
            "records": self.records,
            **{name: self._options[name] for name in ("order", "seed", "pool")},
        }

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Goes on where another `Batches` of the same files, order and seed was."""
        own = self.state_dict()
        for name in ("records", "order", "seed", "pool"):
            if state[name] != own[name]:
                raise ValueError(f"the state is of {name} {state[name]!r}, and these batches have {own[name]!r}")
        self._epoch, self._consumed = int(state["epoch"]), int(state["consumed"])

    def shard(self, index: int, count: int) -> "Batches":
        """The batches of one of ``count`` workers of this rank."""
        part = Batches(
            self._paths,
            self.batch_size,
            rank=self.rank * count + index,
            world=self.world * count,
            **self._options,
        )
        part._epoch, part._consumed = self._epoch, self._consumed
        return part

    def _read(self, order: _Order, first: int, last: int) -> Any:
        numbers = order.records(first, last).astype(np.int64)
        if len(self._files) == 1:
            batch = self._gathered(0, numbers)
        else:
            file_of = np.searchsorted(self._ends, numbers, "right")
            batch = np.empty(len(numbers), self._bytes)
            for index in np.unique(file_of):
                chosen = file_of == index
                start = self._ends[index] - len(self._files[index])
                batch[chosen] = self._gathered(index, numbers[chosen] - start)
        batch = batch.view(self._files[0].dtype)
        transform = self._options["transform"]
        return batch if transform is None else transform(batch)

    def _gathered(self, index: int, numbers: Any) -> Any:
        """Some records of a file as bytes: NumPy gathers records of fields a field at a time, which takes longer."""
        file = self._files[index]
        if isinstance(file, _stores.StoredRecords):
            return file[numbers].view(self._bytes)
        return np.asarray(file).view(self._bytes).take(numbers)

    def __iter__(self) -> Iterator[Any]:
        options = self._options
        order = _Order(options["order"], self.records, options["seed"], self._epoch, options["pool"])
        step = self.batch_size * self.world

        def ranges() -> Iterator[tuple[int, int, int]]:
            """The places of each batch, and how many places all ranks have had after it."""
            for start in range(self._consumed, self.records, step):
                rest = self.records - start
                if rest >= step:
                    first = start + self.rank * self.batch_size
                    yield first, first + self.batch_size, start + step
                elif not options["drop_last"]:
                    first, last = self._share(rest)
                    if first < last:
                        yield start + first, start + last, self.records

        if options["prefetch"] == 0:
            for first, last, consumed in ranges():
                batch = self._read(order, first, last)
                self._consumed = consumed
                yield batch
        else:
            yield from self._ahead(order, ranges())
        self._epoch, self._consumed = self._epoch + 1, 0

    def _ahead(self, order: _Order, ranges: Iterator[tuple[int, int, int]]) -> Iterator[Any]:
        ahead: Deque[tuple["Future[Any]", int]] = deque()
        with ThreadPoolExecutor(self._options["workers"]) as reader:
            try:
                for first, last, consumed in ranges:
                    ahead.append((reader.submit(self._read, order, first, last), consumed))
                    if len(ahead) > max(self._options["prefetch"], self._options["workers"]):
                        yield self._next(ahead)
                while ahead:
                    yield self._next(ahead)
            finally:
                # Whoever leaves the loop does not wait for batches that nobody wants.
                for future, _ in ahead:
                    future.cancel()

    def _next(self, ahead: Deque[tuple["Future[Any]", int]]) -> Any:
        future, consumed = ahead.popleft()
        batch = future.result()
        # Only now: a batch that failed has not been handed out.
        self._consumed = consumed
        return batch
