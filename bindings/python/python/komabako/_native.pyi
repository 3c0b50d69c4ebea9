from typing import Any, Dict, List, Optional, Protocol, Tuple, final

import numpy as np
from numpy.typing import NDArray

_U1 = NDArray[np.uint8]
_U2 = NDArray[np.uint16]

__all__ = [
    "__version__",
    "CODECS",
    "FAULTS",
    "Packing",
    "small_hashes",
    "small_boards",
    "small_packed",
    "small_sfens",
    "small_bits",
    "small_nnue",
    "small_masks",
    "Reader",
    "Writer",
    "detect",
    "format_of_path",
    "run_program",
    "decode_board",
    "encode_board",
    "pack_as",
    "hashes",
    "to_sfen",
    "from_sfen",
    "convert",
    "losses",
    "validate",
    "targets",
    "permute",
    "shuffle_buckets",
    "shuffle_order",
    "convert_moves",
    "moves_to_usi",
    "moves_from_usi",
    "is_legal",
    "dlshogi",
    "dlshogi_bits",
    "nnue",
    "labels",
    "legal_mask",
]

__version__: str
CODECS: Dict[str, int]
FAULTS: List[str]

class _Stream(Protocol):
    """A source of the bytes of a file: ``read`` returns the next ones, or none at the end."""

    def read(self, size: int, /) -> bytes: ...

@final
class Packing:
    def __new__(cls, codec: str, size: int) -> Packing: ...

def small_hashes(known: Dict[Any, Packing], positions: Any, codec: Optional[str], width: int, /) -> Optional[NDArray[np.uint64]]: ...
def small_boards(known: Dict[Any, Packing], positions: Any, codec: Optional[str], /) -> Optional[List[_U1]]: ...
def small_packed(known: Dict[Any, Packing], positions: Any, codec: Optional[str], to: str, view: str, /) -> Optional[_U1]: ...
def small_sfens(known: Dict[Any, Packing], positions: Any, codec: Optional[str], /) -> Optional[List[str]]: ...
def small_bits(known: Dict[Any, Packing], positions: Any, codec: Optional[str], nyugyoku: bool, /) -> Optional[List[_U1]]: ...
def small_nnue(
    known: Dict[Any, Packing], positions: Any, codec: Optional[str], has_kings: bool, black_first: bool, /
) -> Optional[NDArray[np.int32]]: ...
def small_masks(known: Dict[Any, Packing], positions: Any, codec: Optional[str], kind: int, /) -> Optional[_U1]: ...
@final
class Reader:
    def __new__(
        cls,
        path: str,
        from_: Optional[str],
        to: str,
        skips_bad: bool,
        is_checked: bool,
        salvages: bool,
        missing_score: Optional[int],
        takes_unfinished: bool,
        threads: int,
        stream: Optional[_Stream] = None,
    ) -> Reader: ...
    @property
    def left_out(self) -> tuple[int, int, int]: ...
    def read_into(self, out: _U1) -> int: ...
    def close(self) -> None: ...

@final
class Writer:
    def __new__(
        cls, path: str, from_: str, to: Optional[str], force: bool, allow_loss: bool, threads: int
    ) -> Writer: ...
    def write(self, records: _U1) -> None: ...
    def close(self, keep: bool) -> None: ...

def detect(
    path: str, from_: Optional[str], stream: Optional[_Stream] = None
) -> Tuple[Optional[str], str, List[str], Optional[int]]: ...
def format_of_path(path: str) -> Optional[str]: ...
def run_program(arguments: List[str]) -> int: ...
def decode_board(
    positions: _U1, codec: str, board: _U1, hands: _U1, side: _U1, kings: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def encode_board(
    board: _U1, hands: _U1, side: _U1, codec: str, words: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def pack_as(
    positions: _U1, codec: str, to: str, view: str, words: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def hashes(positions: _U1, codec: str, out: NDArray[np.uint64], faults: Optional[_U1], threads: int) -> None: ...
def to_sfen(positions: _U1, codec: str, faults: Optional[_U1], threads: int) -> List[str]: ...
def from_sfen(texts: List[str], codec: str, words: _U1, faults: Optional[_U1], threads: int) -> None: ...
def convert(
    records: _U1, codec: str, from_: str, to: str, out: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def losses(from_: str, to: str) -> List[str]: ...
def validate(
    records: _U1, codec: str, format: Optional[str], level: str, faults: _U1, threads: int
) -> None: ...
def targets(
    records: _U1,
    codec: str,
    format: str,
    scale: float,
    mate: int,
    value: NDArray[np.float32],
    result: NDArray[np.float32],
    faults: Optional[_U1],
    threads: int,
) -> None: ...
def convert_moves(moves: _U2, from_: str, to: str, out: _U2, faults: Optional[_U1]) -> None: ...
def moves_to_usi(moves: _U2, from_: str, faults: Optional[_U1]) -> List[str]: ...
def moves_from_usi(texts: List[str], to: str, out: _U2, faults: Optional[_U1]) -> None: ...
def is_legal(
    positions: _U1,
    codec: str,
    moves: _U2,
    encoded: str,
    out: NDArray[np.bool_],
    faults: Optional[_U1],
    threads: int,
) -> None: ...
def dlshogi(
    positions: _U1,
    codec: str,
    nyugyoku: bool,
    features1: NDArray[np.generic],
    features2: NDArray[np.generic],
    faults: Optional[_U1],
    threads: int,
) -> None: ...
def dlshogi_bits(
    positions: _U1, codec: str, nyugyoku: bool, features1: _U1, features2: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def nnue(
    positions: _U1,
    codec: str,
    kind: str,
    black_first: bool,
    indices: NDArray[np.int32],
    faults: Optional[_U1],
    threads: int,
) -> None: ...
def labels(
    positions: _U1,
    codec: str,
    moves: _U2,
    encoded: str,
    kind: int,
    out: NDArray[np.int64],
    faults: Optional[_U1],
    threads: int,
) -> None: ...
def legal_mask(
    positions: _U1, codec: str, kind: int, packed: bool, out: _U1, faults: Optional[_U1], threads: int
) -> None: ...
def permute(places: NDArray[np.uint64], count: int, key: List[int], out: NDArray[np.uint64]) -> None: ...
def shuffle_buckets(seed: int, first: int, out: _U2) -> None: ...
def shuffle_order(seed: int, buckets: _U2) -> NDArray[np.uintp]: ...
