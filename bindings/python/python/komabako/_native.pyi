from typing import Any, Dict, List, Optional, Protocol, Tuple, final

import numpy as np
from numpy.typing import NDArray

_U1 = NDArray[np.uint8]
_U2 = NDArray[np.uint16]

__all__ = [
    "__version__",
    "FAULTS",
    "Archive",
    "Loader",
    "Reader",
    "Writer",
    "detect",
    "format_of_path",
    "run_program",
    "threads",
    "word_size",
    "decode_board",
    "encode_board",
    "pack_as",
    "hashes",
    "to_sfen",
    "from_sfen",
    "convert",
    "record_bytes",
    "overwrite",
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
    "nnue",
    "labels",
    "legal_mask",
]

__version__: str
FAULTS: List[str]

class _Stream(Protocol):
    """A source of the bytes of a file: ``read`` returns the next ones, or none at the end."""

    def read(self, size: int, /) -> bytes: ...

@final
class Archive:
    @staticmethod
    def open(path: str) -> Optional[Archive]: ...
    @property
    def format(self) -> str: ...
    @property
    def starts(self) -> List[int]: ...
    def read_block(self, block: int, out: _U1) -> None: ...

@final
class Loader:
    def __new__(cls, plan: str, progress: Optional[Tuple[NDArray[np.int32], int]] = None) -> Loader: ...
    def next(self) -> Optional[Dict[str, Any]]: ...
    def state(self) -> str: ...
    def resume(self, state: str) -> None: ...
    def set_epoch(self, epoch: int) -> None: ...
    @property
    def epoch(self) -> int: ...
    @property
    def batches(self) -> Optional[int]: ...
    @property
    def left_out(self) -> Tuple[int, int]: ...

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
def threads(count: Any, /) -> int: ...
def word_size(codec: Any, /) -> int: ...
def decode_board(positions: Any, codec: Any, out: Any, on_error: Any, threads: Any, kind: Any, /) -> Any: ...
def encode_board(
    board: _U1, hands: _U1, side: _U1, codec: Any, out: Any, on_error: Any, threads: Any, /
) -> Any: ...
def pack_as(
    positions: Any, codec: Any, to: Any, view: str, out: Any, on_error: Any, threads: Any, /
) -> Any: ...
def hashes(positions: Any, codec: Any, width: int, out: Any, on_error: Any, threads: Any, /) -> Any: ...
def to_sfen(positions: Any, codec: Any, on_error: Any, threads: Any, /) -> Any: ...
def from_sfen(sfens: Any, codec: Any, out: Any, on_error: Any, threads: Any, /) -> Any: ...
def record_bytes(records: Any, codec: Any, function: str, /) -> _U1: ...
def overwrite(out: Any, made: NDArray[Any], /) -> None: ...
def convert(
    records: Any, codec: Any, to: np.dtype[Any], out: Any, allow_loss: bool, on_error: Any, threads: Any, /
) -> Any: ...
def validate(records: Any, level: str, codec: Any, threads: Any, /) -> _U1: ...
def targets(
    records: Any, scale: float, mate: int, codec: Any, out: Any, on_error: Any, threads: Any, kind: Any, /
) -> Any: ...
def convert_moves(moves: Any, from_: str, to: str, out: Any, on_error: Any, /) -> Any: ...
def moves_to_usi(moves: Any, from_: str, on_error: Any, /) -> Any: ...
def moves_from_usi(usi: Any, to: str, out: Any, on_error: Any, /) -> Any: ...
def is_legal(
    positions: Any,
    moves: Any,
    encoded: Optional[str],
    codec: Any,
    out: Any,
    on_error: Any,
    threads: Any,
    /,
) -> Any: ...
def dlshogi(
    positions: Any,
    dtype: Any,
    nyugyoku: bool,
    codec: Any,
    out: Any,
    on_error: Any,
    threads: Any,
    kind: Any,
    /,
) -> Any: ...
def nnue(
    positions: Any, has_kings: bool, perspective: Any, codec: Any, out: Any, on_error: Any, threads: Any, /
) -> Any: ...
def labels(
    positions: Any,
    moves: Any,
    kind: int,
    encoded: Optional[str],
    codec: Any,
    out: Any,
    on_error: Any,
    threads: Any,
    /,
) -> Any: ...
def legal_mask(
    positions: Any, kind: Any, dtype: Any, codec: Any, out: Any, on_error: Any, threads: Any, /
) -> Any: ...
def permute(places: NDArray[np.uint64], count: int, key: List[int], out: NDArray[np.uint64]) -> None: ...
def shuffle_buckets(seed: int, first: int, out: _U2) -> None: ...
def shuffle_order(seed: int, buckets: _U2) -> NDArray[np.uintp]: ...
