"""Network inputs, computed directly from packed positions. `crates/komabako-features/spec/features.md` defines each number."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions

__all__ = ["Dlshogi", "Sparse", "dlshogi", "halfka_hm", "halfkp"]


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


def dlshogi(
    positions: Positions,
    dtype: Any = np.float32,
    *,
    nyugyoku: bool = False,
    codec: Optional[str] = None,
    out: Optional[Dlshogi] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Compute the 62 + 57 planes of dlshogi and its family, from the view of the side to move. Returns `Dlshogi`.

    ``dtype`` is f4, f2, u1 or ``"bits"``. ``nyugyoku`` adds dlshogi's 31 planes per colour for the entering-king declaration to
    ``features2``. Bits take 636 bytes per record instead of 38,556: expand them on the device (`komabako.torch.unpack_bits`).
    """
    return _native.dlshogi(positions, dtype, nyugyoku, codec, out, on_error, threads, Dlshogi)


def halfkp(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    perspective: str = "side",
    offsets: bool = False,
    out: Optional[NDArray[np.int32]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Compute HalfKP indices (125,388 inputs). Returns i4[n,2,38], padded with -1, or `Sparse` with ``offsets=True``.

    The indices of the side to move come first, or Black's with ``perspective="black"``.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], codec="psv")
    >>> indices = komabako.features.halfkp(start, codec="psv")
    >>> int(indices[0, 0].min()), int(indices[0, 0].sum())
    (68208, 2605103)
    """
    return _nnue(False, positions, codec, perspective, offsets, out, on_error, threads)


def halfka_hm(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    perspective: str = "side",
    offsets: bool = False,
    out: Optional[NDArray[np.int32]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Compute HalfKA_hm indices (73,305 inputs). Returns i4[n,2,40], padded with -1. The arguments are as for `halfkp`."""
    return _nnue(True, positions, codec, perspective, offsets, out, on_error, threads)


def _nnue(
    has_kings: bool,
    positions: Positions,
    codec: Optional[str],
    perspective: str,
    offsets: bool,
    out: Any,
    on_error: str,
    threads: int,
) -> Any:
    if offsets and out is not None:
        raise ValueError("out= and offsets=True exclude each other: the size of the result is not known before")
    made = _native.nnue(positions, has_kings, perspective, codec, out, on_error, threads)
    if not offsets:
        return made
    if not isinstance(made, tuple):
        return _sparse(made)
    indices, faults = made
    # The zeros of bad records are not inputs.
    indices[faults != 0] = -1
    return _sparse(indices), faults


def _sparse(indices: NDArray[np.int32]) -> Sparse:
    flat = indices.reshape(-1, indices.shape[-1])
    active = flat >= 0
    starts = np.zeros(len(flat) + 1, np.int64)
    np.cumsum(active.sum(axis=1), out=starts[1:])
    return Sparse(flat[active], starts)


def __dir__() -> list[str]:
    return __all__
