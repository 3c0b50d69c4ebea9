"""The values of options: for type checkers, and checks of numbers."""

from __future__ import annotations

from typing import Any, Literal, Union

import numpy as np

#: ``on_error`` of functions on arrays.
Raises = Literal["raise"]
Masks = Literal["mask"]
OnError = Literal["raise", "mask"]
#: ``on_error`` of readers.
OnBadRecord = Literal["raise", "skip"]
OnBadGame = Literal["raise", "skip"]
Yields = Literal["yield"]

#: How the plies of a mate are counted.
Convention = Literal["tsume", "strict"]
Winner = Literal["black", "white", "draw"]

#: The packing of words.
Codec = Literal[
    "psv",
    "psv-lenient",
    "hcp",
    "nshogi",
    "sspfv1",
    "sspfv1-ext",
    "c250",
    "r238",
]
#: Formats with a dtype.
Format = Literal[
    "psv",
    "hcpe",
    "hcpe2",
    "hcp",
    "packed_sfen",
    "sspfv1",
    "sspfv1-ext",
    "c250",
    "r238",
    "compact36",
    "compact32",
    "ext36",
]
#: What `recode` makes: words of a codec or records of a format.
Packing = Union[Codec, Format]
#: What words are given as.
Packed = Union[Codec, Format, "np.dtype[Any]"]
#: The encoding of moves; the letters are short for the first three.
Encoding = Literal["yaneuraou", "rshogi", "apery", "A", "B", "C"]
#: The number of labels.
Classes = Literal[2187, 1496]
Perspective = Literal["side", "black"]
Level = Literal["codec", "inventory", "legality"]
Order = Literal["shuffle", "blocks", "file", "riffle", "stream"]
FeatureSet = Literal[
    "halfkp",
    "halfkpvm",
    "halfkpe9",
    "halfka1",
    "halfka2",
    "halfka_hm1",
    "halfka_hm2",
    "kp",
    "ka2",
    "pieces",
]
Layout = Literal["padded", "coo", "offsets"]
Missing = Literal["omit", "zero"]
Policy = Literal["moves", "compact_moves"]
Planes = Literal["f32", "f16", "u8", "bits"]
OnBadInBatch = Literal["raise", "skip", "weight0"]
OnKingless = Literal["drop", "zero"]


def checked_size(batch_size: Any, name: str = "batch_size") -> int:
    """Return a number of records, as an int."""
    if isinstance(batch_size, bool) or not isinstance(batch_size, (int, np.integer)) or batch_size < 1:
        raise ValueError(f"{name} is a number of records from 1, not {batch_size!r}")
    return int(batch_size)


def checked_number(name: str, given: Any, least: int = 0) -> int:
    """Return an option that is an integer of 64 bits, as an int."""
    is_number = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if not is_number or not least <= given < 1 << 64:
        raise ValueError(f"{name} is an integer from {least} and below 2**64, not {given!r}")
    return int(given)
