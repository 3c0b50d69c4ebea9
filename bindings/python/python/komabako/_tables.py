"""Functions on tables of records, shared by `komabako.ray` and `komabako.spark`.

A table of records has the columns ``number``, the number of the record in the order of the inputs, and ``record``, its bytes.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, Optional

import numpy as np
import pyarrow as pa

from . import _native, _stores
from ._whole import unfinished_file
from .arrow import _SKIP, _bytes_of
from ._options import Level
from .dtypes import Dtype, layout_of
from .errors import DecodeError, Fault, FormatError
from .files import _list, records_in
from .records import canonical, key64, key128, validate
from .splits import splits

#: Record numbers with gaps of at most this size draw their buckets in one call.
_GAP = 4096

#: The most bytes of records in one table.
_MOST_BYTES = 2**31 - 1


def numbered_splits(paths: Any, count: int, dtype: Optional[Dtype]) -> tuple[Any, Dtype]:
    """Return the splits of files as a table, with the number of each split's first record, and the dtype of the records."""
    paths = _list(paths)
    if not paths:
        raise ValueError("no files")
    kind = records_in(paths[0], dtype).dtype
    for path in paths:
        if records_in(path, dtype).dtype != kind:
            raise ValueError(f"{path}: records of another dtype than those of {paths[0]}")
    made = splits([absolute(path) for path in paths], count, kind)
    numbers = np.concatenate([[0], np.cumsum([split.length for split in made], dtype=np.int64)])[:-1]
    columns = {name: [getattr(split, name) for split in made] for name in ("path", "first", "length")}
    types = {"path": pa.string(), "first": pa.int64(), "length": pa.int64()}
    arrays = {name: pa.array(values, types[name]) for name, values in columns.items()}
    return pa.table({**arrays, "number": pa.array(numbers, pa.int64())}), kind


def absolute(path: Any) -> str:
    """Return a path that is valid in other processes."""
    return str(path) if _stores.is_url(path) else os.path.abspath(path)


def made_directory(path: Any, force: bool) -> str:
    """Create a directory if needed and return its path, valid in other processes. Stores have no directories.

    A directory that has parts is refused unless ``force`` is set. This is checked before the job, since a task that is repeated
    replaces its own part.
    """
    if _stores.is_url(path):
        name, found = _stores.name_of(path), _stores.names(path)
    else:
        os.makedirs(path, exist_ok=True)
        name, found = os.fspath(path), os.listdir(path)
    parts = sorted(entry for entry in found if re.fullmatch(r"part-\d{5,}\..+", entry))
    if parts and not force:
        raise FormatError(name, "exists", f"{name}: has {parts[0]} already; force=True replaces the parts that are written again")
    return absolute(path)


def table_of(numbers: Any, records: Any, **more: Any) -> Any:
    """Return a table of records, with further columns in front.

    The offsets of Arrow's ``binary`` have 31 bits. Larger ones would wrap, and rows would refer to the bytes of other rows.
    """
    size = records.dtype.itemsize
    if len(records) > _MOST_BYTES // size:
        raise ValueError(
            f"{len(records):,} records of {size} bytes are too many for one table, of 2 GiB at most: pass larger ``parts``"
        )
    data = pa.py_buffer(np.ascontiguousarray(records))
    offsets = pa.py_buffer(np.arange(len(records) + 1, dtype=np.int32) * np.int32(size))
    record = pa.Array.from_buffers(pa.binary(), len(records), [None, offsets, data])
    return pa.table({**more, "number": pa.array(numbers, pa.int64()), "record": record})


def records_of(table: Any, dtype: Dtype) -> Any:
    """Return the records of a table as an array."""
    return _bytes_of(table["record"], dtype.itemsize).reshape(-1).view(dtype)


def read(table: Any, dtype: Dtype) -> Any:
    """Read the records of a table of splits."""
    read = []
    for row in table.to_pylist():
        records = records_in(row["path"], dtype)[row["first"] : row["first"] + row["length"]]
        read.append(table_of(np.arange(row["number"], row["number"] + row["length"]), records))
    return pa.concat_tables(read) if read else table_of([], np.empty(0, dtype))


def count_faults(table: Any, dtype: Dtype, level: Level) -> Any:
    """Count records by fault; fault 0 counts the good ones."""
    counts = np.bincount(validate(records_of(table, dtype), level=level), minlength=256)
    found = np.flatnonzero(counts)
    return pa.table({"fault": pa.array(found, pa.int64()), "records": pa.array(counts[found], pa.int64())})


def sum_faults(rows: Iterable[Any]) -> Dict[Fault, int]:
    """Add up the counts of all tables."""
    total: Dict[Fault, int] = {}
    for row in rows:
        fault = Fault(row["fault"])
        total[fault] = total.get(fault, 0) + row["records"]
    return {fault: total[fault] for fault in sorted(total)}


@contextmanager
def _numbered(numbers: Any, advice: str) -> Iterator[None]:
    """Give a bad record its number in the order of the inputs instead of the one in a table."""
    try:
        yield
    except DecodeError as error:
        error.record, error.byte, error.advice = int(numbers[error.record]), None, advice
        raise


