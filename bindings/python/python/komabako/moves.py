"""Moves in 16 bits, in the encodings A (YaneuraOu; PSV), B (rshogi before 2026) and C (Apery and cshogi; hcpe)."""

from __future__ import annotations

from typing import Any, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions


def move16(
    moves: Any, from_: str = "A", to: str = "C", *, out: Optional[NDArray[np.uint16]] = None, on_error: str = "raise"
) -> Any:
    """Convert moves from one encoding to another. Returns u2[n].

    Examples
    --------
    >>> import komabako
    >>> [hex(move) for move in komabako.move16([0xA30A, 0x40A8], "A", "C").tolist()]
    ['0x630a', '0x28a8']
    """
    return _native.convert_moves(moves, from_, to, out, on_error)


def moves_to_usi(moves: Any, encoding: str = "A", *, on_error: str = "raise") -> Any:
    """Convert moves to USI texts, ``list[str]``.

    Special moves are ``none``, ``null``, ``resign`` or ``win``. With ``on_error="mask"`` the texts of bad moves are empty.

    Examples
    --------
    >>> import komabako
    >>> komabako.moves_to_usi([0x1E3B, 0x630A], "C")
    ['7g7f', '8h2b+']
    """
    return _native.moves_to_usi(moves, encoding, on_error)


def moves_from_usi(
    texts: Iterable[str], encoding: str = "A", *, out: Optional[NDArray[np.uint16]] = None, on_error: str = "raise"
) -> Any:
    """Convert USI texts to moves. Returns u2[n]."""
    return _native.moves_from_usi(texts, encoding, out, on_error)


def is_legal(
    positions: Positions,
    moves: Any = None,
    encoding: Optional[str] = None,
    *,
    codec: Optional[str] = None,
    out: Optional[NDArray[np.bool_]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Test whether each move is a legal move of a piece. Returns bool[n]. Without ``moves`` the records' own moves are tested."""
    return _native.is_legal(positions, moves, encoding, codec, out, on_error, threads)


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
