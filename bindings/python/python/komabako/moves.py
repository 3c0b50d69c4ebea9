"""Moves in 16 bits, in the encodings of the formats."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions, check_array
from ._options import Classes, Encoding, Masks, OnError, Packed, Raises

Moves = NDArray[np.uint16]
Faults = NDArray[np.uint8]

__all__ = [
    "flip_moves",
    "is_legal",
    "mirror_moves",
    "move16",
    "moves_from_labels",
    "moves_from_usi",
    "moves_to_usi",
]


@overload
def move16(
    moves: Any, from_: Encoding = ..., to: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Raises = ...
) -> Moves: ...
@overload
def move16(
    moves: Any, from_: Encoding = ..., to: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Masks
) -> tuple[Moves, Faults]: ...
def move16(
    moves: Any, from_: Encoding = "A", to: Encoding = "C", *, out: Optional[Moves] = None, on_error: OnError = "raise"
) -> Any:
    """Convert moves from one encoding to another.

    Parameters
    ----------
    moves
        Integers of 16 bits.
    from_
        Their encoding.
    to
        The encoding of the result.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(moves, faults)``.

    Returns
    -------
    NDArray
        u2[n].

    Raises
    ------
    DecodeError
        For bits that are not a move.

    Examples
    --------
    >>> import komabako
    >>> [hex(move) for move in komabako.move16([0xA30A, 0x40A8], "yaneuraou", "apery").tolist()]
    ['0x630a', '0x28a8']
    """
    return _native.convert_moves(moves, from_, to, out, on_error)


@overload
def moves_to_usi(moves: Any, encoding: Encoding = ..., *, on_error: Raises = ...) -> List[str]: ...
@overload
def moves_to_usi(moves: Any, encoding: Encoding = ..., *, on_error: Masks) -> tuple[List[str], Faults]: ...
def moves_to_usi(moves: Any, encoding: Encoding = "A", *, on_error: OnError = "raise") -> Any:
    """Convert moves to USI texts.

    Parameters
    ----------
    moves
        Integers of 16 bits.
    encoding
        Their encoding.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(texts, faults)``, and the texts of bad moves are empty.

    Returns
    -------
    list[str]
        Special moves are ``none``, ``null``, ``resign`` or ``win``.

    Raises
    ------
    DecodeError
        For bits that are not a move.

    Examples
    --------
    >>> import komabako
    >>> komabako.moves_to_usi([0x1E3B, 0x630A], "apery")
    ['7g7f', '8h2b+']
    """
    return _native.moves_to_usi(moves, encoding, on_error)


@overload
def moves_from_usi(
    texts: Iterable[str], encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Raises = ...
) -> Moves: ...
@overload
def moves_from_usi(
    texts: Iterable[str], encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Masks
) -> tuple[Moves, Faults]: ...
def moves_from_usi(
    texts: Iterable[str], encoding: Encoding = "A", *, out: Optional[Moves] = None, on_error: OnError = "raise"
) -> Any:
    """Convert USI texts to moves.

    Parameters
    ----------
    texts
        USI texts; also ``none``, ``null``, ``resign`` and ``win``.
    encoding
        The encoding of the result.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(moves, faults)``.

    Returns
    -------
    NDArray
        u2[n].

    Raises
    ------
    DecodeError
        For a text that is not a move.

    Examples
    --------
    >>> import komabako
    >>> hex(komabako.moves_from_usi(["7g7f"])[0])
    '0x1e3b'
    """
    return _native.moves_from_usi(texts, encoding, out, on_error)


@overload
def moves_from_labels(
    labels: Any,
    positions: Positions,
    kind: Classes = ...,
    *,
    encoding: Optional[Encoding] = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Moves] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Moves: ...
@overload
def moves_from_labels(
    labels: Any,
    positions: Positions,
    kind: Classes = ...,
    *,
    encoding: Optional[Encoding] = ...,
    codec: Optional[Packed] = ...,
    out: Optional[Moves] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Moves, Faults]: ...
def moves_from_labels(
    labels: Any,
    positions: Positions,
    kind: Classes = 2187,
    *,
    encoding: Optional[Encoding] = None,
    codec: Optional[Packed] = None,
    out: Optional[Moves] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Find the legal move of each label: the inverse of `labels`.

    Parameters
    ----------
    labels
        A label for each position; -1 is no move.
    positions
        Records, or words with ``codec``.
    kind
        The number of classes, 2187 or 1496.
    encoding
        The encoding of the result; by default that of the records' moves, or A.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(moves, faults)``.
    threads
        The number of threads; 0 is one for each CPU.

    Returns
    -------
    NDArray
        u2[n], 0 for the label -1.

    Raises
    ------
    DecodeError
        For a label that no legal move has.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], "psv")
    >>> komabako.moves_to_usi(komabako.moves_from_labels([59], start, codec="psv"))
    ['7g7f']
    """
    return _native.moves_from_labels(labels, positions, kind, encoding, codec, out, on_error, threads)


