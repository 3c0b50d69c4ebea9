"""The values that a network is trained to predict."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions

#: dlshogi's scale of scores.
SCALE = 756.0864962951762

class Targets(NamedTuple):
    """Expected values from 0 to 1, for the side to move."""

    value: NDArray[np.float32]
    """f4[n]: 1 / (1 + exp(-score / scale)); mates are 0 and 1"""
    result: NDArray[np.float32]
    """f4[n]: 1 for a win, ½ for a draw, 0 for a loss"""


def targets(
    positions: Positions,
    *,
    scale: float = SCALE,
    mate: int = 30_000,
    codec: Optional[str] = None,
    out: Optional[Targets] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Compute the `Targets` of records, for any format's convention of results.

    Scores of ``mate`` or more, either sign, are mates. Values are NaN if the format has no such field. ``codec="psv-lenient"`` reads
    PSV of older programs.
    """
    return _native.targets(positions, scale, mate, codec, out, on_error, threads, Targets)


def labels(
    positions: Positions,
    moves: Any = None,
    kind: int = 2187,
    *,
    encoding: Optional[str] = None,
    codec: Optional[str] = None,
    out: Optional[NDArray[np.int64]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Compute the labels of moves: class numbers from the view of the side to move. Returns i8[n].

    ``kind`` is the number of classes: 2187, or 1496 for only those that a legal move can have. Special moves, and moves outside the
    1496 classes, have the label -1. Without ``moves`` the records' own moves are used.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], codec="psv")
    >>> komabako.labels(start, komabako.moves_from_usi(["7g7f"]), encoding="A", codec="psv").tolist()
    [59]
    """
    return _native.labels(positions, moves, kind, encoding, codec, out, on_error, threads)


def legal_mask(
    positions: Positions,
    kind: int = 2187,
    dtype: Any = np.uint8,
    *,
    codec: Optional[str] = None,
    out: Any = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Mark the labels of all legal moves. Returns bits, u1[n,274] (u1[n,187] for 1496), the lowest bit first, or bool[n,kind]."""
    return _native.legal_mask(positions, kind, dtype, codec, out, on_error, threads)
