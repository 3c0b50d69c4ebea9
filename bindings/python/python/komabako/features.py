"""Network inputs, computed directly from packed positions. `crates/komabako-features/spec/features.md` defines each number."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Optional, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions
from ._options import Masks, OnError, Packed, Perspective, Raises

__all__ = ["Dlshogi", "HALFKA_HM_SIZE", "HALFKP_SIZE", "Sparse", "dlshogi", "halfka_hm", "halfkp"]

Faults = NDArray[np.uint8]

HALFKP_SIZE = 125_388
"""The number of inputs of HalfKP."""
HALFKA_HM_SIZE = 73_305
"""The number of inputs of HalfKA_hm."""


class Dlshogi(NamedTuple):
    """dlshogi's planes: arrays of planes, or packed bits."""

    features1: NDArray[Any]
    """[n,62,9,9]; as bits u1[n,628], the lowest bit first"""
    features2: NDArray[Any]
    """[n,57,9,9]; as bits u1[n,8], one per plane; with ``nyugyoku`` [n,119,9,9] or u1[n,16]"""


class Sparse(NamedTuple):
    """Active inputs for `torch.nn.EmbeddingBag(…, include_last_offset=True)`."""

    indices: NDArray[np.int32]
    """i4: the inputs of all records, one perspective after the other"""
    offsets: NDArray[np.int64]
    """i8[2n+1]: the inputs of record r and perspective k begin at ``offsets[2 * r + k]``"""


@overload
@overload
@overload
@overload
@overload
def dlshogi(
    positions: Positions,
    dtype: Any = ...,
    *,
    nyugyoku: bool = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Dlshogi] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Dlshogi: ...
@overload
def dlshogi(
    positions: Positions,
    dtype: Any = ...,
    *,
    nyugyoku: bool = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Dlshogi] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Dlshogi, Faults]: ...
def dlshogi(
    positions: Positions,
    dtype: Any = np.float32,
    *,
    nyugyoku: bool = False,
    codec: Optional[Packed] = None,
    out: Optional[Dlshogi] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute the 62 + 57 planes of dlshogi and its family, from the view of the side to move.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    dtype
        f4, f2, u1 or ``"bits"``, which take 636 bytes a record instead of 38,556 and are expanded on the device
        (`komabako.torch.unpack_bits`).
    nyugyoku
        Add dlshogi's 31 planes per colour for the entering-king declaration to ``features2``.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        `Dlshogi` to write to, which are returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(planes, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    Dlshogi
        [n,62,9,9] and [n,57,9,9] ([n,119,9,9] with ``nyugyoku``), or packed bits.

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako
    >>> made = komabako.features.dlshogi(komabako.Position().record())
    >>> made.features1.shape, made.features2.shape
    ((1, 62, 9, 9), (1, 57, 9, 9))
    """
    return _native.dlshogi(positions, dtype, nyugyoku, codec, out, on_error, threads, Dlshogi)


@overload
def halfkp(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[False] = ...,
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.int32]: ...
@overload
def halfkp(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[False] = ...,
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.int32], Faults]: ...
@overload
def halfkp(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[True],
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Sparse: ...
@overload
def halfkp(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[True],
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Sparse, Faults]: ...
def halfkp(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    perspective: Perspective = "side",
    offsets: bool = False,
    out: Optional[NDArray[np.int32]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute the indices of the active inputs of HalfKP, below `HALFKP_SIZE`.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    perspective
        Whose indices come first: ``"side"`` (to move) or ``"black"``.
    offsets
        Return `Sparse` for `torch.nn.EmbeddingBag`.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(indices, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        i4[n,2,38], padded with -1, or `Sparse`.

    Raises
    ------
    DecodeError
        For a position that does not decode, or lacks a king.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], codec="psv")
    >>> indices = komabako.features.halfkp(start, codec="psv")
    >>> int(indices[0, 0].min()), int(indices[0, 0].sum())
    (68208, 2605103)
    """
    if offsets:
        return _sparse(False, positions, codec, perspective, out, on_error, threads)
    return _native.nnue(positions, False, perspective, codec, out, on_error, threads)


@overload
def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[False] = ...,
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.int32]: ...
@overload
def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[False] = ...,
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.int32], Faults]: ...
@overload
def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[True],
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Sparse: ...
@overload
def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    perspective: Perspective = ...,
    offsets: Literal[True],
    out: Optional[NDArray[np.int32]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Sparse, Faults]: ...
def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    perspective: Perspective = "side",
    offsets: bool = False,
    out: Optional[NDArray[np.int32]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Compute the indices of the active inputs of HalfKA_hm, below `HALFKA_HM_SIZE`.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    perspective
        Whose indices come first: ``"side"`` (to move) or ``"black"``.
    offsets
        Return `Sparse` for `torch.nn.EmbeddingBag`.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(indices, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        i4[n,2,40], padded with -1, or `Sparse`.

    Raises
    ------
    DecodeError
        For a position that does not decode, or lacks a king.

    Examples
    --------
    >>> import komabako
    >>> komabako.features.halfka_hm(komabako.Position().record()).shape
    (1, 2, 40)
    """
    if offsets:
        return _sparse(True, positions, codec, perspective, out, on_error, threads)
    return _native.nnue(positions, True, perspective, codec, out, on_error, threads)


def _sparse(
    has_kings: bool, positions: Positions, codec: Optional[Packed], perspective: str, out: Any, on_error: str, threads: int
) -> Any:
    if out is not None:
        raise ValueError("out= and offsets=True exclude each other: the size of the result is not known before")
    made = _native.nnue(positions, has_kings, perspective, codec, None, on_error, threads)
    if not isinstance(made, tuple):
        return _without_padding(made)
    indices, faults = made
    # The zeros of bad records are not inputs.
    indices[faults != 0] = -1
    return _without_padding(indices), faults


def _without_padding(indices: NDArray[np.int32]) -> Sparse:
    flat = indices.reshape(-1, indices.shape[-1])
    active = flat >= 0
    starts = np.zeros(len(flat) + 1, np.int64)
    np.cumsum(active.sum(axis=1), out=starts[1:])
    return Sparse(flat[active], starts)


def __dir__() -> list[str]:
    return __all__
