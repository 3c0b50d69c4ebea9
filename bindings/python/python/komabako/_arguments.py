"""Checks and converts the arguments shared by the batch functions before they are passed to the native half."""

from __future__ import annotations

import operator
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from .dtypes import Layout, layout_of

Bytes = NDArray[np.uint8]
Faults = NDArray[np.uint8]
#: Positions as given by the caller.
Positions = Any

CODECS = _native.CODECS
"""The size of a word in bytes, by codec."""


#: The packing of each dtype and codec, for the fast path of small calls. A dtype not in it takes the slow path once.
KNOWN: Dict[Any, _native.Packing] = {}

#: The number of threads of the fast path, compared by identity: True and 1.0 are equal to it. Another object that is 1 takes the
#: general path.
ONE_THREAD = 1


def _know(dtype: Any, layout: Layout) -> None:
    # Programs have a handful of dtypes; the limit protects the memory from one that keeps creating new ones.
    if len(KNOWN) < 64:
        KNOWN[dtype] = _native.Packing(layout.codec, dtype.itemsize)


class Rows(NamedTuple):
    """Rows of bytes that start with a packed position."""

    bytes: Bytes
    codec: str
    layout: Optional[Layout]
    records: Optional[NDArray[Any]]


def word_size(codec: str) -> int:
    """Return the size of a packed position in bytes."""
    if codec not in CODECS:
        raise ValueError(f"codec {codec!r} is not known; the codecs are {', '.join(CODECS)}")
    return CODECS[codec]


KNOWN.update({codec: _native.Packing(codec, word_size(codec)) for codec in CODECS})


def rows(positions: Positions, codec: Optional[str] = None) -> Rows:
    """Return positions as rows of bytes, without a copy, for any stride."""
    array = positions if isinstance(positions, np.ndarray) else _from_buffer(positions, codec)
    if array.dtype.names is not None:
        layout = layout_of(array.dtype)
        if layout is None:
            raise ValueError(
                f"the dtype {array.dtype} is not one of komabako's; give the field of packed positions and codec="
            )
        if array.dtype not in KNOWN:
            _know(array.dtype, layout)
        if array.ndim != 1:
            raise ValueError(f"records must be an array of one dimension, not {array.ndim}")
        if codec is not None and codec != layout.codec and not (codec, layout.codec) == ("psv-lenient", "psv"):
            raise ValueError(f"codec {codec!r} was given for records of {layout.format}, which has {layout.codec!r}")
        # A last axis of one element can be viewed as bytes, whatever the strides of the other axes.
        return Rows(_aligned(array[:, np.newaxis].view(np.uint8)), codec or layout.codec, layout, array)
    if codec is None:
        raise ValueError("codec= is needed: only a structured array of a known dtype says how it is packed")
    size = word_size(codec)
    if array.dtype != np.uint8 or array.ndim != 2 or array.shape[1] != size:
        raise ValueError(f"positions of {codec} are an array u1[n,{size}], not {array.dtype}{list(array.shape)}")
    return Rows(array, codec, None, None)


def records(argument: Positions, what: str, codec: Optional[str] = None) -> Rows:
    """Return records as rows of bytes, for functions that need more than positions."""
    found = rows(argument, codec)
    if found.layout is None:
        raise ValueError(f"{what} needs records: a structured array such as komabako.PackedSfenValue")
    return found


def _aligned(array: NDArray[Any]) -> Bytes:
    result: Bytes = array
    return result


def _from_buffer(positions: Positions, codec: Optional[str]) -> NDArray[Any]:
    if codec is None:
        raise ValueError("codec= is needed: bytes do not say how they are packed")
    size = word_size(codec)
    if hasattr(positions, "__arrow_c_array__") or hasattr(positions, "__arrow_c_stream__"):
        from . import arrow

        return arrow.fixed_size_rows(positions, size)
    try:
        array = np.asarray(memoryview(positions).cast("B"))
    except TypeError:
        raise ValueError(
            f"positions are an array, bytes or an Arrow array, not {type(positions).__name__}"
        ) from None
    if len(array) % size:
        raise ValueError(f"{len(array)} bytes are not a whole number of positions of {size}")
    return array.reshape(-1, size)


