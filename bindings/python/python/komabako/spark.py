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

    Parameters
    ----------
    session
        The session of Spark.
    paths
        A file or a list of them, to which every node must have access. They may be URLs of an object store.
    count
        The most records of a task.
    dtype
        The dtype of the records; by default it follows from the extension.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``number`` and ``record``.

    Raises
    ------
    FormatError
        For a file that cannot be read by parts.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    """
    table, kind = _tables.numbered_splits(paths, count, dtype)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    schema = "path string, first long, length long, number long"
    # One slice per split, so that each split is a task of its own.
    of_splits = session.createDataFrame(session.sparkContext.parallelize(rows, max(len(rows), 1)), schema)
    return of_splits.mapInArrow(_each(_tables.read, dtype=kind), _RECORDS)


def map_records(frame: Any, dtype: Dtype, function: Callable[[Any], Any], schema: str) -> Any:
    """Apply a function to arrays of records.

    Parameters
    ----------
    frame
        What `records` returned.
    dtype
        The dtype of the records.
    function
        Takes an array of records, and returns a dict of arrays, a row per record, such as features and labels.
    schema
        The Spark schema of the dict.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns of the dict.

    Raises
    ------
    ValueError
        For a dtype that is not the records'.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> labels = ks.map_records(records, komabako.PackedSfenValue, lambda part: {"label": komabako.labels(part)}, "label long")  # doctest: +SKIP
    """

    def apply(table: Any) -> Any:
        return pa.table(function(_tables.records_of(table, dtype)))

    return frame.mapInArrow(_each(apply), schema)


def validate(frame: Any, dtype: Dtype, level: Level = "legality") -> Dict[Fault, int]:
    """Count records by fault, as `komabako.validate` finds it.

    Parameters
    ----------
    frame
        What `records` returned.
    dtype
        The dtype of the records.
    level
        ``"codec"``, ``"inventory"`` or ``"legality"``.

    Returns
    -------
    dict[Fault, int]
        ``Fault.GOOD`` counts the good ones.

    Raises
    ------
    ValueError
        For a level that does not exist.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> ks.validate(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    counts = frame.mapInArrow(
        _each(_tables.count_faults, dtype=dtype, level=level), "fault long, records long"
    )
    return _tables.sum_faults(counts.toLocalIterator())


def keys(frame: Any, dtype: Dtype) -> Any:
    """Compute the keys of positions, to join tables on.

    Parameters
    ----------
    frame
        What `records` returned.
    dtype
        The dtype of the records.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns ``number``, and ``k0`` and ``k1`` (`komabako.key128` as i64).

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> keys = ks.keys(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    return frame.mapInArrow(_each(_tables.keys, dtype=dtype), "number long, k0 long, k1 long")


def dedup(frame: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16) -> Any:
    """Keep the first of equal records in the order of the inputs, as `komabako dedup` does.

    Parameters
    ----------
    frame
        What `records` returned.
    dtype
        The dtype of the records.
    by
        ``"position"``: records are equal if their positions are. ``"record"``: if all bytes are.
    on_error
        ``"raise"``, or ``"skip"`` to leave out records whose positions do not decode.
    parts
        The number of tables into which the records are divided. Each must fit the memory of one task.

    Returns
    -------
    pyspark.sql.DataFrame
        The records, with the column ``part``, the number of the table.

    Raises
    ------
    DecodeError
        For a position that does not decode.
    ValueError
        For an option that has no such value.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> kept = ks.dedup(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PARTS, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(frame: Any, seed: int, *, parts: int = 16) -> Any:
    """Shuffle records into the order of `komabako shuffle --seed`, given by the columns ``part`` and ``place``.

    For the output of `dedup`, whose numbers have gaps, the order is equally uniform but not the program's.

    Parameters
    ----------
    frame
        What `records` or `dedup` returned.
    seed
        The seed of the program's option.
    parts
        The number of tables into which the records are divided. Each must fit the memory of one task.

    Returns
    -------
    pyspark.sql.DataFrame
        The records, with ``part`` and ``place``.

    Raises
    ------
    ValueError
        For a number of parts below 1.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> shuffled = ks.shuffle(records, seed=7)  # doctest: +SKIP
    """
    _tables.check_parts(parts)
    dealt = frame.mapInArrow(_each(_tables.deal_by_bucket, seed=seed, parts=parts), _PARTS)
    return _grouped(dealt, parts, _PLACED, _tables.in_shuffled_order, seed=seed)


def write(frame: Any, directory: PathLike, dtype: Dtype, *, force: bool = False) -> List[str]:
    """Write the parts of a `dedup` or `shuffle` as files.

    Parameters
    ----------
    frame
        What `dedup` or `shuffle` returned.
    directory
        A directory that all nodes share, or a URL of an object store.
    dtype
        The dtype of the records.
    force
        Take a directory that has parts already: those of the same numbers are replaced, and other files stay.

    Returns
    -------
    list[str]
        The paths of the parts, in order.

    Raises
    ------
    FormatError
        If the directory has parts.

    Examples
    --------
    >>> import komabako.spark as ks  # doctest: +SKIP
    >>> records = ks.records(session, ["a.psv", "b.psv"])  # doctest: +SKIP
    >>> paths = ks.write(ks.shuffle(records, seed=7), "out", komabako.PackedSfenValue)  # doctest: +SKIP
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
