"""Batches that the loader makes: mixed from many files on the fly, selected and weighted, with the inputs of a network."""

from __future__ import annotations

import json
import os
import re
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _native, _stores
from ._options import checked_number, checked_size
from .batches import Batches, Records, check_process, in_memory, takes_rng
from .dtypes import PackedSfenValue, layout_of
from .errors import LeftOutWarning, LoaderError
from .files import _list, check_regular

#: The orders of the loader, and its names for those that `Batches` had before it.
_ORDERS = {"riffle": "riffle", "stream": "stream", "file": "file", "shuffle": "uniform"}

#: The options of `Batches` that only the loader has.
OPTIONS = (
    "sources",
    "weights",
    "where",
    "keep",
    "memory",
    "passes",
    "streams",
    "block",
    "features",
    "layout",
    "perspective",
    "missing",
    "buckets",
    "progress",
    "targets",
    "policy",
    "planes",
    "epoch_records",
    "on_error",
    "on_kingless",
    "threads",
)


def is_asked(paths: Any, options: Mapping[str, Any]) -> bool:
    """Whether the paths or options of `Batches` ask for the loader."""
    # A `Source` is a tuple too.
    given = paths if isinstance(paths, (list, tuple)) and not isinstance(paths, Source) else [paths]
    return (
        options.get("order") in ("riffle", "stream")
        or any(options.get(name) is not None for name in OPTIONS)
        or any(isinstance(path, Source) for path in given)
    )


class Source(NamedTuple):
    """A file or an array for `Batches` with options of its own.

    Parameters
    ----------
    path, weight, format, moves, score_scale, entry_weight, skip_repetition
        See the attributes.

    Returns
    -------
    Source
        An item of ``paths`` or ``sources`` of `Batches`.

    Raises
    ------
    TypeError
        For an option that does not exist. `Batches` checks the values.

    Examples
    --------
    >>> import komabako
    >>> komabako.Source("a.psv", weight=3).weight
    3
    """

    path: Records
    """The path, or an array of records."""
    weight: Optional[int] = None
    """Its share of the records among the other sources; if one source has a weight, all must."""
    format: Optional[str] = None
    """The program's name for the format; by default it is detected."""
    moves: Optional[str] = None
    """The encoding of the moves, such as ``"apery"`` or ``"C"``, if it is not the format's own."""
    score_scale: Optional[float] = None
    """The factor of the scores but mates."""
    entry_weight: float = 1.0
    """The factor of the weights of its records."""
    skip_repetition: bool = False
    """Whether records of games (hcpe3, ``.pack``) are left out whose move repeats a position."""


class Batch(NamedTuple):
    """The arrays of n records. Those that were not asked for are None."""

    records: NDArray[Any]
    """`PackedSfenValue`[n]"""
    weights: NDArray[np.float32]
    """f4[n]"""
    stm: Optional[NDArray[np.int32]] = None
    """The active inputs of the side to move (or Black): i4[n,k], padded with -1; pairs of row and index i4[m,2] with
    ``layout="coo"``; i4[m] with ``layout="offsets"``"""
    nstm: Optional[NDArray[np.int32]] = None
    """The same of the other side"""
    stm_offsets: Optional[NDArray[np.int64]] = None
    """i8[n+1] with ``layout="offsets"``: where each record's inputs begin in ``stm``"""
    nstm_offsets: Optional[NDArray[np.int64]] = None
    """The same of ``nstm``"""
    buckets: Optional[NDArray[np.int32]] = None
    """i4[n]: the numbers of layer stacks"""
    targets: Optional[NDArray[np.float32]] = None
    """f4[n]: from 0 to 1"""
    wdl: Optional[NDArray[np.float32]] = None
    """f4[n,3]: 1 at loss, draw or win"""
    moves: Optional[NDArray[np.int64]] = None
    """i8[n]: the classes of the moves, -1 for none"""
    probabilities: Optional[NDArray[np.float32]] = None
    """f4[n,2187]: the shares of the candidates' visits; in the layout ``"csr"`` f4[m], those of all candidates one after the other"""
    classes: Optional[NDArray[np.int16]] = None
    """i2[m] in the layout ``"csr"``: the classes of the candidates"""
    class_offsets: Optional[NDArray[np.int64]] = None
    """i8[n+1] in the layout ``"csr"``: where each record's candidates begin"""
    features1: Optional[NDArray[Any]] = None
    """dlshogi's planes, [n,62,9,9]; as bits u1[n,628]"""
    features2: Optional[NDArray[Any]] = None
    """[n,57,9,9]; as bits u1[n,8]"""
    epoch: int = 0
    """The epoch, from 0"""
    step: int = 0
    """The step in the epoch, from 0"""


