"""Columns: files of numbers beside records, one for each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Mapping, Union

import numpy as np
from numpy.typing import NDArray

from .errors import FormatError

if TYPE_CHECKING:
    from .files import PathLike

#: The numbers of a column, by the extension of its file: little-endian.
_NUMBERS = {
    ".i8": "i1",
    ".u8": "u1",
    ".i16": "<i2",
    ".u16": "<u2",
    ".i32": "<i4",
    ".u32": "<u4",
    ".f32": "<f4",
    ".f64": "<f8",
}


class Columns:
    """Files of as many numbers as there are records, mapped, or arrays of them."""

    def __init__(self, given: Mapping[str, Union[PathLike, NDArray[Any]]], records: int) -> None:
        self._files = {name: _opened(column, records) for name, column in given.items()}

    def take(self, numbers: Any) -> Dict[str, Any]:
        """Return the numbers of some records, by the names of the columns."""
        return {name: file.take(numbers, axis=0) for name, file in self._files.items()}


def _opened(column: Union[PathLike, NDArray[Any]], records: int) -> Any:
    if isinstance(column, np.ndarray):
        if len(column) != records:
            raise ValueError(f"a column has {len(column)} rows, and there are {records} records")
        return column
    name = os.fspath(column)
    kind = _NUMBERS.get(Path(name).suffix.lower())
    if kind is None:
        raise FormatError(name, "format", f"{name}: a column's name ends in {', '.join(_NUMBERS)}")
    numbers = np.dtype(kind)
    size = os.path.getsize(name)
    if size != records * numbers.itemsize:
        raise FormatError(name, "size", f"{name}: {size} bytes, but {records} records need {numbers.itemsize} bytes each")
    # An empty file cannot be mapped.
    return np.memmap(name, numbers, "r") if records else np.empty(0, numbers)
