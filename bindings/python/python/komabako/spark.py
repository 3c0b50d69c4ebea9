"""Records on a Spark cluster: `pip install komabako[spark]`, and a JRE.

For data that lies in a cluster already, or exceeds one disk; a single machine is faster with the program. Data frames have the columns
``number`` (the number of the record in the order of the inputs) and ``record`` (its bytes). Results are the program's. The workers need
this package too (``PYSPARK_PYTHON``).

>>> import komabako.spark as ks                                                 # doctest: +SKIP
>>> records = ks.records(session, ["a.psv", "b.psv"])                           # doctest: +SKIP
>>> ks.validate(records, komabako.PackedSfenValue)                              # doctest: +SKIP
>>> ks.write(ks.shuffle(records, seed=7), "out", komabako.PackedSfenValue)      # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional

import pyarrow as pa

from . import _tables
from .dtypes import Dtype
from .errors import Fault
from .files import PathLike

__all__ = ["dedup", "map_records", "records", "shuffle", "validate", "write"]

_RECORDS = "number long, record binary"
_PARTS = "part int, number long, record binary"
_PLACED = "part int, place long, number long, record binary"


def records(session: Any, paths: Any, count: int = 250_000, dtype: Optional[Dtype] = None) -> Any:
    """The records of uncompressed files, read by tasks of ``count`` records at most. Every node must see the files, which may be
    URLs of an object store."""
    table, kind = _tables.numbered_splits(paths, count, dtype)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    schema = "path string, first long, length long, number long"
    # A slice for each split, so that each is a task of its own.
    of_splits = session.createDataFrame(session.sparkContext.parallelize(rows, max(len(rows), 1)), schema)
    return of_splits.mapInArrow(_each(_tables.read, dtype=kind), _RECORDS)


def map_records(frame: Any, dtype: Dtype, function: Callable[[Any], Any], schema: str) -> Any:
    """What a function makes of arrays of the records: a dict of arrays with a row for each, of a schema of Spark."""

    def apply(table: Any) -> Any:
        return pa.table(function(_tables.records_of(table, dtype)))

    return frame.mapInArrow(_each(apply), schema)


def validate(frame: Any, dtype: Dtype, level: str = "legality") -> Dict[Fault, int]:
    """How many records have which fault (`komabako.validate`); ``Fault.GOOD`` counts the good ones."""
    counts = frame.mapInArrow(
        _each(_tables.count_faults, dtype=dtype, level=level), "fault long, records long"
    )
    return _tables.sum_faults(counts.toLocalIterator())


def dedup(frame: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16) -> Any:
    """Of records that are the same by position, or byte by byte, the first in the order of the inputs: what `komabako dedup` keeps.

    ``parts`` tables are compared, each in the memory of one task. The column ``part`` has the number of
    the table. ``on_error="skip"`` leaves records out whose positions do not decode.
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PARTS, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(frame: Any, seed: int, *, parts: int = 16) -> Any:
    """The records in the order in which `komabako shuffle --seed` writes them: by the columns ``part`` and ``place``.

    Of the survivors of `dedup`, whose numbers have gaps, an order as uniform, but not the program's.
    """
    _tables.check_parts(parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_bucket, seed=seed, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PLACED, _tables.in_shuffled_order, seed=seed)


def write(frame: Any, directory: PathLike, dtype: Dtype) -> List[str]:
    """Writes the parts of a `dedup` or `shuffle` as files of a directory that all nodes share, or below a URL of an
    object store, and returns their paths in order."""
    target = _tables.made_directory(directory)
    function = _all(_tables.write_parts, directory=target, dtype=dtype)
    written = frame.mapInArrow(function, "part int, path string, records long")
    rows = written.collect()
    files = {int(row["part"]): row["path"] for row in rows}
    # The partitions of those are their parts already, unless they were cut anew.
    if len(files) < len(rows):
        raise ValueError("a part lies in two partitions: write what dedup or shuffle returned, or repartition it by part")
    return [files[part] for part in sorted(files)]


def _each(function: Callable[..., Any], **arguments: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Applies a function of a table to each batch of a partition."""

    def apply(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from function(pa.Table.from_batches([batch]), **arguments).to_batches()

    return apply


def _all(function: Callable[..., Any], **arguments: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Applies it to all batches of a partition as one table."""

    def apply(batches: Iterator[Any]) -> Iterator[Any]:
        waiting = list(batches)
        if waiting:
            yield from function(pa.Table.from_batches(waiting), **arguments).to_batches()

    return apply


def _grouped(frame: Any, parts: int, schema: str, function: Callable[..., Any], **arguments: Any) -> Any:
    """Applies a function to tables that each have all rows of some parts."""
    return frame.repartition(parts, "part").mapInArrow(_all(function, **arguments), schema)