class LoadedBatches(Batches):
    """`Batches` from the loader, and the base of own classes with it. `Batches` makes them if an option asks for it; it documents them."""

    def _begin(
        self,
        paths: Union[Records, Source, Sequence[Union[Records, Source]], None] = None,
        batch_size: Optional[int] = None,
        *,
        sources: Optional[Sequence[Union[Records, Source]]] = None,
        weights: Optional[Sequence[int]] = None,
        order: str = "riffle",
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        streams: int = 0,
        block: int = 65_536,
        memory: int = 1 << 30,
        passes: int = 1,
        where: Optional[str] = None,
        keep: Sequence[Any] = (),
        features: Optional[str] = None,
        layout: str = "padded",
        perspective: str = "side",
        missing: Optional[str] = None,
        buckets: Optional[str] = None,
        progress: Optional[Tuple[NDArray[np.int32], int]] = None,
        targets: Optional[Dict[str, Any]] = None,
        policy: Any = None,
        planes: Optional[str] = None,
        transform: Any = None,
        prefetch: int = 2,
        threads: int = 2,
        drop_last: bool = False,
        epoch_records: Optional[int] = None,
        on_error: str = "raise",
        on_kingless: str = "drop",
        workers: int = 1,
        dtype: Any = None,
        pool: Optional[int] = None,
        columns: Any = None,
    ) -> None:
        if order not in _ORDERS:
            raise ValueError(f'order is "riffle", "stream", "file" or "shuffle" with the options of the loader, not {order!r}')
        if columns is not None:
            raise ValueError('columns= is an option without the loader: leave its options out, with order="shuffle", "blocks" or "file"')
        if pool is not None or workers != 1 or dtype is not None:
            raise ValueError("pool=, workers= and dtype= are options without the loader: it has memory= and threads=, and reads any format")
        given: List[Any] = [] if paths is None else [paths] if isinstance(paths, Source) else _list(paths)
        given += [] if sources is None else list(sources)
        if not given:
            raise ValueError("no files")
        self._sources = _weighted([source if isinstance(source, Source) else Source(source) for source in given], weights)
        for source in self._sources:
            if isinstance(source.path, np.ndarray):
                continue
            if _stores.is_url(source.path):
                raise ValueError(f'{source.path}: the loader reads local files; order="blocks" reads those of object stores')
            check_regular(source.path)
        seed = checked_number("seed", seed)
        self._plan: Dict[str, Any] = {
            "order": _ORDERS[order],
            "seed": seed,
            "streams": checked_number("streams", streams),
            "block": checked_number("block", block),
            "memory": checked_number("memory", memory),
            "passes": checked_number("passes", passes),
            "where": where,
            "keep": [_rule(rule) for rule in keep],
            "features": features,
            "layout": layout,
            "first": perspective,
            "missing": missing,
            "buckets": buckets,
            "targets": targets,
            "policy": policy,
            "planes": planes,
            "drop_last": drop_last,
            "epoch_records": None if epoch_records is None else checked_number("epoch_records", epoch_records),
            "on_bad_record": on_error,
            "on_kingless": on_kingless,
            "threads": _native.threads(threads) if threads else 0,
            "prefetch": checked_number("prefetch", prefetch),
        }
        self._progress = progress
        self._options = {"transform": transform, "seed": seed}
        self._takes_rng = takes_rng(transform)
        self.batch_size = 16_384 if batch_size is None else checked_size(batch_size)
        self.rank, self.world = checked_number("rank", rank), checked_number("world", world, 1)
        #: The epoch, for processes that open the files anew.
        self._epoch = 0
        self._loop = None
        self.places_set = 0
        self.is_resumed = False
        self._open()
        if drop_last and self.world > 1:
            self._warn_of_dropped()

    def _warn_of_dropped(self) -> None:
        """Warn if much is dropped since some ranks have more blocks than others."""
        batches = self._loader.batches
        counts = [source["records"] for source in self.state_dict()["sources"]]
        if batches is None or None in counts or self._plan["epoch_records"] is not None:
            return
        step = self.batch_size * self.world
        dropped = sum(counts) - batches * step
        if dropped > max(sum(counts) // 10, step):
            text = f"drop_last drops {dropped} of {sum(counts)} records: take a smaller block, or join the files"
            warnings.warn(text, LeftOutWarning, stacklevel=4)

    def _open(self) -> None:
        sources, paths, arrays = [], [], []
        for number, source in enumerate(self._sources):
            options = {name: value for name, value in source._asdict().items() if value is not None}
            records = in_memory(source.path)
            if records is not None:
                layout = layout_of(records.dtype)
                assert layout is not None
                options.setdefault("format", layout.format)
                arrays.append((number, np.ascontiguousarray(records).view(np.uint8)))
            if source.weight is not None:
                options["weight"] = checked_number("weight", source.weight)
            paths.append(f"array {number}" if isinstance(source.path, np.ndarray) else os.fspath(source.path))
            # The path is given beside the plan: it need not be Unicode text.
            sources.append({**options, "path": ""})
        plan = {**self._plan, "sources": sources, "batch": self.batch_size, "rank": self.rank, "world": self.world}
        plan = {name: value for name, value in plan.items() if value is not None}
        try:
            text = json.dumps(plan, default=_plain, allow_nan=False)
            self._loader = _native.Loader(text, paths, arrays, self._progress)
        except LoaderError as error:
            # The plan's text is ours: its lines and columns say nothing.
            text = re.sub(r" at line 1 column \d+$", "", error.text.removeprefix("not a plan: "))
            raise LoaderError(error.kind, text) from None
        self._process = os.getpid()
        self._loader.set_epoch(self._epoch)

    def _native_loader(self) -> _native.Loader:
        if self._process != os.getpid():
            # The threads are in the parent: a child after a fork begins the epoch with its own.
            self._open()
        return self._loader

    def __getstate__(self) -> Dict[str, Any]:
        own = {name: value for name, value in self.__dict__.items() if name not in ("_loader", "_process")}
        return {**own, "state": self._native_loader().state()}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        place = state.pop("state")
        self.__dict__.update(state)
        self._open()
        self._loader.resume(place)

    @property
    def records(self) -> int:
        """The number of records of all sources. Raises `TypeError` if it is not known without reading them."""
        counts = [source["records"] for source in self.state_dict()["sources"]]
        if None in counts:
            raise TypeError("the number of records is not known before the files are read")
        return sum(counts)

    @property
    def epoch(self) -> int:
        """The epoch that the next loop iterates over, from 0."""
        if self._process == os.getpid():
            self._epoch = self._loader.epoch
        return self._epoch

    @property
    def left_out(self) -> Tuple[int, int]:
        """The records that were left out so far: those without both kings, and bad ones."""
        return self._native_loader().left_out

    def set_epoch(self, epoch: int) -> None:
        """Start an epoch, given by its number from 0. A loop that is under way is over."""
        self._epoch = epoch = checked_number("epoch", epoch)
        self._loop = None
        self.places_set += 1
        self.is_resumed = False
        if self._process == os.getpid():
            self._loader.set_epoch(epoch)

    def __len__(self) -> int:
        """Return the number of batches per epoch. Raises `TypeError` if it depends on what the files hold."""
        batches = self._native_loader().batches
        if batches is None:
            raise TypeError("the number of batches is not known before the files are read")
        return batches

    def __bool__(self) -> bool:
        return True

    def state_dict(self) -> Dict[str, Any]:
        """Return the state from which `load_state_dict` resumes after the last batch returned."""
        state: Dict[str, Any] = json.loads(self._native_loader().state())
        return state

    def load_state_dict(self, state: Dict[str, Any]) -> None:
        """Resume from the state of another `Batches` with the same files and order."""
        self._native_loader().resume(json.dumps(state))
        self._epoch, self._loop = self._loader.epoch, None
        self.places_set += 1
        self.is_resumed = self.state_dict()["step"] > 0

    def shard(self, index: int, count: int) -> "LoadedBatches":
        """Return the batches for worker ``index`` of the ``count`` workers of this rank. ``streams`` must be a multiple of all."""
        if self.is_resumed:
            raise RuntimeError(
                "batches that go on in the middle of an epoch cannot be divided among workers: take num_workers=0, or resume the "
                "loader of the workers (StatefulDataLoader of torchdata)"
            )
        part: LoadedBatches = object.__new__(type(self))
        part.__dict__.update({name: value for name, value in self.__dict__.items() if name not in ("_loader", "_process")})
        part.rank, part.world = self.rank * count + index, self.world * count
        part._epoch = self.epoch
        part._open()
        return part

    def __iter__(self) -> Iterator[Any]:
        self._loop = loop = object()
        loader, process = self._native_loader(), self._process
        asks = any(self._plan[name] is not None for name in ("features", "buckets", "targets", "policy", "planes"))
        while True:
            check_process(process)
            self._check_loop(loop)
            # A batch whose transform fails has not been returned: the loader goes back.
            before = None if self._options["transform"] is None else loader.state()
            made = loader.next()
            if made is None:
                self._epoch = loader.epoch
                self.is_resumed = False
                return
            made["records"] = made["records"].view(PackedSfenValue)
            if self._plan["planes"] == "f16":
                made["features1"], made["features2"] = made["features1"].view(np.float16), made["features2"].view(np.float16)
            batch = Batch(**made)
            item: Any = batch if asks else batch.records
            try:
                # Ranks have batches of equal numbers.
                item = self._transformed(item, batch.epoch, batch.step * self.world + self.rank)
            except BaseException:
                if before is not None:
                    loader.resume(before)
                raise
            yield item


def merge_states(states: Iterable[Dict[str, Any]]) -> Dict[str, Any]:
    """Merge the states of all ranks after one step to one from which any number of ranks resumes, also with weighted sources.

    Raises:
        LoaderError: A state is none of a loader, or they are of different batches or steps.
    """
    merged: Dict[str, Any] = json.loads(_native.merge_states([json.dumps(state) for state in states]))
    return merged


def _weighted(sources: List[Source], weights: Optional[Sequence[int]]) -> List[Source]:
    """Return sources with their weights."""
    if weights is None:
        return sources
    if len(weights) != len(sources):
        raise ValueError(f"{len(weights)} weights for {len(sources)} sources")
    if any(source.weight is not None for source in sources):
        raise ValueError("weights= are given for sources that have a weight")
    return [source._replace(weight=weight) for source, weight in zip(sources, weights)]


def _plain(value: Any) -> Any:
    """Return a number or an array of NumPy as one of Python."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise ValueError(f"an option has numbers, texts and lists of them, not {value!r}")


def _rule(rule: Any) -> Dict[str, Any]:
    """Return a rule of ``keep`` as JSON: (condition, chance), (number, points), or either with a weight."""
    if not isinstance(rule, (tuple, list)) or len(rule) not in (2, 3):
        raise ValueError(f"a rule of keep is (condition, chance) or (number, [(x, chance), …]), with a weight if wanted, not {rule!r}")
    name, chance = rule[:2]
    made = {"by": name, "points": list(chance)} if isinstance(chance, (tuple, list, np.ndarray)) else {"if": name, "chance": chance}
    return {**made, "weight": rule[2]} if len(rule) == 3 else made
