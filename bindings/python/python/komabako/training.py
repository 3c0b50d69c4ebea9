"""The values that a network is trained to predict."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _native
from ._arguments import KNOWN, ONE_THREAD, Positions, mask, output, outputs, records, rows, separate, with_faults
from .moves import moves_of

#: dlshogi's scale of scores.
SCALE = 756.0864962951762

#: The range of positive f4.
_SMALLEST, _LARGEST = 2.0**-149, float(np.finfo(np.float32).max)


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
    source = records(positions, "targets", codec)
    assert source.layout is not None
    # As f4, in which it is used: a scale that becomes 0 would make the value of score 0 NaN, which means that there is no score.
    if not _SMALLEST <= scale <= _LARGEST:
        raise ValueError(f"scale must be above 0 and finite as f4, not {scale}")
    if not 0 < mate <= 32_767:
        raise ValueError(f"mate is a score from 1 to 32767, not {mate}")
    n = len(source.bytes)
    value, result = outputs(out, Targets._fields)
    made = Targets(output(value, (n,), np.float32, "out.value"), output(result, (n,), np.float32, "out.result"))
    faults = mask(on_error, n)
    separate(out, source.bytes, *made)
    _native.targets(
        source.bytes, source.codec, source.layout.format, scale, mate, *made, faults, arguments.threads(threads)
    )
    return with_faults(made, faults)


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
    source = rows(positions, codec)
    n = len(source.bytes)
    moves, encoding = moves_of(source, moves, encoding)
    made = output(out, (n,), np.int64)
    faults = mask(on_error, n)
    separate(out, source.bytes, made)
    separate(out, moves, made)
    _native.labels(source.bytes, source.codec, moves, encoding, kind, made, faults, arguments.threads(threads))
    return with_faults(made, faults)


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
    if dtype is np.uint8 and out is None and on_error == "raise" and threads is ONE_THREAD and kind in (2187, 1496):
        small = _native.small_masks(KNOWN, positions, codec, kind)
        if small is not None:
            return small
    source = rows(positions, codec)
    n = len(source.bytes)
    if kind not in (2187, 1496):
        raise ValueError(f"kind is 2187 or 1496, not {kind!r}")
    packed = np.dtype(dtype) == np.uint8
    if not packed and np.dtype(dtype) != np.bool_:
        raise ValueError(f"dtype is u1 (bits) or bool, not {np.dtype(dtype)}")
    made = output(out, (n, (kind + 7) // 8 if packed else kind), dtype)
    faults = mask(on_error, n)
    separate(out, source.bytes, made)
    _native.legal_mask(
        source.bytes, source.codec, kind, packed, made.view(np.uint8), faults, arguments.threads(threads)
    )
    return with_faults(made, faults)
