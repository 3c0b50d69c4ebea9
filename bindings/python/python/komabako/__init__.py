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

if TYPE_CHECKING:
    from . import dtypes as dtypes
    from . import errors as errors
    from . import features as features
    from . import objects as objects
    from . import records as records
    from . import splits as splits
    from .batches import Batches
    from .dtypes import HuffmanCodedPos, HuffmanCodedPosAndEval, PackedSfen, PackedSfenValue
    from .files import memmap
    from .loader import Source
    from .moves import flip_moves, is_legal, mirror_moves, move16, moves_from_labels, moves_from_usi, moves_to_usi
    from .objects import Position, games, solve
    from .positions import decode_board, encode_board, from_sfen, recode, to_sfen
    from .records import flip, key64, key128, mirror, validate, where
    from .streams import create, policy
    from .streams import open as open
    from .training import labels, legal_mask, targets

# Lazily imported, because NumPy takes a tenth of a second: reading the version or an error class does not import it.
_HOMES = {
    "dtypes": ("PackedSfenValue", "HuffmanCodedPosAndEval", "HuffmanCodedPos", "PackedSfen"),
    "positions": ("decode_board", "encode_board", "recode", "to_sfen", "from_sfen"),
    "records": ("flip", "key64", "key128", "mirror", "validate", "where"),
    "objects": ("Position", "games", "solve"),
    "batches": ("Batches",),
    "files": ("memmap",),
    "loader": ("Source",),
    "streams": ("create", "open", "policy"),
    "moves": ("flip_moves", "is_legal", "mirror_moves", "move16", "moves_from_labels", "moves_from_usi", "moves_to_usi"),
    "training": ("labels", "legal_mask", "targets"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}
#: Names that were here before. A list, because importing a module asks this one for names while it is not complete.
_MOVED = {
    "dtypes": ("C250", "Compact32", "Compact36", "Ext36", "R238", "Sspf", "SspfExt"),
    "errors": (
        "DecodeError",
        "EncodeError",
        "Fault",
        "FormatError",
        "KomabakoError",
        "LeftOutWarning",
        "LoaderError",
        "LossError",
    ),
    "loader": ("Batch",),
    "positions": ("Boards",),
    "records": ("canonical",),
    "splits": ("Split", "read_split"),
    "streams": ("RecordFile", "RecordWriter"),
}
#: Modules that are attributes without being imported first.
_MODULES = ("arrow", "dtypes", "errors", "features", "loader", "objects", "positions", "records", "splits", "training")

# Without `open`: `import *` must not replace the built-in function.
__all__ = [
    "Batches",
    "HuffmanCodedPos",
    "HuffmanCodedPosAndEval",
    "PackedSfen",
    "PackedSfenValue",
    "Position",
    "Source",
    "create",
    "decode_board",
    "encode_board",
    "errors",
    "features",
    "flip",
    "flip_moves",
    "from_sfen",
    "games",
    "is_legal",
    "key64",
    "key128",
    "labels",
    "legal_mask",
    "memmap",
    "mirror",
    "mirror_moves",
    "move16",
    "moves_from_labels",
    "moves_from_usi",
    "moves_to_usi",
    "policy",
    "recode",
    "solve",
    "targets",
    "to_sfen",
    "validate",
    "where",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name not in _HOME_OF:
        moved = next((f"; it is komabako.{module}.{name}" for module, names in _MOVED.items() if name in names), "")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{moved}")
    value = getattr(importlib.import_module("." + _HOME_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "open"])
