"""dtypes of records. The first four equal cshogi's, with the same names and order of fields."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

from .errors import KomabakoError

Dtype = np.dtype[Any]

PackedSfenValue: Dtype = np.dtype(
    [
        ("sfen", "u1", 32),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", "i1"),
        ("padding", "u1"),
    ]
)
"""YaneuraOu's record, 40 bytes: files ``.psv``, ``.bin``."""
HuffmanCodedPosAndEval: Dtype = np.dtype(
    [("hcp", "u1", 32), ("eval", "<i2"), ("bestMove16", "<i2"), ("gameResult", "i1"), ("dummy", "u1")]
)
"""Apery's and dlshogi's record, 38 bytes: files ``.hcpe``. Its result may also be unsigned, and its move too."""
HuffmanCodedPos: Dtype = np.dtype([("hcp", "u1", 32)])
"""Apery's packed position: files ``.hcp``."""
PackedSfen: Dtype = np.dtype([("sfen", "u1", 32)])
"""YaneuraOu's packed position: files ``.packed_sfen``, ``.psfen``."""
Sspf: Dtype = np.dtype([("sspf", "u1", 32)])
"""A word of SSPFv1: files ``.sspfv1``."""
SspfExt: Dtype = np.dtype([("sspf_ext", "u1", 32)])
"""A word of SSPFv1's extension, which can represent every position: files ``.sspfv1-ext``."""
C250: Dtype = np.dtype([("word", "u1", 32)])
"""A word of C250, a position and a payload: files ``.c250``."""
R238: Dtype = np.dtype([("rank", "u1", 30)])
"""The rank of a position in 30 bytes: files ``.r238``."""
Compact36: Dtype = np.dtype(
    [("rank_and_result", "u1", 30), ("move", "<u2"), ("score", "<i2"), ("ply", "<u2")]
)
"""A whole record in 36 bytes, the rank and the result in one number: files ``.compact36``."""
Compact32: Dtype = np.dtype([("rank_and_result", "u1", 30), ("score", "<i2")])
"""Position, result and score in 32 bytes: files ``.compact32``."""
Ext36: Dtype = np.dtype([("sspf_ext", "u1", 32), ("move", "<u2"), ("score", "<i2")])
"""Any position, with a move and a score: files ``.ext36``."""


class Layout(NamedTuple):
    """The layout of the records of a dtype."""

    format: str  #: the program's name for the format
    codec: str
    move: Optional[str] = None  #: the field of the move
    encoding: str = "A"  #: the encoding of its 16 bits


#: The name and the layout of each dtype, by its fields' names.
_LAYOUTS: Dict[Optional[tuple[str, ...]], tuple[str, Dtype, Layout]] = {
    dtype.names: (name, dtype, layout)
    for name, dtype, layout in (
        ("PackedSfenValue", PackedSfenValue, Layout("psv", "psv", "move", "A")),
        ("HuffmanCodedPosAndEval", HuffmanCodedPosAndEval, Layout("hcpe", "hcp", "bestMove16", "C")),
        ("HuffmanCodedPos", HuffmanCodedPos, Layout("hcp", "hcp")),
        ("PackedSfen", PackedSfen, Layout("packed_sfen", "psv")),
        ("Sspf", Sspf, Layout("sspfv1", "sspfv1")),
        ("SspfExt", SspfExt, Layout("sspfv1-ext", "sspfv1-ext")),
        ("C250", C250, Layout("c250", "c250-payload")),
        ("R238", R238, Layout("r238", "r238")),
        ("Compact36", Compact36, Layout("compact36", "r238-result", "move", "A")),
        ("Compact32", Compact32, Layout("compact32", "r238-result")),
        ("Ext36", Ext36, Layout("ext36", "sspfv1-ext", "move", "A")),
    )
}
#: Fields that may be signed or unsigned: dlshogi writes `bestMove16` unsigned, others the result.
_ANY_SIGN = ("move", "bestMove16", "game_result", "gameResult", "padding", "dummy")
#: The layouts of dtypes that were accepted before.
_ACCEPTED: Dict[Dtype, Layout] = {}

#: The dtype of each format of packed records.
DTYPES: Dict[str, Dtype] = {
    "psv": PackedSfenValue,
    "hcpe": HuffmanCodedPosAndEval,
    "hcpe2": HuffmanCodedPosAndEval,
    "hcp": HuffmanCodedPos,
    "packed_sfen": PackedSfen,
    "sspfv1": Sspf,
    "sspfv1-ext": SspfExt,
    "c250": C250,
    "r238": R238,
    "compact36": Compact36,
    "compact32": Compact32,
    "ext36": Ext36,
}


def dtype_of(given: Any) -> Optional[Dtype]:
    """Return the dtype of a format's records, given by the format's name or by itself; None for anything else."""
    if isinstance(given, str):
        return DTYPES.get(given)
    return given if isinstance(given, np.dtype) and layout_of(given) is not None else None


def unknown_codec(given: Any, names: str) -> str:
    """Return the sentence for what is no codec of words: it may be a format of records, which are packed by one."""
    dtype = dtype_of(given)
    layout = None if dtype is None else layout_of(dtype)
    packed = ""
    if layout is not None:
        codec = layout.codec.removesuffix("-payload").removesuffix("-result")
        packed = f"; records of {layout.format} are packed by {codec}"
    return f"codec {given!r} is not known here; the codecs are {names}{packed}"


def layout_of(dtype: Dtype) -> Optional[Layout]:
    """Return the layout of a dtype's records, or None if the dtype is unknown.

    Raises `KomabakoError` for a dtype with the names of a known one but numbers of other types or offsets, whose bytes would be
    misread.
    """
    layout = _ACCEPTED.get(dtype)
    if layout is not None:
        return layout
    name, expected, layout = _LAYOUTS.get(dtype.names, ("", None, None))
    if expected is None or layout is None:
        return None
    wrong = _difference(dtype, expected)
    if wrong is not None:
        if not _is_convertible(dtype, expected):
            return None
        known = f"komabako.dtypes.{name}"
        raise KomabakoError(f"records with the fields of {known}, but {wrong}; records.astype({known}) converts their values")
    # Programs have a handful of dtypes; the limit protects the memory from one that keeps creating new ones.
    if len(_ACCEPTED) < 64:
        _ACCEPTED[dtype] = layout
    return layout


def _difference(dtype: Dtype, expected: Dtype) -> Optional[str]:
    """Return the first difference of a dtype from the one with the same names, or None."""
    assert expected.fields is not None and dtype.fields is not None
    for name in expected.names or ():
        (want, at), (has, place) = expected.fields[name][:2], dtype.fields[name][:2]
        is_same = has == want or (name in _ANY_SIGN and has in (_signed(want, "i"), _signed(want, "u")))
        if not is_same or place != at:
            return f"{name} is {_text(has)} at byte {place} instead of {_text(want)} at byte {at}"
    if dtype.itemsize != expected.itemsize:
        return f"of {dtype.itemsize} bytes instead of {expected.itemsize}"
    return None


def _is_convertible(dtype: Dtype, expected: Dtype) -> bool:
    """Return whether ``astype`` keeps the meaning of the fields: numbers of the same shape."""
    return all(dtype[name].base.kind in "iuf" and dtype[name].shape == expected[name].shape for name in expected.names or ())


def _signed(field: Dtype, kind: str) -> Dtype:
    return np.dtype(f"<{kind}{field.itemsize}")


def _text(field: Dtype) -> str:
    """Return a field's type with its byte order, which the ``str`` of a subarray leaves out."""
    return field.base.str.lstrip("|") + (str(list(field.shape)) if field.shape else "")
