"""Converts packed positions to boards, other codecs, text and keys, and back."""

from __future__ import annotations

from typing import Any, Iterable, List, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._arguments import (
    CODECS,
    KNOWN,
    ONE_THREAD,
    Faults,
    Positions,
    mask,
    output,
    outputs,
    readable,
    records,
    rows,
    separate,
    threads,
    with_faults,
    word_size,
)
from .dtypes import DTYPES, layout_of
from .errors import LossError

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
    if out is None and on_error == "raise" and threads is ONE_THREAD:
        small = _native.small_boards(KNOWN, positions, codec)
        if small is not None:
            return Boards._make(small)
    source = rows(positions, codec)
    n = len(source.bytes)
    board, hands, side, kings = outputs(out, Boards._fields)
    boards = Boards(
        output(board, (n, 81), np.uint8, "out.board"),
        output(hands, (n, 2, 7), np.uint8, "out.hands"),
        output(side, (n,), np.uint8, "out.side"),
        output(kings, (n, 2), np.uint8, "out.kings"),
    )
    faults = mask(on_error, n)
    separate(out, source.bytes, *boards)
    _native.decode_board(
        source.bytes, source.codec, boards.board, boards.hands.reshape(n, 14), boards.side, boards.kings, faults, _threads(threads)
    )
    return with_faults(boards, faults)


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
    columns = [_small(board, "board"), _small(hands, "hands"), _small(side, "side")]
    n = len(columns[0]) if columns[0].ndim else -1
    for array, shape, name in zip(columns, ((n, 81), (n, 2, 7), (n,)), ("board", "hands", "side")):
        if array.shape != shape:
            raise ValueError(f"{name} must be u1[n{''.join(f',{k}' for k in shape[1:])}], not of shape {list(array.shape)}")
    words = output(out, (n, word_size(codec)), np.uint8)
    faults = mask(on_error, n)
    separate(out, *columns, words)
    _native.encode_board(columns[0], columns[1].reshape(n, 14), columns[2], codec, words, faults, _threads(threads))
    return with_faults(words, faults)


def _small(array: Any, name: str) -> NDArray[np.uint8]:
    array = np.asarray(array)
    if array.dtype == np.uint8:
        result: NDArray[np.uint8] = array
        return result
    if array.dtype.kind not in "iub" or (array.size and (int(array.min()) < 0 or int(array.max()) > 255)):
        raise ValueError(f"{name} has to hold numbers from 0 to 255, as u1")
    small: NDArray[np.uint8] = array.astype(np.uint8)
    return small


def _threads(count: int) -> int:
    return threads(count)


def _pack(
    positions: Positions, codec: Optional[str], to: Optional[str], view: str, out: Any, on_error: str, count: int
) -> Any:
    if to in CODECS and out is None and on_error == "raise" and count is ONE_THREAD:
        small = _native.small_packed(KNOWN, positions, codec, to, view)
        if small is not None:
            return small
    source = rows(positions, codec)
    n = len(source.bytes)
    # Some records keep a label in the word beside the position; it is left out.
    to = to or {"r238-result": "r238", "c250-payload": "c250"}.get(source.codec, source.codec)
    words = output(out, (n, word_size(to)), np.uint8)
    faults = mask(on_error, n)
    separate(out, source.bytes, words)
    _native.pack_as(source.bytes, source.codec, to, view, words, faults, threads(count))
    return with_faults(words, faults)


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
    if isinstance(to, str):
        if out is not positions:
            return _pack(positions, codec, to, "same", out, on_error, threads)
        make = lambda: _pack(positions, codec, to, "same", None, on_error, threads)
        return _in_place(out, (*np.shape(out)[:1], word_size(to)), np.uint8, make)
    source = records(positions, "recode to a dtype", codec)
    dtype = np.dtype(to)
    target = layout_of(dtype)
    assert source.layout is not None
    if target is None:
        raise ValueError(f"the dtype {dtype} is not one of komabako's")
    losses = _native.losses(source.layout.format, target.format)
    if losses and not allow_loss:
        raise LossError(losses)

    def convert(out: Any = None) -> Any:
        n = len(source.bytes)
        made = output(out, (n,), dtype)
        faults = mask(on_error, n)
        separate(out, source.bytes, made)
        into = made[:, np.newaxis].view(np.uint8)
        _native.convert(source.bytes, source.codec, source.layout.format, target.format, into, faults, _threads(threads))  # type: ignore[union-attr]
        return with_faults(made, faults)

    return convert(out) if out is not positions else _in_place(out, np.shape(out), dtype, convert)


