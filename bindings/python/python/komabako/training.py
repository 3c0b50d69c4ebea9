"""The values that a network is trained to predict."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions
from ._options import Classes, Encoding, Masks, OnError, Packed, Raises

Faults = NDArray[np.uint8]

#: dlshogi's scale of scores.
SCALE = 756.0864962951762


class Targets(NamedTuple):
    """Expected values from 0 to 1, for the side to move."""

    value: NDArray[np.float32]
    """f4[n]: 1 / (1 + exp(-score / scale)); mates are 0 and 1"""
    result: NDArray[np.float32]
    """f4[n]: 1 for a win, ½ for a draw, 0 for a loss"""


@overload
def targets(
    positions: Positions,
    *,
    scale: float = ...,
    mate: int = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Targets] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Targets: ...
@overload
def targets(
    positions: Positions,
    *,
    scale: float = ...,
    mate: int = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Targets] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Targets, Faults]: ...
def targets(
    positions: Positions,
    *,
    scale: float = SCALE,
    mate: int = 30_000,
    codec: Optional[Packed] = None,
    out: Optional[Targets] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute what a value network is trained to predict, for any format's convention of results.

    Parameters
    ----------
    positions
        Records.
    scale
        The score whose expected value is 1 / (1 + 1/e); by default dlshogi's.
    mate
        Scores from this one on, either sign, are mates.
    codec
        ``"psv-lenient"`` reads PSV of older programs.
    out
        `Targets` to write to, which are returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(targets, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    Targets
        Columns with a row for each record; NaN if the format has no such field.

    Raises
    ------
    DecodeError
        For a record that does not decode.

    Examples
    --------
    >>> import komabako
    >>> made = komabako.targets(komabako.Position().record(score=0, result="black"))
    >>> made.value.tolist(), made.result.tolist()
    ([0.5], [1.0])
    """
    return _native.targets(positions, scale, mate, codec, out, on_error, threads, Targets)


@overload
def labels(
    positions: Positions,
    moves: Any = ...,
    kind: Classes = ...,
    *,
    encoding: Optional[Encoding] = ...,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.int64]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.int64]: ...
@overload
def labels(
    positions: Positions,
    moves: Any = ...,
    kind: Classes = ...,
    *,
    encoding: Optional[Encoding] = ...,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.int64]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.int64], Faults]: ...
def labels(
    positions: Positions,
    moves: Any = None,
    kind: Classes = 2187,
    *,
    encoding: Optional[Encoding] = None,
    codec: Optional[Packed] = None,
    out: Optional[NDArray[np.int64]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute the labels of moves: class numbers from the view of the side to move.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    moves
        A move for each position; by default the records' own.
    kind
        The number of classes: 2187, or 1496 for only those that a legal move can have.
    encoding
        The encoding of ``moves``; by default that of the records' moves.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(labels, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        i8[n]; -1 for special moves, and for moves outside the 1496 classes.

    Raises
    ------
    DecodeError
        For a position that does not decode, or bits that are not a move.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], codec="psv")
    >>> komabako.labels(start, komabako.moves_from_usi(["7g7f"]), encoding="A", codec="psv").tolist()
    [59]
    """
    return _native.labels(positions, moves, kind, encoding, codec, out, on_error, threads)


@overload
def legal_mask(
    positions: Positions,
    kind: Classes = ...,
    dtype: Any = ...,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[Any]: ...
@overload
def legal_mask(
    positions: Positions,
    kind: Classes = ...,
    dtype: Any = ...,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[Any], Faults]: ...
def legal_mask(
    positions: Positions,
    kind: Classes = 2187,
    dtype: Any = np.uint8,
    *,
    codec: Optional[Packed] = None,
    out: Any = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Mark the labels of all legal moves.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    kind
        The number of classes, 2187 or 1496.
    dtype
        u1 for bits, or bool.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(mask, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        Bits, u1[n,274] (u1[n,187] for 1496), the lowest bit first, or bool[n,kind].

    Raises
    ------
    DecodeError
        For a position that does not decode, or from which no game can be played.

    Examples
    --------
    >>> import komabako
    >>> int(komabako.legal_mask(komabako.Position().record(), dtype=bool).sum())
    30
    """
    return _native.legal_mask(positions, kind, dtype, codec, out, on_error, threads)
