"""Converts packed positions to boards, other codecs, text and keys, and back."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions

Words = NDArray[np.uint8]


class Boards(NamedTuple):
    """Positions as arrays. Square s is file s // 9 + 1, rank s % 9 + 1."""

    board: NDArray[np.uint8]
    """u1[n,81]: P L N S B R G K are 1 to 8, +8 if promoted, +16 if White's (cshogi's `Board.pieces`)"""
    hands: NDArray[np.uint8]
    """u1[n,2,7]: numbers of Black's and White's P L N S G B R (cshogi's `pieces_in_hand`)"""
    side: NDArray[np.uint8]
    """u1[n]: the side to move, 0 for Black, 1 for White"""
    kings: NDArray[np.uint8]
    """u1[n,2]: squares of Black's and White's king, 81 if missing"""


def decode_board(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Boards] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Unpack positions to `Boards`.

    Examples
    --------
    >>> import komabako
    >>> words = komabako.from_sfen(["4k4/9/9/9/9/9/9/9/4K4 w 2P 1"], codec="hcp")
    >>> boards = komabako.decode_board(words, codec="hcp")
    >>> boards.hands[0].tolist(), boards.side.tolist(), boards.kings.tolist()
    ([[2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]], [1], [[44, 36]])
    """
    return _native.decode_board(positions, codec, out, on_error, threads, Boards)


def encode_board(
    board: Any,
    hands: Any,
    side: Any,
    codec: str,
    *,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Pack boards, as returned by `decode_board`, to words. Returns u1[n,32] (u1[n,30] for r238).

    The kings are taken from ``board``.
    """
    columns = _small(board, "board"), _small(hands, "hands"), _small(side, "side")
    return _native.encode_board(*columns, codec, out, on_error, threads)


def _small(array: Any, name: str) -> NDArray[np.uint8]:
    array = np.asarray(array)
    if array.dtype == np.uint8:
        result: NDArray[np.uint8] = array
        return result
    if array.dtype.kind not in "iub" or (array.size and (int(array.min()) < 0 or int(array.max()) > 255)):
        raise ValueError(f"{name} has to hold numbers from 0 to 255, as u1")
    small: NDArray[np.uint8] = array.astype(np.uint8)
    return small


def recode(
    positions: Positions,
    to: Any,
    *,
    codec: Optional[str] = None,
    out: Any = None,
    allow_loss: bool = False,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Pack positions with another codec (``to="hcp"``), or convert records to another dtype (``to`` a dtype).

    A codec gives words, u1[n,32] (u1[n,30] for r238). A dtype gives records, converted as by `komabako convert`; a conversion
    that loses information raises `LossError` unless ``allow_loss`` is set. ``out`` may be the input itself if it has the shape and
    the dtype of the result: words for a codec, records of ``to`` for a dtype.
    """

    if out is positions:
        # The result is made elsewhere first, so that no record is overwritten before it is read.
        made = recode(positions, to, codec=codec, allow_loss=allow_loss, on_error=on_error, threads=threads)
        result, faults = made if isinstance(made, tuple) else (made, None)
        _native.overwrite(out, result)
        return out if faults is None else (out, faults)
    if isinstance(to, str):
        return _native.pack_as(positions, codec, to, "same", out, on_error, threads)
    return _native.convert(positions, codec, np.dtype(to), out, allow_loss, on_error, threads)


def canonical(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Pack positions as words of SSPFv1's extension. Returns u1[n,32], equal for equal positions whatever their codec was."""
    return _native.pack_as(positions, codec, "sspfv1-ext", "same", out, on_error, threads)


def flip(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Rotate positions by 180° with colours exchanged. Returns words of the same codec, u1[n,32] (u1[n,30] for r238)."""
    return _native.pack_as(positions, codec, None, "flip", out, on_error, threads)


def mirror(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Exchange left and right. Returns words of the same codec, u1[n,32] (u1[n,30] for r238)."""
    return _native.pack_as(positions, codec, None, "mirror", out, on_error, threads)


def key64(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[NDArray[np.uint64]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Hash positions: XXH3 of `canonical` in 64 bits. Returns u8[n].

    From about 10^9 positions on, two of them may share a key: use `key128` for joins.
    """
    return _native.hashes(positions, codec, 1, out, on_error, threads)


def key128(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[NDArray[np.uint64]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Hash positions: XXH3 of `canonical` in 128 bits. Returns u8[n,2], the lower half first."""
    return _native.hashes(positions, codec, 2, out, on_error, threads)


def to_sfen(
    positions: Positions, *, codec: Optional[str] = None, on_error: str = "raise", threads: int = 1, arrow: bool = False
) -> Any:
    """Convert positions to SFENs without a ply. Returns ``list[str]``, or with ``arrow`` an Arrow array of strings.

    With ``on_error="mask"`` the texts of bad records are empty.

    Examples
    --------
    >>> import komabako
    >>> komabako.to_sfen(komabako.from_sfen(["startpos"], codec="psv"), codec="psv")
    ['lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -']
    """
    made = _native.to_sfen(positions, codec, on_error, threads)
    if not arrow:
        return made
    import pyarrow

    if isinstance(made, tuple):
        return pyarrow.array(made[0], pyarrow.string()), made[1]
    return pyarrow.array(made, pyarrow.string())


def from_sfen(
    sfens: Iterable[str], codec: str, *, out: Optional[Words] = None, on_error: str = "raise", threads: int = 1
) -> Any:
    """Pack SFENs to words. Returns u1[n,32] (u1[n,30] for r238). A ply is accepted and ignored."""
    return _native.from_sfen(sfens, codec, out, on_error, threads)


def validate(
    positions: Positions, *, level: str = "legality", codec: Optional[str] = None, threads: int = 1
) -> NDArray[np.uint8]:
    """Check records. Returns u1[n] of `Fault` numbers, 0 for good records.

    Levels ``codec`` and ``inventory``: the position decodes, which implies no more pieces than a set has. Level ``legality``: also,
    a game can be played from the position, and the record's move and result are valid.
    """
    return _native.validate(positions, level, codec, threads)


__all__ = [
    "Boards",
    "canonical",
    "decode_board",
    "encode_board",
    "flip",
    "from_sfen",
    "key64",
    "key128",
    "mirror",
    "recode",
    "to_sfen",
    "validate",
]
