"""Packed shogi positions as NumPy arrays.

A batch of records is an array. These functions process a whole batch in one call, with the GIL released, where cshogi
takes one record at a time:

>>> import numpy as np, komabako
>>> words = komabako.from_sfen(["startpos"], codec="psv")
>>> boards = komabako.decode_board(words, codec="psv")
>>> boards.board.shape, int(boards.board[0, 8])
((1, 81), 2)
>>> first, second = komabako.features.dlshogi(words, codec="psv")
>>> first.shape, second.shape
((1, 62, 9, 9), (1, 57, 9, 9))

Positions are a structured array of a known dtype (`komabako.PackedSfenValue`, …) or bytes with a ``codec``. Most functions take
``out`` (arrays to write to, which are returned), ``on_error`` (``"raise"``, or ``"mask"``: the result is ``(result, faults)``,
and the outputs of bad records are zeros) and ``threads`` (0: one per CPU; the result does not depend on it).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._native import __version__
from .errors import DecodeError, EncodeError, Fault, FormatError, KomabakoError, LeftOutWarning, LoaderError, LossError

if TYPE_CHECKING:
    from . import features
    from .dtypes import (
        C250,
        R238,
        Compact32,
        Compact36,
        Ext36,
        HuffmanCodedPos,
        HuffmanCodedPosAndEval,
        PackedSfen,
        PackedSfenValue,
        Sspf,
        SspfExt,
    )
    from .files import Batches, Split, memmap, read_split, splits
    from .loader import Batch, Source
    from .moves import is_legal, move16, moves_from_usi, moves_to_usi
    from .positions import (
        Boards,
        canonical,
        decode_board,
        encode_board,
        flip,
        from_sfen,
        key64,
        key128,
        mirror,
        recode,
        to_sfen,
        validate,
    )
    from .streams import RecordFile, RecordWriter, create, open
    from .training import labels, legal_mask, targets

# Lazily imported, because NumPy takes a tenth of a second: reading the version or an error class does not import it.
_HOMES = {
    "dtypes": (
        "PackedSfenValue",
        "HuffmanCodedPosAndEval",
        "HuffmanCodedPos",
        "PackedSfen",
        "Sspf",
        "SspfExt",
        "C250",
        "R238",
        "Compact36",
        "Compact32",
        "Ext36",
    ),
    "positions": (
        "Boards",
        "decode_board",
        "encode_board",
        "recode",
        "to_sfen",
        "from_sfen",
        "validate",
        "key64",
        "key128",
        "canonical",
        "flip",
        "mirror",
    ),
    "files": ("Batches", "Split", "memmap", "read_split", "splits"),
    "loader": ("Batch", "Source"),
    "streams": ("RecordFile", "RecordWriter", "create", "open"),
    "moves": ("move16", "moves_to_usi", "moves_from_usi", "is_legal"),
    "training": ("labels", "legal_mask", "targets"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "__version__",
    "Batch",
    "Batches",
    "Boards",
    "C250",
    "canonical",
    "Compact32",
    "Compact36",
    "create",
    "decode_board",
    "DecodeError",
    "encode_board",
    "EncodeError",
    "Ext36",
    "Fault",
    "features",
    "flip",
    "FormatError",
    "from_sfen",
    "HuffmanCodedPos",
    "HuffmanCodedPosAndEval",
    "is_legal",
    "key128",
    "key64",
    "KomabakoError",
    "labels",
    "legal_mask",
    "LeftOutWarning",
    "LoaderError",
    "LossError",
    "memmap",
    "mirror",
    "move16",
    "moves_from_usi",
    "moves_to_usi",
    "open",
    "PackedSfen",
    "PackedSfenValue",
    "R238",
    "read_split",
    "recode",
    "RecordFile",
    "RecordWriter",
    "Source",
    "Split",
    "splits",
    "Sspf",
    "SspfExt",
    "targets",
    "to_sfen",
    "validate",
]


def __getattr__(name: str) -> Any:
    if name == "features":
        return importlib.import_module(".features", __name__)
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module("." + _HOME_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
