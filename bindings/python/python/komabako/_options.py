"""The values of options, for type checkers."""

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