def keys(table: Any, dtype: Dtype) -> Any:
    """Return the keys of the positions, with the numbers of their records."""
    with _numbered(np.asarray(table["number"]), "`validate` counts all bad records, by fault"):
        columns = key128(records_of(table, dtype)).view(np.int64)
    return pa.table({"number": table["number"], "k0": columns[:, 0], "k1": columns[:, 1]})


def check_dedup(by: str, on_error: str, parts: int) -> None:
    if by not in ("position", "record"):
        raise ValueError(f'by is "position" or "record", not {by!r}')
    if on_error not in ("raise", "skip"):
        raise ValueError(f'on_error is "raise" or "skip", not {on_error!r}')
    check_parts(parts)


def check_parts(parts: int) -> None:
    if not 1 <= parts <= 1 << 16:
        raise ValueError(f"parts is a number from 1 to 65536, not {parts}")


def deal_by_key(table: Any, dtype: Dtype, on_error: str, parts: int) -> Any:
    """Add the column ``part``, derived from each record's position."""
    records, numbers = records_of(table, dtype), np.asarray(table["number"])
    if on_error == "skip":
        keys, faults = key64(records, on_error="mask")
        good = faults == 0
        keys, records, numbers = keys[good], records[good], numbers[good]
    else:
        with _numbered(numbers, _SKIP):
            keys = key64(records)
    return table_of(numbers, records, part=pa.array((keys % np.uint64(parts)).astype(np.int32)))


def first_of_each(table: Any, dtype: Dtype, by: str) -> Any:
    """Keep the record with the lowest number of each set of equal records, in the order of the numbers.

    All bytes are compared, not hashes.
    """
    records, numbers = records_of(table, dtype), np.asarray(table["number"])
    if by == "position":
        rows = canonical(records)
    else:
        rows = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), dtype.itemsize)
    words = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), np.uint8)
    words[:, : rows.shape[1]] = rows
    columns = {f"k{index}": column for index, column in enumerate(words.view(np.int64).T)}
    keyed = pa.table({**columns, "number": numbers})
    first = np.sort(np.asarray(keyed.group_by(list(columns)).aggregate([("number", "min")])["number_min"]))
    order = np.argsort(numbers)
    chosen = order[np.searchsorted(numbers, first, sorter=order)]
    return table_of(first, records[chosen], part=table["part"].take(pa.array(chosen)))


def buckets_of(numbers: Any, seed: int) -> Any:
    """Return the buckets that the records with these numbers draw in the program's shuffle."""
    order = np.argsort(numbers)
    ascending = np.asarray(numbers)[order]
    buckets = np.empty(len(ascending), np.uint16)
    for run in np.split(np.arange(len(ascending)), np.flatnonzero(np.diff(ascending) > _GAP) + 1):
        if len(run):
            first, last = int(ascending[run[0]]), int(ascending[run[-1]])
            drawn = np.empty(last - first + 1, np.uint16)
            _native.shuffle_buckets(seed, first, drawn)
            buckets[order[run]] = drawn[ascending[run] - first]
    return buckets


def deal_by_bucket(table: Any, seed: int, parts: int) -> Any:
    """Add the column ``part``: the part of the shuffled output that each record belongs to."""
    buckets = buckets_of(table["number"], seed)
    part = pa.array((buckets.astype(np.int64) * parts >> 16).astype(np.int32))
    return pa.table({"part": part, "number": table["number"], "record": table["record"]})


def in_shuffled_order(table: Any, seed: int) -> Any:
    """Sort all records of some parts into the order of the output and add their ``place``: engines guarantee no order of rows."""
    table = table.take(pa.array(np.argsort(np.asarray(table["number"]))))
    table = table.take(pa.array(_native.shuffle_order(seed, buckets_of(table["number"], seed))))
    place = pa.array(np.arange(len(table)), pa.int64())
    return pa.table({"part": table["part"], "place": place, "number": table["number"], "record": table["record"]})


def write_parts(table: Any, directory: str, dtype: Dtype) -> Any:
    """Write a file for each part in the table, complete or not at all. Returns a table of parts, paths and numbers of records."""
    layout = layout_of(dtype)
    if layout is None:
        raise ValueError("records are of one of the package's dtypes, such as komabako.PackedSfenValue")
    table = table.sort_by("place" if "place" in table.column_names else "number")
    paths, lengths, numbers = [], [], np.unique(np.asarray(table["part"]))
    for part in numbers:
        records = records_of(table.filter(pa.compute.equal(table["part"], int(part))), dtype)
        name = f"part-{part:05}.{layout.format}"
        if _stores.is_url(directory):
            path = _stores.joined(directory, name)
            with _stores.Upload(path) as local:
                records.tofile(local)
        else:
            path = os.path.join(directory, name)
            # The engine may repeat a task, which then replaces its own part.
            with unfinished_file(Path(path), force=True) as unfinished:
                records.tofile(unfinished)
        paths.append(path)
        lengths.append(len(records))
    return pa.table(
        {"part": pa.array(numbers, pa.int32()), "path": pa.array(paths, pa.string()), "records": pa.array(lengths, pa.int64())}
    )
