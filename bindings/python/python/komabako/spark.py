"""Records on a Spark cluster: `pip install "./bindings/python[spark]"` from a clone, and a JRE.

For data that is in a cluster already or exceeds one disk; on a single machine the program is faster. Data frames have the columns
``number`` (the number of the record in the order of the inputs) and ``record`` (its bytes). Results are the same as the program's.
The workers need this package too (``PYSPARK_PYTHON``).

>>> import komabako.spark as ks                                                 # doctest: +SKIP
>>> records = ks.records(session, ["a.psv", "b.psv"])                           # doctest: +SKIP
>>> ks.validate(records, komabako.PackedSfenValue)                              # doctest: +SKIP
>>> ks.write(ks.shuffle(records, seed=7), "out", komabako.PackedSfenValue)      # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional

import pyarrow as pa

from . import _tables
from ._options import Level
from .dtypes import Dtype
from .errors import Fault
from .files import PathLike

__all__ = ["dedup", "keys", "map_records", "records", "shuffle", "validate", "write"]

_RECORDS = "number long, record binary"
_PARTS = "part int, number long, record binary"
_PLACED = "part int, place long, number long, record binary"


def records(session: Any, paths: Any, count: int = 250_000, dtype: Optional[Dtype] = None) -> Any:
    """Read the records of uncompressed files and archives (``.kmb``), in tasks of at most ``count`` records.

    Every node must have access to the files, which may be URLs of an object store.
    """
    table, kind = _tables.numbered_splits(paths, count, dtype)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    schema = "path string, first long, length long, number long"
    # One slice per split, so that each split is a task of its own.
    of_splits = session.createDataFrame(session.sparkContext.parallelize(rows, max(len(rows), 1)), schema)
    return of_splits.mapInArrow(_each(_tables.read, dtype=kind), _RECORDS)


def map_records(frame: Any, dtype: Dtype, function: Callable[[Any], Any], schema: str) -> Any:
    """Apply a function to arrays of records. It returns a dict of arrays, a row per record, with the Spark schema ``schema``."""

    def apply(table: Any) -> Any:
        return pa.table(function(_tables.records_of(table, dtype)))

    return frame.mapInArrow(_each(apply), schema)


def validate(frame: Any, dtype: Dtype, level: Level = "legality") -> Dict[Fault, int]:
    """Count records by fault (`komabako.validate`); ``Fault.GOOD`` counts the good ones."""
    counts = frame.mapInArrow(
        _each(_tables.count_faults, dtype=dtype, level=level), "fault long, records long"
    )
    return _tables.sum_faults(counts.toLocalIterator())


def keys(frame: Any, dtype: Dtype) -> Any:
    """Compute the keys of positions, to join tables on: the columns ``number``, and ``k0`` and ``k1`` (`komabako.key128` as i64)."""
    return frame.mapInArrow(_each(_tables.keys, dtype=dtype), "number long, k0 long, k1 long")


def dedup(frame: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16) -> Any:
    """Keep the first of equal records in the order of the inputs, as `komabako dedup` does.

    Records are equal if their positions are, or with ``by="record"`` if all bytes are. The records are divided into ``parts``
    tables, each of which must fit the memory of one task; the column ``part`` is the number of the table. ``on_error="skip"``
    leaves out records whose positions do not decode.
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PARTS, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(frame: Any, seed: int, *, parts: int = 16) -> Any:
    """Shuffle records into the order of `komabako shuffle --seed`, given by the columns ``part`` and ``place``.

    For the output of `dedup`, whose numbers have gaps, the order is equally uniform but not the program's.
    """
    _tables.check_parts(parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_bucket, seed=seed, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PLACED, _tables.in_shuffled_order, seed=seed)


def write(frame: Any, directory: PathLike, dtype: Dtype, *, force: bool = False) -> List[str]:
    """Write the parts of a `dedup` or `shuffle` as files, and return their paths in order.

    ``directory`` is shared by all nodes, or is a URL of an object store. One that has parts already is refused unless ``force`` is
    set; then parts of the same numbers are replaced, and other files stay.
    """
    target = _tables.made_directory(directory, force)
    function = _all(_tables.write_parts, directory=target, dtype=dtype)
    written = frame.mapInArrow(function, "part int, path string, records long")
    rows = written.collect()
    files = {int(row["part"]): row["path"] for row in rows}
    # The partitions returned by dedup and shuffle are their parts, unless the frame was repartitioned.
    if len(files) < len(rows):
        raise ValueError("a part lies in two partitions: write what dedup or shuffle returned, or repartition it by part")
    return [files[part] for part in sorted(files)]


def _each(function: Callable[..., Any], **arguments: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function that applies ``function`` to each batch of a partition."""

    def apply(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield from function(pa.Table.from_batches([batch]), **arguments).to_batches()

    return apply


def _all(function: Callable[..., Any], **arguments: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function that applies ``function`` to all batches of a partition as one table."""

    def apply(batches: Iterator[Any]) -> Iterator[Any]:
        waiting = list(batches)
        if waiting:
            yield from function(pa.Table.from_batches(waiting), **arguments).to_batches()

    return apply


def _grouped(frame: Any, parts: int, schema: str, function: Callable[..., Any], **arguments: Any) -> Any:
    """Apply a function to tables that each contain all rows of some parts."""
    return frame.repartition(parts, "part").mapInArrow(_all(function, **arguments), schema)
