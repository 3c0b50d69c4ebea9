"""Positions that are not in a NumPy array: bytes, and columns of Arrow."""

from __future__ import annotations

from typing import Any, Optional, Protocol, Union

import numpy as np
from numpy.typing import NDArray


class ArrowArray(Protocol):
    """An array of Arrow."""

    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> Any: ...


class ArrowStream(Protocol):
    """A column of Arrow in several arrays."""

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> Any: ...


#: Positions as given by the caller.
Positions = Union[NDArray[Any], bytes, bytearray, memoryview, ArrowArray, ArrowStream]


def check_array(array: Any, name: str = "positions") -> None:
    """Refuse subclasses of arrays whose bytes do not say what they mean."""
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError(f"{name}: a masked array, whose mask would be ignored; give array.compressed(), or array.data for all")


def check_object(positions: Any) -> None:
    """Refuse what is not an array, bytes or a column of Arrow, and say what to give instead."""
    if isinstance(positions, np.void):
        raise ValueError("positions are an array, not one record of it; give records[:1] for one, or komabako.Position(record)")
    if isinstance(positions, (str, list, tuple)):
        raise ValueError(
            f"positions are an array, bytes or an Arrow array, not {type(positions).__name__}; "
            "komabako.from_sfen packs texts, and numpy.concatenate joins records"
        )
    if positions is None or isinstance(positions, (int, float)):
        raise ValueError(f"positions are an array, bytes or an Arrow array, not {positions}")


def rows(positions: Any, size: int) -> NDArray[np.uint8]:
    """Return the bytes of positions as u1[n,size], without a copy."""
    if hasattr(positions, "__arrow_c_array__") or hasattr(positions, "__arrow_c_stream__"):
        return fixed_size_rows(positions, size)
    try:
        array = np.asarray(memoryview(positions).cast("B"))
    except TypeError:
        raise ValueError(
            f"positions are an array, bytes or an Arrow array, not {type(positions).__name__}"
        ) from None
    if len(array) % size:
        raise ValueError(f"{len(array)} bytes are not a whole number of positions of {size}")
    return array.reshape(-1, size)


def fixed_size_rows(array: Any, size: int) -> NDArray[np.uint8]:
    """Return the bytes of an Arrow array, or a stream of arrays, of binary values of one size as u1[n,size].

    Nothing is copied, except to join the arrays of a stream, and values of the type ``binary_view``.
    """
    import pyarrow as pa

    if not hasattr(array, "__arrow_c_array__"):
        stream = pa.chunked_array(array)
        parts = [fixed_size_rows(part, size) for part in stream.chunks or [pa.array([], stream.type)]]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
    column = pa.array(array)
    if column.null_count:
        raise ValueError("the Arrow array has nulls")
    kind = column.type
    if pa.types.is_binary_view(kind):
        # Polars exports columns in this type, whose values need not be consecutive.
        column, kind = column.cast(pa.large_binary()), pa.large_binary()
    if pa.types.is_fixed_size_binary(kind) and kind.byte_width == size:
        data = column.buffers()[1]
        start = column.offset * size
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        wide = np.int64 if pa.types.is_large_binary(kind) else np.int32
        offsets = np.frombuffer(column.buffers()[1] or b"", wide)[column.offset :][: len(column) + 1]
        if len(column) and not (np.diff(offsets) == size).all():
            raise ValueError(f"the Arrow array has values that are not of {size} bytes")
        data = column.buffers()[2]
        start = int(offsets[0]) if len(column) else 0
    else:
        raise ValueError(f"an Arrow array of positions is binary of {size} bytes, not {kind}")
    if not len(column):
        return np.empty((0, size), np.uint8)
    return np.frombuffer(data, np.uint8, len(column) * size, start).reshape(-1, size)
