"""Ranges of records of files, for engines that distribute work."""

from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _stores
from ._options import checked_size
from .dtypes import Dtype
from .errors import FormatError
from .files import ArchiveRecords, PathLike, _list, records_in

__all__ = ["Split", "read_split", "splits"]


class Split(NamedTuple):
    """A range of consecutive records of a file."""

    path: str
    """The path or the URL."""
    first: int
    """The number of its first record, from 0."""
    length: int
    """The number of its records."""


def splits(paths: Union[PathLike, Sequence[PathLike]], count: int = 250_000, dtype: Optional[Dtype] = None) -> List[Split]:
    """Split files into ranges of records, for engines that distribute work.

    Archives (``.kmb``) are split between their blocks, of which each task decodes its own; a block that is larger than ``count`` is a
    split by itself.

    Parameters
    ----------
    paths
        Uncompressed files, archives, or URLs of object stores.
    count
        The most records of a split.
    dtype
        The dtype of the records; by default it follows from the extension.

    Returns
    -------
    list[Split]
        In the order of the files.

    Raises
    ------
    FormatError
        For a file that has no records of one size.

    Examples
    --------
    >>> import komabako, numpy, pathlib, tempfile
    >>> from komabako.splits import read_split, splits
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.psv")
    >>> numpy.zeros(5, komabako.PackedSfenValue).tofile(path)
    >>> [len(read_split(split)) for split in splits(path, 2)]
    [2, 2, 1]
    """
    count = checked_size(count, "count")
    made = []
    for path in _list(paths):
        records = records_in(path, dtype)
        length = len(records)
        ends = records.starts if isinstance(records, ArchiveRecords) else None
        first = 0
        while first < length:
            end = min(first + count, length)
            if ends is not None:
                # The last end of a block within the count, or else the first one.
                fitting = int(np.searchsorted(ends, end, "right")) - 1
                end = int(ends[fitting] if ends[fitting] > first else ends[fitting + 1])
            made.append(Split(os.fspath(path), first, end - first))
            first = end
    return made


def read_split(split: Split, dtype: Optional[Dtype] = None) -> Any:
    """Return the records of a split: mapped, decoded from an archive, or read from the object store.

    Parameters
    ----------
    split
        The split.
    dtype
        The dtype of the records; by default it follows from the extension.

    Returns
    -------
    NDArray
        Records.

    Raises
    ------
    FormatError
        For a file that has no records of one size, or has become shorter than the split.

    Examples
    --------
    See `splits`.
    """
    records = records_in(split.path, dtype)[split.first : split.first + split.length]
    if len(records) != split.length:
        name = _stores.name_of(split.path) if _stores.is_url(split.path) else split.path
        raise FormatError(name, "tail", f"{name}: the file has become shorter")
    return records
