"""Checks, selects, turns and hashes records."""

from __future__ import annotations

from typing import Any, Optional, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions
from ._options import Level, Masks, OnError, Packed, Raises
from .positions import Faults, Words


@overload
def canonical(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[Words] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> Words: ...
@overload
def canonical(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[Words] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[Words, Faults]: ...
def canonical(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Optional[Words] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Pack positions as words of SSPFv1's extension, which are equal for equal positions whatever their codec was.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
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
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako
    >>> from komabako.records import canonical
    >>> one = canonical(komabako.from_sfen(["startpos"], "psv"), codec="psv")
    >>> bool((one == canonical(komabako.from_sfen(["startpos"], "hcp"), codec="hcp")).all())
    True
    """
    return _native.recode(positions, codec, "sspfv1-ext", out, False, on_error, threads)


@overload
def flip(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[Any]: ...
@overload
def flip(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[Any], Faults]: ...
def flip(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Any = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Rotate positions by 180°, with colours exchanged.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(records, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        Of records, records of the same dtype with the move turned, too; the result stays that of the side to move. Of words,
        words of the same codec, u1[n,32] (u1[n,30] for r238).

    Raises
    ------
    DecodeError
        For a position that does not decode.
    EncodeError
        For a position that the codec cannot represent.

    Examples
    --------
    >>> import komabako
    >>> record = komabako.Position().record(move="2g2f")
    >>> komabako.moves_to_usi(komabako.flip(record)["move"])
    ['8c8d']
    """
    return _native.turned(positions, "flip", codec, out, on_error, threads)


@overload
def mirror(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[Any]: ...
@overload
def mirror(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Any = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[Any], Faults]: ...
def mirror(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Any = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Exchange left and right.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(records, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        Of records, records of the same dtype with the move turned, too. Of words, words of the same codec, u1[n,32] (u1[n,30] for
        r238).

    Raises
    ------
    DecodeError
        For a position that does not decode.
    EncodeError
        For a position that the codec cannot represent.

    Examples
    --------
    >>> import komabako
    >>> record = komabako.Position().record(move="2g2f")
    >>> komabako.moves_to_usi(komabako.mirror(record)["move"])
    ['8g8f']
    """
    return _native.turned(positions, "mirror", codec, out, on_error, threads)


@overload
def key64(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.uint64]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.uint64]: ...
@overload
def key64(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.uint64]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.uint64], Faults]: ...
def key64(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Optional[NDArray[np.uint64]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Hash positions: XXH3 of `canonical` in 64 bits.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(keys, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        u8[n]. From about 10^9 positions on, two of them may share a key: use `key128` for joins.

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako
    >>> komabako.key64(komabako.from_sfen(["startpos"], "psv"), codec="psv").shape
    (1,)
    """
    return _native.hashes(positions, codec, 1, out, on_error, threads)


@overload
def key128(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.uint64]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.uint64]: ...
@overload
def key128(
    positions: Positions,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.uint64]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.uint64], Faults]: ...
def key128(
    positions: Positions,
    *,
    codec: Optional[Packed] = None,
    out: Optional[NDArray[np.uint64]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Hash positions: XXH3 of `canonical` in 128 bits.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    codec
        How words are packed: a codec, or a format by name or dtype.
    out
        The array to write to, which is returned.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(keys, faults)``, and the outputs of bad records are zeros.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        u8[n,2], the lower half first.

    Raises
    ------
    DecodeError
        For a position that does not decode.

    Examples
    --------
    >>> import komabako
    >>> komabako.key128(komabako.from_sfen(["startpos"], "psv"), codec="psv").shape
    (1, 2)
    """
    return _native.hashes(positions, codec, 2, out, on_error, threads)


def validate(
    positions: Positions,
    *,
    level: Level = "legality",
    codec: Optional[Packed] = None,
    threads: int = 1,
) -> Faults:
    """Check records.

    Parameters
    ----------
    positions
        Records, or words with ``codec``: an array, bytes or a column of Arrow.
    level
        ``"codec"`` and ``"inventory"``: the position decodes, which implies no more pieces than a set has. ``"legality"``: also,
        a game can be played from the position, and the record's move and result are valid.
    codec
        How words are packed: a codec, or a format by name or dtype.
    threads
        The number of threads; 0 is one for each CPU. The result does not depend on it.

    Returns
    -------
    NDArray
        u1[n] of `Fault` numbers, 0 for good records.

    Raises
    ------
    ValueError
        For another level.

    Examples
    --------
    >>> import komabako
    >>> komabako.validate(komabako.Position().record(move="7g7f")).tolist()
    [0]
    >>> komabako.errors.Fault(komabako.validate(komabako.Position().record(move="7g7d"))[0]).name
    'MOVE_UNREACHABLE'
    """
    return _native.validate(positions, level, codec, threads)


@overload
def where(
    records: Positions,
    expression: str,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.bool_]] = ...,
    on_error: Raises = ...,
    threads: int = ...,
) -> NDArray[np.bool_]: ...
@overload
def where(
    records: Positions,
    expression: str,
    *,
    codec: Optional[Packed] = ...,
    out: Optional[NDArray[np.bool_]] = ...,
    on_error: Masks,
    threads: int = ...,
) -> tuple[NDArray[np.bool_], Faults]: ...
def where(
    records: Positions,
    expression: str,
    *,
    codec: Optional[Packed] = None,
    out: Optional[NDArray[np.bool_]] = None,
    on_error: OnError = "raise",
    threads: int = 1,
) -> Any:
    """Test a condition on each record, as `komabako filter --where` does.

    Parameters
    ----------
    records
        Records: a structured array of a known dtype.
    expression
        The condition, such as ``"not in_check and abs(score) < 2000"``; EXPRESSIONS.md of komabako-dataset has all names. Of
        words, only positions are known.
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
        bool[n].

    Raises
    ------
    ExpressionError
        For a text that is no expression.
    ValueError
        If the records lack a field that the expression needs.
    DecodeError
        For a record that does not decode.

    Examples
    --------
    >>> import komabako, numpy
    >>> records = numpy.concatenate([komabako.Position().record(score=score) for score in (10, 900)])
    >>> records[komabako.where(records, "score > 100 and not in_check")]["score"].tolist()
    [900]
    """
    return _native.holds(records, expression, codec, out, on_error, threads)
