"""Records on a Ray cluster: `pip install komabako[ray]`.

For data that lies in a cluster already, or exceeds one disk; a single machine is faster with the program. Datasets have the columns
``number`` (the number of the record in the order of the inputs) and ``record`` (its bytes). Results are the program's.

>>> import komabako.ray as kr                                                   # doctest: +SKIP
>>> records = kr.records(["a.psv", "b.psv"])                                    # doctest: +SKIP
>>> kr.validate(records, komabako.PackedSfenValue)                              # doctest: +SKIP
>>> kr.write(kr.shuffle(records, seed=7), "out", komabako.PackedSfenValue)      # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

import ray.data

from . import _tables
from .dtypes import Dtype
from .errors import Fault
from .files import PathLike

__all__ = ["dedup", "map_records", "records", "shuffle", "validate", "write"]


def records(paths: Any, count: int = 250_000, dtype: Optional[Dtype] = None) -> Any:
    """The records of uncompressed files, read by tasks of ``count`` records at most. Every node must see the files, which may be
    URLs of an object store."""
    table, kind = _tables.numbered_splits(paths, count, dtype)
    blocks = [table.slice(index, 1) for index in range(len(table))] or [table]
    return _mapped(ray.data.from_arrow(blocks), _tables.read, dtype=kind)


def map_records(dataset: Any, dtype: Dtype, function: Callable[[Any], Any]) -> Any:
    """What a function makes of arrays of the records: a dict of arrays with a row for each, such as features and labels."""

    def apply(table: Any) -> Any:
        return function(_tables.records_of(table, dtype))

    return dataset.map_batches(apply, batch_format="pyarrow")


def validate(dataset: Any, dtype: Dtype, level: str = "legality") -> Dict[Fault, int]:
    """How many records have which fault (`komabako.validate`); ``Fault.GOOD`` counts the good ones."""
    return _tables.sum_faults(_mapped(dataset, _tables.count_faults, dtype=dtype, level=level).iter_rows())


def dedup(
    dataset: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16
) -> Any:
    """Of records that are the same by position, or byte by byte, the first in the order of the inputs: what `komabako dedup` keeps.

    ``parts`` tables are compared, each in the memory of one task. The column ``part`` has the number of
    the table. ``on_error="skip"`` leaves records out whose positions do not decode.
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = _mapped(dataset, _tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts)
    return _grouped(dealt, parts, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(dataset: Any, seed: int, *, parts: int = 16) -> Any:
    """The records in the order in which `komabako shuffle --seed` writes them: by the columns ``part`` and ``place``.

    Of the survivors of `dedup`, whose numbers have gaps, an order as uniform, but not the program's.
    """
    _tables.check_parts(parts)
    dealt = _mapped(dataset, _tables.deal_by_bucket, seed=seed, parts=parts)
    return _grouped(dealt, parts, _tables.in_shuffled_order, seed=seed)


def write(dataset: Any, directory: PathLike, dtype: Dtype) -> List[str]:
    """Writes the parts of a `dedup` or `shuffle` as files of a directory that all nodes share, or below a URL of an
    object store, and returns their paths in order."""
    target = _tables.made_directory(directory)
    written = dataset.groupby("part").map_groups(
        _tables.write_parts, batch_format="pyarrow", fn_kwargs={"directory": target, "dtype": dtype}
    )
    return [row["path"] for row in sorted(written.iter_rows(), key=lambda row: int(row["part"]))]


def _mapped(dataset: Any, function: Callable[..., Any], **arguments: Any) -> Any:
    # Whole blocks: tasks are cut by `records` already.
    return dataset.map_batches(function, batch_size=None, batch_format="pyarrow", fn_kwargs=arguments)


def _grouped(dataset: Any, parts: int, function: Callable[..., Any], **arguments: Any) -> Any:
    grouped = dataset.groupby("part", num_partitions=parts)
    return grouped.map_groups(function, batch_format="pyarrow", fn_kwargs=arguments)
