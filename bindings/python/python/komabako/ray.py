"""Records on a Ray cluster: `pip install "./bindings/python[ray]"` from a clone.

For data that is in a cluster already or exceeds one disk; on a single machine the program is faster. Datasets have the columns
``number`` (the number of the record in the order of the inputs) and ``record`` (its bytes). Results are the same as the program's.

>>> import komabako.ray as kr                                                   # doctest: +SKIP
>>> records = kr.records(["a.psv", "b.psv"])                                    # doctest: +SKIP
>>> kr.validate(records, komabako.PackedSfenValue)                              # doctest: +SKIP
>>> kr.write(kr.shuffle(records, seed=7), "out", komabako.PackedSfenValue)      # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

import ray.data

from . import _tables
from ._options import Level
from .dtypes import Dtype
from .errors import Fault
from .files import PathLike

__all__ = ["dedup", "keys", "map_records", "records", "shuffle", "validate", "write"]


def records(paths: Any, count: int = 250_000, dtype: Optional[Dtype] = None) -> Any:
    """Read the records of uncompressed files and archives (``.kmb``), in tasks of at most ``count`` records.

    Parameters
    ----------
    paths
        A file or a list of them, to which every node must have access. They may be URLs of an object store.
    count
        The most records of a task.
    dtype
        The dtype of the records; by default it follows from the extension.

    Returns
    -------
    ray.data.Dataset
        The columns ``number`` and ``record``.

    Raises
    ------
    FormatError
        For a file that cannot be read by parts.

    Examples
    --------
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    """
    table, kind = _tables.numbered_splits(paths, count, dtype)
    blocks = [table.slice(index, 1) for index in range(len(table))] or [table]
    return _mapped(ray.data.from_arrow(blocks), _tables.read, dtype=kind)


def map_records(dataset: Any, dtype: Dtype, function: Callable[[Any], Any]) -> Any:
    """Apply a function to arrays of records.

    Parameters
    ----------
    dataset
        What `records` returned.
    dtype
        The dtype of the records.
    function
        Takes an array of records, and returns a dict of arrays, a row per record, such as features and labels.

    Returns
    -------
    ray.data.Dataset
        The columns of the dict.

    Raises
    ------
    ValueError
        For a dtype that is not the records'.

    Examples
    --------
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> labels = kr.map_records(records, komabako.PackedSfenValue, lambda part: {"label": komabako.labels(part)})  # doctest: +SKIP
    """

    def apply(table: Any) -> Any:
        return function(_tables.records_of(table, dtype))

    return dataset.map_batches(apply, batch_format="pyarrow")


def validate(dataset: Any, dtype: Dtype, level: Level = "legality") -> Dict[Fault, int]:
    """Count records by fault, as `komabako.validate` finds it.

    Parameters
    ----------
    dataset
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
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> kr.validate(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    return _tables.sum_faults(_mapped(dataset, _tables.count_faults, dtype=dtype, level=level).iter_rows())


def keys(dataset: Any, dtype: Dtype) -> Any:
    """Compute the keys of positions, to join tables on.

    Parameters
    ----------
    dataset
        What `records` returned.
    dtype
        The dtype of the records.

    Returns
    -------
    ray.data.Dataset
        The columns ``number``, and ``k0`` and ``k1`` (`komabako.key128` as i64).

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> keys = kr.keys(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    return _mapped(dataset, _tables.keys, dtype=dtype)


def dedup(
    dataset: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16
) -> Any:
    """Keep the first of equal records in the order of the inputs, as `komabako dedup` does.

    Parameters
    ----------
    dataset
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
    ray.data.Dataset
        The records, with the column ``part``, the number of the table.

    Raises
    ------
    DecodeError
        For a position that does not decode.
    ValueError
        For an option that has no such value.

    Examples
    --------
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> kept = kr.dedup(records, komabako.PackedSfenValue)  # doctest: +SKIP
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = _mapped(dataset, _tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts)
    return _grouped(dealt, parts, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(dataset: Any, seed: int, *, parts: int = 16) -> Any:
    """Shuffle records into the order of `komabako shuffle --seed`, given by the columns ``part`` and ``place``.

    For the output of `dedup`, whose numbers have gaps, the order is equally uniform but not the program's.

    Parameters
    ----------
    dataset
        What `records` or `dedup` returned.
    seed
        The seed of the program's option.
    parts
        The number of tables into which the records are divided. Each must fit the memory of one task.

    Returns
    -------
    ray.data.Dataset
        The records, with ``part`` and ``place``.

    Raises
    ------
    ValueError
        For a number of parts below 1.

    Examples
    --------
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> shuffled = kr.shuffle(records, seed=7)  # doctest: +SKIP
    """
    _tables.check_parts(parts)
    dealt = _mapped(dataset, _tables.deal_by_bucket, seed=seed, parts=parts)
    return _grouped(dealt, parts, _tables.in_shuffled_order, seed=seed)


def write(dataset: Any, directory: PathLike, dtype: Dtype, *, force: bool = False) -> List[str]:
    """Write the parts of a `dedup` or `shuffle` as files.

    Parameters
    ----------
    dataset
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
    >>> import komabako.ray as kr  # doctest: +SKIP
    >>> records = kr.records(["a.psv", "b.psv"])  # doctest: +SKIP
    >>> paths = kr.write(kr.shuffle(records, seed=7), "out", komabako.PackedSfenValue)  # doctest: +SKIP
    """
    target = _tables.made_directory(directory, force)
    written = dataset.groupby("part").map_groups(
        _tables.write_parts, batch_format="pyarrow", fn_kwargs={"directory": target, "dtype": dtype}
    )
    return [row["path"] for row in sorted(written.iter_rows(), key=lambda row: int(row["part"]))]


def _mapped(dataset: Any, function: Callable[..., Any], **arguments: Any) -> Any:
    # Whole blocks: `records` has divided the data into tasks already.
    return dataset.map_batches(function, batch_size=None, batch_format="pyarrow", fn_kwargs=arguments)


def _grouped(dataset: Any, parts: int, function: Callable[..., Any], **arguments: Any) -> Any:
    grouped = dataset.groupby("part", num_partitions=parts)
    return grouped.map_groups(function, batch_format="pyarrow", fn_kwargs=arguments)
