"""Moves in 16 bits, in the encodings A (YaneuraOu; PSV), B (rshogi before 2026) and C (Apery and cshogi; hcpe)."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from . import _arguments as arguments
from ._arguments import Positions, mask, moves16, output, readable, rows, separate, with_faults


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
    source = moves16(moves)
    made = output(out, source.shape, np.uint16)
    faults = mask(on_error, len(source))
    separate(out, source, made)
    _native.convert_moves(source, from_, to, made, faults)
    return with_faults(made, faults)


def moves_to_usi(moves: Any, encoding: str = "A", *, on_error: str = "raise") -> Any:
    """Convert moves to USI texts, ``list[str]``.

    Special moves are ``none``, ``null``, ``resign`` or ``win``. With ``on_error="mask"`` the texts of bad moves are empty.

    Examples
    --------
    >>> import komabako
    >>> komabako.moves_to_usi([0x1E3B, 0x630A], "C")
    ['7g7f', '8h2b+']
    """
    source = moves16(moves)
    faults = mask(on_error, len(source))
    return with_faults(_native.moves_to_usi(source, encoding, faults), faults)


def moves_from_usi(
    texts: Iterable[str], encoding: str = "A", *, out: Optional[NDArray[np.uint16]] = None, on_error: str = "raise"
) -> Any:
    """Convert USI texts to moves. Returns u2[n]."""
    if isinstance(texts, (str, bytes)):
        raise ValueError("moves_from_usi takes a sequence of texts, not one text")
    source: List[str] = list(texts)
    if not all(isinstance(text, str) for text in source):
        raise ValueError("moves must be str")
    made = output(out, (len(source),), np.uint16)
    faults = mask(on_error, len(source))
    try:
        _native.moves_from_usi(source, encoding, made, faults)
    except UnicodeEncodeError:
        _native.moves_from_usi(readable(source), encoding, made, faults)
    return with_faults(made, faults)


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
    source = rows(positions, codec)
    n = len(source.bytes)
    moves, encoding = moves_of(source, moves, encoding)
    made = output(out, (n,), np.bool_)
    faults = mask(on_error, n)
    separate(out, source.bytes, made)
    separate(out, moves, made)
    _native.is_legal(source.bytes, source.codec, moves, encoding, made, faults, arguments.threads(threads))
    return with_faults(made, faults)


def moves_of(source: arguments.Rows, moves: Any, encoding: Optional[str]) -> Any:
    """Return the given moves, or else the moves of the records, with their encoding."""
    layout = source.layout
    if moves is not None:
        if encoding is None and (layout is None or layout.move is None):
            raise ValueError("encoding= is needed: positions do not say how moves are written")
        return moves16(moves, len(source.bytes)), encoding or layout.encoding  # type: ignore[union-attr]
    if layout is None or layout.move is None or source.records is None:
        raise ValueError("moves= is needed: the positions are not records with a move")
    return moves16(source.records[layout.move]), encoding or layout.encoding
