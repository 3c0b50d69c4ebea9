"""Records of arrays and files, one after the other, in groups of equal numbers."""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Union

import numpy as np

from . import _native, _stores
from .dtypes import layout_of
from .errors import DecodeError, EncodeError
from .files import records_in
from .streams import RecordFile


class Piece(NamedTuple):
    """Consecutive records of an input."""

    records: Any
    #: The name of the input, or None if it is an array and the only one.
    name: Optional[str]
    #: The number of the first record in the input.
    first: int


def groups(inputs: Any, rows: int) -> Iterator[List[Piece]]:
    """Yield the records of all inputs in groups of ``rows``, at least one group."""
    waiting: List[Piece] = []
    count, done = 0, False
    start: Optional[Piece] = None
    for records, name, first in _pieces(inputs):
        empty = Piece(records[:0], name, first)
        start = start or empty
        # Refuses what is not records.
        _native.record_bytes(empty.records, None, "write_parquet")
        if layout_of(empty.records.dtype) != layout_of(start.records.dtype):
            raise ValueError(f"{name}: records of another dtype than those of {start.name}")
        for begin in range(0, len(records), rows):
            end = min(begin + rows, len(records))
            while begin < end:
                taken = min(rows - count, end - begin)
                waiting.append(Piece(records[begin : begin + taken], name, first + begin))
                count, begin = count + taken, begin + taken
                if count == rows:
                    yield waiting
                    waiting, count, done = [], 0, True
    if waiting:
        yield waiting
    elif not done:
        if start is None:
            raise ValueError("no inputs")
        yield [start]


def _pieces(inputs: Any) -> Iterator[Piece]:
    """Yield the records of each input, at least one piece of each."""
    is_one = isinstance(inputs, (str, os.PathLike, np.ndarray, RecordFile))
    items: Iterable[Any] = [inputs] if is_one else inputs
    for index, item in enumerate(items):
        if isinstance(item, np.ndarray):
            yield Piece(item, None if is_one else f"inputs[{index}]", 0)
        elif isinstance(item, RecordFile):
            # An empty file yields no batch.
            yield Piece(np.empty(0, item.dtype), item.path, 0)
            first = 0
            for batch in item:
                yield Piece(batch, item.path, first)
                first += len(batch)
        else:
            name = _stores.name_of(str(item)) if _stores.is_url(item) else os.fspath(item)
            yield Piece(records_in(item), name, 0)


def locate(error: Union[DecodeError, EncodeError], pieces: List[Piece], size: int) -> None:
    """Give an error the number that its record has in its input, and the name of the input."""
    start = 0
    for piece in pieces:
        if error.record < start + len(piece.records):
            break
        start += len(piece.records)
    moved = piece.first - start
    error.record, error.path = error.record + moved, piece.name
    if isinstance(error, DecodeError) and error.byte is not None:
        error.byte += moved * size