@overload
def mirror_moves(moves: Any, encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Raises = ...) -> Moves: ...
@overload
def mirror_moves(
    moves: Any, encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Masks
) -> tuple[Moves, Faults]: ...
def mirror_moves(
    moves: Any, encoding: Encoding = "A", *, out: Optional[Moves] = None, on_error: OnError = "raise"
) -> Any:
    """Exchange left and right in moves, as `mirror` does in records.

    Parameters
    ----------
    moves
        Integers of 16 bits.
    encoding
        Their encoding, which the result has too.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(moves, faults)``.

    Returns
    -------
    NDArray
        u2[n].

    Raises
    ------
    DecodeError
        For bits that are not a move.

    Examples
    --------
    >>> import komabako
    >>> komabako.moves_to_usi(komabako.mirror_moves(komabako.moves_from_usi(["7g7f"])))
    ['3g3f']
    """
    return _native.turned_moves(moves, "mirror", encoding, out, on_error)


@overload
def flip_moves(moves: Any, encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Raises = ...) -> Moves: ...
@overload
def flip_moves(
    moves: Any, encoding: Encoding = ..., *, out: Optional[Moves] = ..., on_error: Masks
) -> tuple[Moves, Faults]: ...
def flip_moves(moves: Any, encoding: Encoding = "A", *, out: Optional[Moves] = None, on_error: OnError = "raise") -> Any:
    """Rotate moves by 180°, as `flip` does with records.

    Parameters
    ----------
    moves
        Integers of 16 bits.
    encoding
        Their encoding, which the result has too.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(moves, faults)``.

    Returns
    -------
    NDArray
        u2[n].

    Raises
    ------
    DecodeError
        For bits that are not a move.

    Examples
    --------
    >>> import komabako
    >>> komabako.moves_to_usi(komabako.flip_moves(komabako.moves_from_usi(["7g7f"])))
    ['3c3d']
    """
    return _native.turned_moves(moves, "flip", encoding, out, on_error)


@overload
def is_legal(
    positions: Positions,
    moves: Any = ...,
    encoding: Optional[Encoding] = ...,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.bool_]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.bool_]: ...
@overload
def is_legal(
    positions: Positions,
    moves: Any = ...,
    encoding: Optional[Encoding] = ...,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.bool_]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.bool_], Faults]: ...
def is_legal(
    positions: Positions,
    moves: Any = None,
    encoding: Optional[Encoding] = None,
    *,
    codec: Optional[Packed] = None,
    out: Optional[NDArray[np.bool_]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Test whether each move is a legal move of a piece.

    Parameters
    ----------
    positions
        Records, or words with ``codec``.
    moves
        A move for each position; by default the records' own.
    encoding
        The encoding of ``moves``; by default that of the records' moves.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(legal, faults)``.
    threads
        The number of threads; 0 is one for each CPU.

    Returns
    -------
    NDArray
        bool[n]. Bits that are not a move are not legal.

    Raises
    ------
    DecodeError
        For a position that does not decode, or from which no game can be played.

    Examples
    --------
    >>> import komabako
    >>> start = komabako.from_sfen(["startpos"], "psv")
    >>> komabako.is_legal(start, komabako.moves_from_usi(["7g7e"]), "A", codec="psv").tolist()
    [False]
    """
    return _native.is_legal(positions, moves, encoding, codec, out, on_error, threads)


def labels64(labels: Any, count: int) -> NDArray[np.int64]:
    """Return ``count`` labels as an i8 array."""
    check_array(labels, "labels")
    numbers = np.asarray(labels)
    if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and numbers.size):
        raise ValueError(f"labels are integers, one for each position, not {numbers.dtype}{list(numbers.shape)}")
    if len(numbers) != count:
        raise ValueError(f"{len(numbers)} labels for {count} positions")
    if numbers.dtype == np.uint64 and numbers.size and int(numbers.max()) >= 2**63:
        raise ValueError(f"labels are numbers of classes, or -1 for no move, not {numbers.max()}")
    return np.ascontiguousarray(numbers, np.int64)


def moves16(moves: Any, count: Optional[int] = None) -> Moves:
    """Return moves as a one-dimensional u2 array, without a copy if they have 16 bits."""
    check_array(moves, "moves")
    array = np.asarray(moves)
    if array.ndim != 1 or (count is not None and len(array) != count):
        expected = "one dimension" if count is None else f"length {count}"
        raise ValueError(f"moves must be an array of {expected}, not of shape {list(array.shape)}")
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 2:
        if array.size:
            # In the encoding of PSV, which may not be the one that is meant.
            advice = '; numpy.array(moves, "u2") makes them of Move objects, in the encoding "yaneuraou"' if array.dtype == object else ""
            raise ValueError(f"moves must be of 16 bits, not {array.dtype}{advice}")
        return np.empty(0, np.uint16)
    if array.dtype.itemsize == 2 and array.dtype.isnative:
        aligned: Moves = np.require(array[:, np.newaxis].view(np.uint16)[:, 0], requirements="A")
        return aligned
    if array.size and (int(array.min()) < -(2**15) or int(array.max()) >= 2**16):
        raise ValueError("moves must be of 16 bits; one has more")
    return array.astype(np.uint16)