def _in_place(out: Any, shape: Any, dtype: Any, make: Any) -> Any:
    """Replace ``out``, which is the input. The result is made elsewhere first, so that no record is overwritten before it is read."""
    output(out, shape, dtype)
    made = make()
    result, faults = made if isinstance(made, tuple) else (made, None)
    # As bytes: NumPy copies structured records field by field.
    out[:, np.newaxis].view(np.uint8)[...] = result[:, np.newaxis].view(np.uint8)
    return with_faults(out, faults)


def canonical(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Pack positions as words of SSPFv1's extension. Returns u1[n,32], equal for equal positions whatever their codec was."""
    return _pack(positions, codec, "sspfv1-ext", "same", out, on_error, threads)


def flip(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Rotate positions by 180° with colours exchanged. Returns words of the same codec, u1[n,32] (u1[n,30] for r238)."""
    return _pack(positions, codec, None, "flip", out, on_error, threads)


def mirror(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[Words] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Exchange left and right. Returns words of the same codec, u1[n,32] (u1[n,30] for r238)."""
    return _pack(positions, codec, None, "mirror", out, on_error, threads)


def _hashes(positions: Positions, codec: Optional[str], width: int, out: Any, on_error: str, count: int) -> Any:
    source = rows(positions, codec)
    n = len(source.bytes)
    keys = output(out, (n,) if width == 1 else (n, width), np.uint64)
    faults = mask(on_error, n)
    separate(out, source.bytes, keys)
    _native.hashes(source.bytes, source.codec, keys.reshape(n, width), faults, threads(count))
    return with_faults(keys, faults)


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
    if out is None and on_error == "raise" and threads is ONE_THREAD:
        small = _native.small_hashes(KNOWN, positions, codec, 1)
        if small is not None:
            return small
    return _hashes(positions, codec, 1, out, on_error, threads)


def key128(
    positions: Positions,
    *,
    codec: Optional[str] = None,
    out: Optional[NDArray[np.uint64]] = None,
    on_error: str = "raise",
    threads: int = 1,
) -> Any:
    """Hash positions: XXH3 of `canonical` in 128 bits. Returns u8[n,2], the lower half first."""
    if out is None and on_error == "raise" and threads is ONE_THREAD:
        small = _native.small_hashes(KNOWN, positions, codec, 2)
        if small is not None:
            return small
    return _hashes(positions, codec, 2, out, on_error, threads)


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
    if on_error == "raise" and threads is ONE_THREAD and not arrow:
        small = _native.small_sfens(KNOWN, positions, codec)
        if small is not None:
            return small
    source = rows(positions, codec)
    faults = mask(on_error, len(source.bytes))
    texts: Any = _native.to_sfen(source.bytes, source.codec, faults, _threads(threads))
    if arrow:
        import pyarrow

        texts = pyarrow.array(texts, pyarrow.string())
    return with_faults(texts, faults)


def from_sfen(
    sfens: Iterable[str], codec: str, *, out: Optional[Words] = None, on_error: str = "raise", threads: int = 1
) -> Any:
    """Pack SFENs to words. Returns u1[n,32] (u1[n,30] for r238). A ply is accepted and ignored."""
    if isinstance(sfens, (str, bytes)):
        raise ValueError("from_sfen takes a sequence of texts, not one text")
    texts: List[str] = list(sfens.to_pylist() if hasattr(sfens, "to_pylist") else sfens)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("SFENs must be str")
    words = output(out, (len(texts), word_size(codec)), np.uint8)
    faults = mask(on_error, len(texts))
    try:
        _native.from_sfen(texts, codec, words, faults, _threads(threads))
    except UnicodeEncodeError:
        _native.from_sfen(readable(texts), codec, words, faults, _threads(threads))
    return with_faults(words, faults)


def validate(
    positions: Positions, *, level: str = "legality", codec: Optional[str] = None, threads: int = 1
) -> Faults:
    """Check records. Returns u1[n] of `Fault` numbers, 0 for good records.

    Levels ``codec`` and ``inventory``: the position decodes, which implies no more pieces than a set has. Level ``legality``: also,
    a game can be played from the position, and the record's move and result are valid.
    """
    source = rows(positions, codec)
    faults = np.empty(len(source.bytes), np.uint8)
    layout = None if source.layout is None or level != "legality" else source.layout.format
    _native.validate(source.bytes, source.codec, layout, level, faults, _threads(threads))
    return faults


__all__ = [
    "DTYPES",
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
