"""Batches of records for training: in any order, on many ranks, resumable in mid-epoch."""

from __future__ import annotations

import inspect
import operator
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _stores
from ._buffers import check_array
from ._columns import Columns
from ._options import (
    FeatureSet,
    Layout,
    Missing,
    OnBadInBatch,
    OnKingless,
    Order,
    Perspective,
    Planes,
    Policy,
    checked_number,
    checked_size,
)
from ._order import RecordOrder
from .dtypes import Dtype, layout_of
from .errors import DecodeError, Fault, KomabakoError
from .files import PathLike, _list, is_parquet, memmap, records_in

if TYPE_CHECKING:
    from .loader import Source

#: A file of records, or an array of them.
Records = Union[PathLike, NDArray[Any]]
#: Applied to each batch; with a second parameter it also gets a generator of random numbers.
Transform = Callable[..., Any]


def check_process(process: int) -> None:
    """Refuse a loop that began in another process, before a fork: its threads are there."""
    if process != os.getpid():
        raise RuntimeError("this loop or file began in another process, before a fork: begin another one")


def takes_rng(transform: Optional[Transform]) -> bool:
    """Whether a transform takes a generator of random numbers beside the batch."""
    if transform is None:
        return False
    try:
        parameters = inspect.signature(transform).parameters.values()
    except (TypeError, ValueError):
        # Functions in C do not say what they take.
        return False
    needed = [one for one in parameters if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len(needed) >= 2


def in_memory(given: Records, dtype: Optional[Dtype] = None) -> Any:
    """Return the records of an array or of a Parquet file; None for another file."""
    if isinstance(given, np.ndarray):
        if dtype is not None or layout_of(given.dtype) is None or given.ndim != 1:
            raise ValueError(f"an array for Batches has records of a known dtype, not {given.dtype}{list(given.shape)}")
        check_array(given, "an array for Batches")
        return given
    if is_parquet(given):
        from .arrow import from_arrow, read_parquet

        table = read_parquet(given)
        try:
            return from_arrow(table, dtype)
        except KomabakoError as error:
            if type(error) is not KomabakoError:
                raise
            # The arguments that are missing are those of `from_arrow`.
            advice = "Batches takes arrays too: Batches(from_arrow(read_parquet(path), …), …)"
            raise KomabakoError(f"{os.fspath(given)}: {error}; {advice}") from None
    return None


class Batches:
    """Batches of records from uncompressed files of one dtype: an iterable over one epoch after the other.

    Each ``for`` loop iterates over the rest of an epoch, which is all of it unless the loop before was left early. The loops share one
    place: once another has begun or the place was set, an older loop raises `RuntimeError`. Over all ranks every
    record comes once per epoch; the order of all records is the same for every world size and different in each epoch. Paths may be URLs
    of object stores unless ``order`` is ``"shuffle"``.

    Local files are mapped: no program may truncate one meanwhile, because reading a record that is gone ends Python with SIGBUS. A
    pickle contains the paths, not the records; unpickling opens the files again.

    Parameters
    ----------
    paths
        A file, an array of records, or a list of them. Their records are numbered in this order. Parquet of any profile of
        `komabako.arrow` is read into memory.
    batch_size
        The number of records per batch.
    order
        ``"shuffle"``: a permutation of all records, without a list of them in memory; for files in memory or on NVMe. ``"blocks"``:
        a permutation of blocks of 65,536 records, mixing ``pool`` blocks at a time; for other disks. ``"file"``: the order of the
        files, best after `komabako shuffle`.
    seed
        The key of the order, with the number of the epoch.
    rank
        The number of this process. The ranks get consecutive batches of the order in turn.
    world
        The number of processes.
    transform
        A function applied to each batch, on a background thread or the caller's. If it takes two arguments without defaults, the second
        is a `numpy.random.Generator` that is the same for the same seed, epoch and batch.
    prefetch
        The number of batches made ahead, besides one in work on each further thread. 0 makes each batch when it is needed, on the
        caller's thread.
    workers
        The number of threads that make batches ahead; each makes whole batches, which are returned in order. With more than one,
        several threads call ``transform`` at once. This scales better than ``threads`` inside ``transform``, since reading and
        Python code run in parallel too.
    drop_last
        Drop the last batches if they are not full on every rank. Where records may be left out (``where``, ``keep``, targets that
        ``drop``, ``on_error="skip"``, ``skip_repetition``) a rank knows its own only, and ranks may have different numbers of batches: end
        all of them after the same number.
    dtype
        The dtype of the records; by default it follows from the extension.
    pool
        The number of blocks that ``order="blocks"`` mixes.
    columns
        Files of numbers beside the records, one for each record of all files, by name: of the width that the extension names (``.i8`` to
        ``.f64``), such as those of `komabako dedup --keep mean --columns`; or arrays. The items, and what ``transform`` gets, are pairs of
        the records and a dict of arrays, in the same order. Not with the options of the loader below.

    With ``order="riffle"`` or ``"stream"``, or any of the options below, the loader makes the batches, in threads of Rust: from arrays
    and files of any format with records, `Source`s and archives among them, which need not be shuffled. With ``features``, ``buckets``,
    ``targets``, ``policy`` or ``planes`` the items are `Batch`es, otherwise arrays of `PackedSfenValue`.

    order
        ``"riffle"``: mixed over a window of ``memory`` bytes, whose blocks are read in random order. ``"stream"``: the same in the
        order of the files, for compressed files and text. ``"shuffle"`` as above, ``"file"`` too, but
        several files advance together, in proportion to their records.
    sources
        More files or arrays, or `Source`s with a weight, a scale of scores and the like.
    weights
        The weight of each source, in the order of ``paths`` and ``sources``: its share of the records.
    memory
        The bytes of the window of this process.
    passes
        The number of times that a block is read in an epoch: so many times as large is the window.
    streams
        The number of streams, over which later runs may divide ranks; 0 is one for each rank.
    block
        The records of a block of a file that has no blocks of its own, as archives have. There are as many blocks as streams, or more.
    where
        A condition on the records to keep, as of `komabako filter --where`.
    keep
        Rules ``(condition, chance)`` or ``(number, [(x, chance), …])``, of which the first that applies decides by chance whether a
        record is kept; a third member is the factor of its weight.
    features
        A set of inputs: ``"halfkp"``, ``"halfkpvm"``, ``"halfkpe9"``, ``"halfka1"``, ``"halfka2"``, ``"halfka_hm1"``,
        ``"halfka_hm2"``, ``"kp"``, ``"ka2"``, ``"pieces"``.
    layout
        ``"padded"``, ``"coo"`` or ``"offsets"``: the form of the inputs, see `Batch`.
    perspective
        Whose inputs come first: ``"side"`` or ``"black"``.
    missing
        What stands for pieces that a handicap lacks: ``"omit"`` (nothing) or ``"zero"``.
    buckets
        The layer stacks, such as ``"hand64z_k3k3"``; with ``progress``, a table i4[81*1548] and a bias, also ``"progress8"``.
    targets
        ``{"curve": "logistic", "scale": 600}`` or ``{"curve": "wrm", "offset": 270, "scaling": 380}``, with ``"lambda"`` (the share of
        the score, otherwise the result), ``"mate"``, ``"wdl"``, ``"score_clip"``, ``"score_drop_abs"``, ``"drop"``.
    policy
        ``"moves"`` (2,187 classes), ``"compact_moves"`` (1,496), or of hcpe3 ``{"visits": {"temperature": 1.0, "layout": "dense"}}``, the
        shares of the candidates' visits, also in the layout ``"csr"``.
    planes
        dlshogi's planes: ``"f32"``, ``"f16"``, ``"u8"`` or ``"bits"``.
    epoch_records
        With weights, the number of records of an epoch.
    on_error
        Bad records: ``"raise"``, ``"skip"`` or ``"weight0"``.
    on_kingless
        Positions that lack a king, with features: ``"drop"`` or ``"zero"``.
    threads
        The threads that make batches; 0 makes them on the caller's.

    Returns
    -------
    Batches
        Each ``for`` loop over it yields arrays of records, `Batch`es, or what ``transform`` makes of them.

    Raises
    ------
    FormatError
        For a file that cannot be read in this order.
    LoaderError
        For options that contradict each other, and for a bad record.
    DecodeError
        For a bad record that ``transform`` meets, named by its file and its number there.
    ValueError
        For an option that has no such value.

    Examples
    --------
    >>> import komabako, numpy, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.psv")
    >>> numpy.concatenate([komabako.Position().record(score=score) for score in range(5)]).tofile(path)
    >>> [len(batch) for batch in komabako.Batches(path, 2, seed=1)]
    [2, 2, 1]
    """

    def __new__(cls, *arguments: Any, **options: Any) -> "Batches":
        from . import loader

        is_loaded = cls is Batches and loader.is_asked(arguments[0] if arguments else options.get("paths"), options)
        return object.__new__(loader.LoadedBatches if is_loaded else cls)

    @overload
    def __init__(
        self,
        paths: Union[Records, Sequence[Records]],
        batch_size: int,
        *,
        order: Order = ...,
        seed: int = ...,
        rank: int = ...,
        world: int = ...,
        transform: Optional[Transform] = ...,
        prefetch: int = ...,
        workers: int = ...,
        drop_last: bool = ...,
        dtype: Optional[Dtype] = ...,
        pool: int = ...,
        columns: Optional[Mapping[str, Records]] = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        paths: Union[Records, "Source", Sequence[Union[Records, "Source"]], None] = ...,
        batch_size: int = ...,
        *,
        sources: Optional[Sequence[Union[Records, "Source"]]] = ...,
        weights: Optional[Sequence[int]] = ...,
        order: Order = ...,
        seed: int = ...,
        rank: int = ...,
        world: int = ...,
        streams: int = ...,
        block: int = ...,
        memory: int = ...,
        passes: int = ...,
        where: Optional[str] = ...,
        keep: Sequence[Any] = ...,
        features: Optional[FeatureSet] = ...,
        layout: Layout = ...,
        perspective: Perspective = ...,
        missing: Optional[Missing] = ...,
        buckets: Optional[str] = ...,
        progress: Optional[Tuple[NDArray[np.int32], int]] = ...,
        targets: Optional[Dict[str, Any]] = ...,
        policy: Union[Policy, Dict[str, Any], None] = ...,
        planes: Optional[Planes] = ...,
        transform: Optional[Transform] = ...,
        prefetch: int = ...,
        threads: int = ...,
        drop_last: bool = ...,
        epoch_records: Optional[int] = ...,
        on_error: OnBadInBatch = ...,
        on_kingless: OnKingless = ...,
    ) -> None: ...
    def __init__(self, paths: Any = None, batch_size: Any = None, **options: Any) -> None:
        from . import loader

        if not isinstance(self, loader.LoadedBatches) and loader.is_asked(paths, options):
            raise ValueError(
                "a subclass of Batches has no loader, which the sources or options ask for: derive it from komabako.loader.LoadedBatches"
            )
        # None is no option of the loader, so that it may be given to any batches.
        given = {name: value for name, value in options.items() if value is not None or name not in loader.OPTIONS}
        self._begin(paths, batch_size, **given)

    def _begin(
        self,
        paths: Any,
        batch_size: int,
        *,
        order: str = "shuffle",
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        transform: Optional[Transform] = None,
        prefetch: int = 2,
        workers: int = 1,
        drop_last: bool = False,
        dtype: Optional[Dtype] = None,
        pool: int = 16,
        columns: Optional[Mapping[str, Records]] = None,
    ) -> None:
        if order not in ("shuffle", "blocks", "file"):
            raise ValueError(f'order is "shuffle", "blocks", "file", "riffle" or "stream", not {order!r}')
        # As Python's numbers: the state is JSON.
        pool, workers = checked_number("pool", pool, 1), checked_number("workers", workers, 1)
        prefetch = checked_number("prefetch", prefetch)
        rank, world = checked_number("rank", rank), checked_number("world", world)
        if not rank < world:
            raise ValueError(f"rank is a number from 0 and below world, not {rank} of {world}")
        seed = operator.index(seed)
        self._paths = _list(paths)
        self._files = self._opened(dtype, pool)
        if order == "shuffle" and any(map(_stores.is_url, self._paths)):
            raise ValueError('order="shuffle" reads single records: take "blocks" for files of an object store, or copy them')
        if not self._files:
            raise ValueError("no files")
        for path, file in zip(self._paths, self._files):
            if file.dtype != self._files[0].dtype:
                name = "an array" if isinstance(path, np.ndarray) else path
                raise ValueError(f"{name}: records of another dtype than those before")
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
            "columns": columns,
        }
        self._columns = self._opened_columns()
        self._takes_rng = takes_rng(transform)
        self.batch_size, self.rank, self.world = checked_size(batch_size), rank, world
        self._epoch, self._consumed = 0, 0
        #: The loop that has the place. An older one must not move it.
        self._loop: Optional[object] = None
        #: How often the place was set, for workers that count epochs.
        self.places_set = 0
        #: Whether the place was set to the middle of the epoch.
        self.is_resumed = False

    def _opened(self, dtype: Optional[Dtype], pool: int) -> List[Any]:
        # A block of the order may overlap two blocks of a file. The loader reads archives.
        opened = []
        for path in self._paths:
            records = in_memory(path, dtype)
            if records is not None:
                opened.append(records)
            elif _stores.is_url(path):
                opened.append(records_in(path, dtype, 2 * pool + 1))
            else:
                opened.append(memmap(path, dtype))
        return opened

    def _opened_columns(self) -> Optional[Columns]:
        paths = self._options["columns"]
        return None if paths is None else Columns(paths, self.records)

    def __getstate__(self) -> Dict[str, Any]:
        # NumPy would pickle all records of a mapped file.
        return {name: value for name, value in self.__dict__.items() if name not in ("_files", "_columns")}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._files = self._opened(self._options["dtype"], self._options["pool"])
        if not np.array_equal(self._ends, np.cumsum([len(file) for file in self._files])):
            raise ValueError("the files do not have as many records as when these batches were pickled")
        self._columns = self._opened_columns()

    @property
    def has_records(self) -> bool:
        """Whether the items are as they were read, since there is no ``transform``."""
        return self._options["transform"] is None

    @property
    def records(self) -> int:
        """The number of records per epoch, over all ranks."""
        return int(self._ends[-1])

    @property
    def left_out(self) -> Tuple[int, int]:
        """The records that the loader left out so far: those without both kings, and bad ones."""
        return 0, 0

    @property
    def epoch(self) -> int:
        """The epoch that the next loop iterates over, from 0."""
        return self._epoch

    def set_epoch(self, epoch: int) -> None:
        """Start an epoch, given by its number from 0. A loop that is under way is over."""
        self._epoch, self._consumed = checked_number("epoch", epoch), 0
        self._loop = None
        self.places_set += 1
        self.is_resumed = False

    def __len__(self) -> int:
        """Return the number of batches per epoch on this rank."""
        steps, rest = divmod(self.records, self.batch_size * self.world)
        return steps + (self._share(rest) != (0, 0) and not self._options["drop_last"])

    def _share(self, rest: int) -> tuple[int, int]:
        """Return this rank's share of the last places, which do not fill a batch on every rank."""
        first, last = rest * self.rank // self.world, rest * (self.rank + 1) // self.world
        return (first, last) if first < last else (0, 0)

    def state_dict(self) -> Dict[str, Any]:
        """Return the state from which `load_state_dict` resumes after the last batch returned, on any number of ranks."""
        return {
            "epoch": self._epoch,
            "consumed": self._consumed,
            "records": self.records,
            "sizes": np.diff(self._ends, prepend=0).tolist(),
            **{name: self._options[name] for name in ("order", "seed", "pool")},
        }

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Resume from the state of another `Batches` with the same files, order, seed and pool."""
        own = self.state_dict()
        # Older states have no sizes.
        state = {"sizes": own["sizes"], **state}
        if not state.keys() >= own.keys():
            raise ValueError("the state is not of batches in this order: perhaps those had an option of the loader")
        for name in ("records", "sizes", "order", "seed", "pool"):
            if state[name] != own[name]:
                raise ValueError(f"the state is of {name} {state[name]!r}, and these batches have {own[name]!r}")
        epoch, consumed = (checked_number(f"{name} of the state", state[name]) for name in ("epoch", "consumed"))
        if consumed > self.records:
            raise ValueError(f"the state has consumed {consumed} of {self.records} records")
        self._epoch, self._consumed, self._loop = epoch, consumed, None
        self.places_set += 1
        self.is_resumed = self._consumed > 0

    def shard(self, index: int, count: int) -> "Batches":
        """Return the batches for worker ``index`` of the ``count`` workers of this rank."""
        part: Batches = object.__new__(type(self))
        part.__dict__.update(self.__dict__)
        part.rank, part.world = self.rank * count + index, self.world * count
        return part

    def _read(self, order: RecordOrder, first: int, last: int) -> Any:
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
        records = batch.view(self._files[0].dtype)
        whole = records if self._columns is None else (records, self._columns.take(numbers))
        try:
            return self._transformed(whole, order.key[1], first)
        except DecodeError as error:
            self._locate(error, records, numbers)
            raise

    def _locate(self, error: DecodeError, records: Any, numbers: Any) -> None:
        """Give the error of a batch the file of a record that has its fault, and the record's number there."""
        from .records import validate

        # The transform may have called a function with some of the records, so the error's own number says little.
        bad = np.flatnonzero(validate(records) == Fault[error.fault])
        if error.path is not None or not len(bad):
            return
        number = int(numbers[bad[0]])
        index = int(np.searchsorted(self._ends, number, "right"))
        path = self._paths[index]
        error.path = f"array {index}" if isinstance(path, np.ndarray) else os.fspath(path)
        error.record = number - int(self._ends[index] - len(self._files[index]))
        error.byte = None

    def _transformed(self, batch: Any, epoch: int, number: int) -> Any:
        """Apply the transform to a batch. The number is that of the batch in its epoch: equal ones get equal random numbers."""
        transform = self._options["transform"]
        if transform is None:
            return batch
        if not self._takes_rng:
            return transform(batch)
        key = [self._options["seed"] % (1 << 64), epoch, number]
        return transform(batch, np.random.default_rng(key))

    def _gathered(self, index: int, numbers: Any) -> Any:
        """Gather records of a file as bytes: NumPy gathers structured records field by field, which takes longer."""
        file = self._files[index]
        if isinstance(file, _stores.StoredRecords):
            # The bytes of a range are read-only; batches of local files are not.
            return np.require(file[numbers].view(self._bytes), requirements="W")
        return np.asarray(file).view(self._bytes).take(numbers)

    def __iter__(self) -> Iterator[Any]:
        options = self._options
        self._loop = loop = object()
        order = RecordOrder(options["order"], self.records, options["seed"], self._epoch, options["pool"])
        step = self.batch_size * self.world

        def ranges() -> Iterator[tuple[int, int, int]]:
            """Yield the first and last place of each batch, and the number of places consumed by all ranks after it."""
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
                self._check_loop(loop)
                self._consumed = consumed
                yield batch
        else:
            yield from self._ahead(order, ranges(), loop)
        self._check_loop(loop)
        self._epoch, self._consumed, self.is_resumed = self._epoch + 1, 0, False

    def _check_loop(self, loop: object) -> None:
        """Refuse to go on with a loop after another one began, or the place was set: it would move the place of the other one."""
        if self._loop is not loop:
            raise RuntimeError(
                "another loop over these batches has begun, or their place was set: this loop is over; loops at once need batches of their own"
            )

    def _ahead(self, order: RecordOrder, ranges: Iterator[tuple[int, int, int]], loop: object) -> Iterator[Any]:
        ahead: Deque[tuple["Future[Any]", int]] = deque()
        process = os.getpid()
        with ThreadPoolExecutor(self._options["workers"]) as reader:
            try:
                for first, last, consumed in ranges:
                    ahead.append((reader.submit(self._read, order, first, last), consumed))
                    if len(ahead) > max(self._options["prefetch"], self._options["workers"]):
                        yield self._next(ahead, process, loop)
                while ahead:
                    yield self._next(ahead, process, loop)
            finally:
                # If the caller leaves the loop early, batches not started yet are not made.
                for future, _ in ahead:
                    future.cancel()

    def _next(self, ahead: Deque[tuple["Future[Any]", int]], process: int, loop: object) -> Any:
        # The threads are in the parent: a child would wait for ever.
        check_process(process)
        future, consumed = ahead.popleft()
        batch = future.result()
        self._check_loop(loop)
        # Only after `result`: a batch that failed has not been returned.
        self._consumed = consumed
        return batch