def output(given: Any, shape: Tuple[int, ...], dtype: Any, name: str = "out") -> NDArray[Any]:
    """Return a new array, or the caller's if it can hold the result."""
    if given is None:
        return np.empty(shape, dtype)
    if not isinstance(given, np.ndarray):
        raise ValueError(f"{name} must be an array, not {type(given).__name__}")
    if given.shape != shape or given.dtype != np.dtype(dtype):
        raise ValueError(
            f"{name} must be {np.dtype(dtype)}{list(shape)}, not {given.dtype}{list(given.shape)}"
        )
    if not given.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous")
    if not given.flags.writeable:
        raise ValueError(f"{name} is read-only")
    if not given.flags.aligned:
        raise ValueError(f"{name} is not aligned")
    return given


def outputs(given: Any, names: Iterable[str]) -> List[Any]:
    """Return the caller's arrays for several results, or None for each."""
    names = list(names)
    if given is None:
        return [None] * len(names)
    arrays = list(given)
    if len(arrays) != len(names):
        raise ValueError(f"out must be {len(names)} arrays ({', '.join(names)}), not {len(arrays)}")
    return arrays


def separate(given: Any, *arrays: NDArray[Any]) -> None:
    """Raise `ValueError` if two of the arrays share memory. Only outputs ``given`` by the caller can."""
    if given is None:
        return
    for index, array in enumerate(arrays):
        for other in arrays[:index]:
            if array.size and other.size and np.may_share_memory(array, other):
                raise ValueError("an output shares its memory with an input or another output")


def mask(on_error: str, count: int) -> Optional[Faults]:
    """Return the array of faults for ``on_error="mask"``, or None for ``"raise"``."""
    if on_error == "mask":
        return np.empty(count, np.uint8)
    if on_error != "raise":
        raise ValueError(f'on_error is "raise" or "mask", not {on_error!r}')
    return None


def threads(count: Any) -> int:
    """Return a number of threads as an int, after checking it."""
    try:
        number = -1 if isinstance(count, (bool, np.bool_)) else operator.index(count)
    except TypeError:
        number = -1
    # More than 1024 gain nothing, and a wrong argument must not start a million threads.
    if not 0 <= number <= 1024:
        raise ValueError(f"threads is an integer from 0 (one a CPU) to 1024, not {count!r}")
    return number


def moves16(moves: Any, count: Optional[int] = None) -> NDArray[np.uint16]:
    """Return moves as a one-dimensional u2 array, without a copy if they have 16 bits."""
    array = np.asarray(moves)
    if array.ndim != 1 or (count is not None and len(array) != count):
        expected = "one dimension" if count is None else f"length {count}"
        raise ValueError(f"moves must be an array of {expected}, not of shape {list(array.shape)}")
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 2:
        if array.size:
            raise ValueError(f"moves must be of 16 bits, not {array.dtype}")
        return np.empty(0, np.uint16)
    if array.dtype.itemsize == 2 and array.dtype.isnative:
        aligned: NDArray[np.uint16] = np.require(array[:, np.newaxis].view(np.uint16)[:, 0], requirements="A")
        return aligned
    if array.size and (int(array.min()) < -(2**15) or int(array.max()) >= 2**16):
        raise ValueError("moves must be of 16 bits; one has more")
    return array.astype(np.uint16)


def readable(texts: List[str]) -> List[str]:
    """Replace what is not Unicode text (surrogates) by U+FFFD, which is in no SFEN or move, so that it is a fault of its record."""
    return [text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]


def with_faults(result: Any, faults: Optional[Faults]) -> Any:
    """Return ``result``, or ``(result, faults)`` if faults are marked."""
    return result if faults is None else (result, faults)


