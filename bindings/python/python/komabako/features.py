"""Network inputs, computed directly from packed positions. `crates/komabako-features/spec/features.md` defines each number."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _native
from ._arguments import KNOWN, ONE_THREAD, Positions, mask, output, outputs, rows, separate, with_faults


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
    if isinstance(dtype, str) and dtype == "bits" and out is None and on_error == "raise" and threads is ONE_THREAD:
        small = _native.small_bits(KNOWN, positions, codec, nyugyoku)
        if small is not None:
            return Dlshogi._make(small)
    source = rows(positions, codec)
    n = len(source.bytes)
    first, second = outputs(out, Dlshogi._fields)
    faults = mask(on_error, n)
    count = arguments.threads(threads)
    if isinstance(dtype, str) and dtype == "bits":
        bits = Dlshogi(
            output(first, (n, 628), np.uint8, "out.features1"),
            output(second, (n, 16 if nyugyoku else 8), np.uint8, "out.features2"),
        )
        separate(out, source.bytes, *bits)
        _native.dlshogi_bits(source.bytes, source.codec, nyugyoku, *bits, faults, count)
        return with_faults(bits, faults)
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float32), np.dtype(np.float16), np.dtype(np.uint8)):
        raise ValueError(f'dtype is f4, f2, u1 or "bits", not {dtype!r}')
    width = 119 if nyugyoku else 57
    planes = Dlshogi(
        output(first, (n, 62, 9, 9), kind, "out.features1"), output(second, (n, width, 9, 9), kind, "out.features2")
    )
    separate(out, source.bytes, *planes)
    # The native half has no type for half floats, so it writes their bits as u2.
    raw = [plane.view(np.uint16) if kind == np.float16 else plane for plane in planes]
    _native.dlshogi(
        source.bytes, source.codec, nyugyoku, raw[0].reshape(n, 62 * 81), raw[1].reshape(n, width * 81), faults, count
    )
    return with_faults(planes, faults)


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
    return _nnue("halfkp", 38, positions, codec, perspective, offsets, out, on_error, threads)


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
    return _nnue("halfka_hm", 40, positions, codec, perspective, offsets, out, on_error, threads)


def _nnue(
    kind: str,
    width: int,
    positions: Positions,
    codec: Optional[str],
    perspective: str,
    offsets: bool,
    out: Any,
    on_error: str,
    threads: int,
) -> Any:
    if perspective not in ("side", "black"):
        raise ValueError(f'perspective is "side" or "black", not {perspective!r}')
    if not offsets and out is None and on_error == "raise" and threads is ONE_THREAD:
        small = _native.small_nnue(KNOWN, positions, codec, width == 40, perspective == "black")
        if small is not None:
            return small
    source = rows(positions, codec)
    n = len(source.bytes)
    if offsets and out is not None:
        raise ValueError("out= and offsets=True exclude each other: the size of the result is not known before")
    made = output(out, (n, 2, width), np.int32)
    faults = mask(on_error, n)
    separate(out, source.bytes, made)
    _native.nnue(
        source.bytes,
        source.codec,
        kind,
        perspective == "black",
        made.reshape(n, 2 * width),
        faults,
        arguments.threads(threads),
    )
    if not offsets:
        return with_faults(made, faults)
    if faults is not None:
        # The zeros of bad records are not inputs.
        made[faults != 0] = -1
    flat = made.reshape(2 * n, width)
    active = flat >= 0
    starts = np.zeros(2 * n + 1, np.int64)
    np.cumsum(active.sum(axis=1), out=starts[1:])
    return with_faults(Sparse(flat[active], starts), faults)
