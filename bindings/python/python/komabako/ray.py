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

    Every node must have access to the files, which may be URLs of an object store.
    """
    table, kind = _tables.numbered_splits(paths, count, dtype)
    blocks = [table.slice(index, 1) for index in range(len(table))] or [table]
    return _mapped(ray.data.from_arrow(blocks), _tables.read, dtype=kind)


def map_records(dataset: Any, dtype: Dtype, function: Callable[[Any], Any]) -> Any:
    """Apply a function to arrays of records. It returns a dict of arrays, a row per record, such as features and labels."""

    def apply(table: Any) -> Any:
        return function(_tables.records_of(table, dtype))

    return dataset.map_batches(apply, batch_format="pyarrow")


def validate(dataset: Any, dtype: Dtype, level: Level = "legality") -> Dict[Fault, int]:
    """Count records by fault (`komabako.validate`); ``Fault.GOOD`` counts the good ones."""
    return _tables.sum_faults(_mapped(dataset, _tables.count_faults, dtype=dtype, level=level).iter_rows())


def keys(dataset: Any, dtype: Dtype) -> Any:
    """Compute the keys of positions, to join tables on: the columns ``number``, and ``k0`` and ``k1`` (`komabako.key128` as i64)."""
    return _mapped(dataset, _tables.keys, dtype=dtype)


def dedup(
    dataset: Any, dtype: Dtype, by: str = "position", *, on_error: str = "raise", parts: int = 16
) -> Any:
    """Keep the first of equal records in the order of the inputs, as `komabako dedup` does.

    Records are equal if their positions are, or with ``by="record"`` if all bytes are. The records are divided into ``parts``
    tables, each of which must fit the memory of one task; the column ``part`` is the number of the table. ``on_error="skip"``
    leaves out records whose positions do not decode.
    """
    _tables.check_dedup(by, on_error, parts)
    dealt = _mapped(dataset, _tables.deal_by_key, dtype=dtype, on_error=on_error, parts=parts)
    return _grouped(dealt, parts, _tables.first_of_each, dtype=dtype, by=by)


def shuffle(dataset: Any, seed: int, *, parts: int = 16) -> Any:
    """Shuffle records into the order of `komabako shuffle --seed`, given by the columns ``part`` and ``place``.

    For the output of `dedup`, whose numbers have gaps, the order is equally uniform but not the program's.
    """
    _tables.check_parts(parts)
    dealt = _mapped(dataset, _tables.deal_by_bucket, seed=seed, parts=parts)
    return _grouped(dealt, parts, _tables.in_shuffled_order, seed=seed)


def write(dataset: Any, directory: PathLike, dtype: Dtype, *, force: bool = False) -> List[str]:
    """Write the parts of a `dedup` or `shuffle` as files, and return their paths in order.

    ``directory`` is shared by all nodes, or is a URL of an object store. One that has parts already is refused unless ``force`` is
    set; then parts of the same numbers are replaced, and other files stay.
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
