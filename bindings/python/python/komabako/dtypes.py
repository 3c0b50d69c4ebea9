"""dtypes of records. The first four equal cshogi's, with the same names and order of fields."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

import numpy as np

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


#: Keyed by field names and record size, not by dtype: dlshogi writes `bestMove16` unsigned, others the result.
_LAYOUTS: Dict[tuple[Optional[tuple[str, ...]], int], Layout] = {
    (dtype.names, dtype.itemsize): layout
    for dtype, layout in (
        (PackedSfenValue, Layout("psv", "psv", "move", "A")),
        (HuffmanCodedPosAndEval, Layout("hcpe", "hcp", "bestMove16", "C")),
        (HuffmanCodedPos, Layout("hcp", "hcp")),
        (PackedSfen, Layout("packed_sfen", "psv")),
        (Sspf, Layout("sspfv1", "sspfv1")),
        (SspfExt, Layout("sspfv1-ext", "sspfv1-ext")),
        (C250, Layout("c250", "c250-payload")),
        (R238, Layout("r238", "r238")),
        (Compact36, Layout("compact36", "r238-result", "move", "A")),
        (Compact32, Layout("compact32", "r238-result")),
        (Ext36, Layout("ext36", "sspfv1-ext", "move", "A")),
    )
}

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


def layout_of(dtype: Dtype) -> Optional[Layout]:
    """Return the layout of a dtype's records, or None if the dtype is unknown."""
    return _LAYOUTS.get((dtype.names, dtype.itemsize))
