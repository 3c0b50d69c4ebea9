"""Types that are right, and lines with errors that a type checker must find: those with the comment `# error`.

`test_types.py` runs mypy (and pyright, if it is installed) on it; it is not executed.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

import komabako
from komabako.errors import GameError
from komabako.features import Dlshogi, Sparse
from komabako.objects import Game, Mates, Move
from komabako.positions import Boards
from komabako.training import Targets


def right(records: NDArray[np.void]) -> None:
    boards: Boards = komabako.decode_board(records)
    masked: Tuple[Boards, NDArray[np.uint8]] = komabako.decode_board(records, on_error="mask")
    texts: List[str] = komabako.to_sfen(records)
    keys: NDArray[np.uint64] = komabako.key64(records, threads=0)
    labels: NDArray[np.int64] = komabako.labels(records, kind=1496)
    targets: Targets = komabako.targets(records)
    planes: Dlshogi = komabako.features.dlshogi(records, "bits")
    indices: NDArray[np.int32] = komabako.features.halfkp(records)
    sparse: Sparse = komabako.features.halfka_hm(records, offsets=True)
    moves: NDArray[np.uint16] = komabako.move16([1], "yaneuraou", "apery")
    chosen: NDArray[np.bool_] = komabako.where(records, "ply > 20")
    mates: Mates = komabako.solve(records, convention="strict")
    games: Iterator[Game] = komabako.games("a.csa", on_error="skip")
    either: Iterator[Union[Game, GameError]] = komabako.games("a.csa", on_error="yield")
    position = komabako.Position(records[0])
    legal: List[Move] = position.legal_moves
    piece: Optional[str] = position.piece_at("7g")
    batches = komabako.Batches("a.psv", 64, order="riffle", features="halfkp")
    position.push(np.uint16(7739))
    position.record(score=np.int16(30))
    left_out: Tuple[int, int] = batches.left_out
    state: Dict[str, object] = batches.state_dict()
    print(boards, masked, texts, keys, labels, targets, planes, indices, sparse, moves, chosen, mates, games, either, legal, piece, state, left_out)


def wrong(records: NDArray[np.void]) -> None:
    boards = komabako.decode_board(records)
    boards.bord  # error
    komabako.Batches("a.psv", 64, order="shuffel")  # error
    komabako.decode_board(3)  # error
    x: int = komabako.labels(records)  # error
    komabako.labels(records, kind=2188)  # error
    komabako.key64(records, on_error="ignore")  # error
    komabako.from_sfen(["startpos"], "pvs")  # error
    komabako.move16([1], "A", "D")  # error
    komabako.features.halfkp(records, perspective="white")  # error
    komabako.solve(records, convention="short")  # error
    y: Boards = komabako.decode_board(records, on_error="mask")  # error
    komabako.validate(records, level="all")  # error
    komabako.Position().legal_moves[0].sfen  # error
    komabako.Position().record(result="won")  # error
    z: Game = next(komabako.games("a.csa", on_error="yield"))  # error
    print(x, y, z)
