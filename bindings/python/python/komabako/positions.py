"""Converts packed positions to boards, other codecs and text, and back."""

from __future__ import annotations

from typing import Any, Iterable, List, Literal, NamedTuple, Optional, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions, check_array
from ._options import Codec, Masks, OnError, Packed, Packing, Raises

Words = NDArray[np.uint8]
Faults = NDArray[np.uint8]


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


@overload
def decode_board(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[Boards] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Boards: ...
@overload
def decode_board(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[Boards] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Boards, Faults]: ...
def decode_board(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Optional[Boards] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Unpack positions to boards.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        `Boards` to write to, which are returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(boards, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    Boards
        Columns with a row for each position.

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako
    >>> words = komabako.from_sfen(["4k4/9/9/9/9/9/9/9/4K4 w 2P 1"], codec="hcp")
    >>> boards = komabako.decode_board(words, codec="hcp")
    >>> boards.hands[0].tolist(), boards.side.tolist(), boards.kings.tolist()
    ([[2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]], [1], [[44, 36]])
    """
    return _native.decode_board(positions, codec, out, on_error, threads, Boards)


@overload
def encode_board(
    board: Any,
    hands: Any,
    side: Any,
    codec: Codec,
    *,
    out: Optional[Words] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Words: ...
@overload
def encode_board(
    board: Any,
    hands: Any,
    side: Any,
    codec: Codec,
    *,
    out: Optional[Words] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Words, Faults]: ...
def encode_board(
    board: Any,
    hands: Any,
    side: Any,
    codec: Codec,
    *,
    out: Optional[Words] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Pack boards, as `decode_board` returns them, to words. The kings are taken from ``board``.

    Parameters
    ----------
    board
        Integers[n,81], see `Boards`.
    hands
        Integers[n,2,7].
    side
        Integers[n], 0 for Black.
    codec
        The codec of the words.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(words, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        u1[n,32] (u1[n,30] for r238).

    Raises
    ------
    EncodeError
        For arrays that are not a position, or one that the codec cannot represent.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], "psv")
    >>> boards = komabako.decode_board(start, codec="psv")
    >>> bool((komabako.encode_board(boards.board, boards.hands, boards.side, "psv") == start).all())
    True
    """
    return _native.encode_board(board, hands, side, codec, out, on_error, threads)


def small(given: Any, name: str) -> NDArray[np.uint8]:
    """Return numbers from 0 to 255 as u1."""
    check_array(given, name)
    array = np.asarray(given)
    if array.dtype.kind not in "iub" or (array.size and (int(array.min()) < 0 or int(array.max()) > 255)):
        raise ValueError(f"{name} has to hold numbers from 0 to 255, as u1")
    numbers: NDArray[np.uint8] = array.astype(np.uint8)
    return numbers


@overload
def recode(
    positions: Positions,
    to: Union[Packing, "np.dtype[Any]"],
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    allow_loss: bool = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[Any]: ...
@overload
def recode(
    positions: Positions,
    to: Union[Packing, "np.dtype[Any]"],
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    allow_loss: bool = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[Any], Faults]: ...
def recode(
    positions: Positions,
    to: Union[Packing, "np.dtype[Any]"],
    *,
    codec: Optional[Packed] = None,
    out: Any = None,
    allow_loss: bool = False,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Pack positions with another codec, or convert records to another format.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    to
        A codec, or the name or the dtype of a format of records. A name that is both, such as ``"psv"``, is the codec; ``"hcpe"``
        is a format.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to; it may be the input itself if that has the shape and the dtype of the result.
    allow_loss
        Convert records although the format lacks a field of theirs.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(records, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        Words, u1[n,32] (u1[n,30] for r238), for a codec; records for a format, converted as by `komabako convert`.

    Raises
    ------
    DecodeError
        For a position that does not decode.
    EncodeError
        For a position or a record that the target cannot represent.
    LossError
        If the target lacks a field of the records' format.

    Examples
    --------
    >>> import komabako
    >>> record = komabako.Position().record(score=50, format="psv")
    >>> int(komabako.recode(record, "hcpe", allow_loss=True)["eval"][0])
    50
    >>> komabako.recode(record, "hcp").shape
    (1, 32)
    """
    if out is not None and out is positions:
        # The result is made elsewhere first, so that no record is overwritten before it is read.
        recoded: Any = recode
        made = recoded(positions, to, codec=codec, allow_loss=allow_loss, on_error=on_error, threads=threads)
        result, faults = made if isinstance(made, tuple) else (made, None)
        _native.overwrite(out, result)
        return out if faults is None else (out, faults)
    return _native.recode(positions, codec, to, out, allow_loss, on_error, threads)


@overload
def to_sfen(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    on_error: Raises = ...,
    threads: int = ...,
    arrow: Literal[False] = ...,
) -> List[str]: ...
@overload
def to_sfen(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    on_error: Masks,
    threads: int = ...,
    arrow: Literal[False] = ...,
) -> tuple[List[str], Faults]: ...
@overload
def to_sfen(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    on_error: Raises = ...,
    threads: int = ...,
    arrow: Literal[True],
) -> Any: ...
@overload
def to_sfen(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    on_error: Masks,
    threads: int = ...,
    arrow: Literal[True],
) -> tuple[Any, Faults]: ...
def to_sfen(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    on_error: OnError = "raise",
    threads: int = 1,
    arrow: bool = False,
) -> Any:
    """Convert positions to SFENs without a ply.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(texts, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.
    arrow
        Return an Arrow array of strings.

    Returns
    -------
    list[str]
        Or an Arrow array.

    Raises
    ------
    DecodeError
        For a position that does not decode.

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


@overload
def from_sfen(
    sfens: Iterable[str],
    codec: Codec,
    *,
    out: Optional[Words] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Words: ...
@overload
def from_sfen(
    sfens: Iterable[str],
    codec: Codec,
    *,
    out: Optional[Words] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Words, Faults]: ...
def from_sfen(
    sfens: Iterable[str],
    codec: Codec,
    *,
    out: Optional[Words] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Pack SFENs to words. A ply is accepted and ignored.

    Parameters
    ----------
    sfens
        Texts, or a column of Arrow.
    codec
        The codec of the words.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(words, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        u1[n,32] (u1[n,30] for r238).

    Raises
    ------
    EncodeError
        For a text that is no SFEN, or a position that the codec cannot represent.

    Examples
    --------
    >>> import komabako
    >>> komabako.from_sfen(["startpos"], "psv").shape
    (1, 32)
    """
    return _native.from_sfen(sfens, codec, out, on_error, threads)
