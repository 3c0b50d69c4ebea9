"""Single positions, mates, and game records: `Position`, `solve` and `games`."""

from __future__ import annotations

import os
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._buffers import Positions
from ._native import Game, Move, Position
from ._options import Convention, Masks, OnBadGame, Packed, Raises, Yields, checked_number
from .errors import GameError
from .files import _list

__all__ = ["Game", "Mates", "Move", "Position", "Variation", "games", "solve"]


class Mates(NamedTuple):
    """The results of `solve`, a row for each position."""

    length: NDArray[np.int16]
    """i2[n]: the plies of the mate, 0 for none"""
    exact: NDArray[np.bool_]
    """bool[n]: whether no shorter mate exists"""
    verdict: NDArray[np.str_]
    """U14[n]: ``"mate"``, ``"no-mate"``, ``"no-mate-within"`` if there is none within ``max_plies`` (a longer one may exist), or
    ``"unknown"`` if a limit ended the search"""
    first: NDArray[np.uint16]
    """u2[n]: the first move of the mate, as in PSV, 0 for none"""
    lines: List[List[str]]
    """the mating lines in USI text"""


class Variation(NamedTuple):
    """A line of a game that leaves another."""

    ply: int
    """The number of its first move, from 1, which replaces the move of that number; of its ending if it has no moves."""
    moves: List[str]
    """Its moves in USI text; none if it is an ending only."""
    comments: List[str]
    """The comment of each move."""
    variations: List["Variation"]
    """The lines that leave this one."""
    times: List[Optional[float]]
    """The seconds spent on each move, None if the file does not say."""
    end: Optional[str]
    """How it ended, as of `Game.end`."""
    end_comment: str
    """The comment at its ending, as of `Game.end_comment`."""
    end_time: Optional[float]
    """The seconds spent before it ended, None if the file does not say."""


@overload
def solve(
    positions: Positions,
    *,
    max_plies: Optional[int] = None,
    nodes: Optional[int] = 200_000,
    convention: Convention = "tsume",
    threads: int = 0,
    codec: Optional[Packed] = None,
    on_error: Raises = "raise",
) -> Mates: ...
@overload
def solve(
    positions: Positions,
    *,
    max_plies: Optional[int] = None,
    nodes: Optional[int] = 200_000,
    convention: Convention = "tsume",
    threads: int = 0,
    codec: Optional[Packed] = None,
    on_error: Masks,
) -> tuple[Mates, NDArray[np.uint8]]: ...
def solve(
    positions: Positions,
    *,
    max_plies: Optional[int] = None,
    nodes: Optional[int] = 200_000,
    convention: Convention = "tsume",
    threads: int = 0,
    codec: Optional[Packed] = None,
    on_error: str = "raise",
) -> Any:
    """Search mates by the side to move, as `komabako solve` does.

    A position with one king is a tsume problem, whose defender holds all missing pieces. The result does not depend on ``threads``.

    Parameters
    ----------
    positions
        Records, or words with ``codec``.
    max_plies
        Search only mates within this number of plies, whose lengths are then not exact; None finds the shortest mates.
    nodes
        The limit of nodes for each position; None for none.
    convention
        ``"tsume"``: useless interpositions (無駄合) do not count. ``"strict"``: every ply counts.
    threads
        The number of threads; 0 is one for each CPU.
    codec
        How words are packed: a codec, or a format by name or dtype.
    on_error
        ``"raise"``, or ``"mask"``: the result is ``(mates, faults)``.

    Returns
    -------
    Mates
        Columns with a row for each position.

    Raises
    ------
    DecodeError
        For a position that does not decode, or from which no mate can be searched.

    Examples
    --------
    >>> import komabako
    >>> words = komabako.from_sfen(["3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"], "sspfv1-ext")
    >>> mates = komabako.solve(words, codec="sspfv1-ext")
    >>> mates.length.tolist(), mates.lines
    ([3], [['9f5b+', '4a5b', 'S*4b']])
    """
    if nodes is not None:
        nodes = checked_number("nodes", nodes)
    if max_plies is not None:
        max_plies = min(checked_number("max_plies", max_plies), 65_535)
    made = _native.solve(positions, max_plies, nodes, convention, codec, on_error, threads)
    faults = None
    if on_error == "mask":
        made, faults = made
    length, exact, verdicts, first, lines = made
    mates = Mates(length, exact, np.array(verdicts, "U14"), first, lines)
    return mates if faults is None else (mates, faults)


PathLike = Union[str, "os.PathLike[str]"]


@overload
def games(
    paths: Union[PathLike, Sequence[PathLike]], *, recursive: bool = False, on_error: OnBadGame = "raise"
) -> Iterator[Game]: ...
@overload
def games(
    paths: Union[PathLike, Sequence[PathLike]], *, recursive: bool = False, on_error: Yields
) -> Iterator[Union[Game, GameError]]: ...
def games(
    paths: Union[PathLike, Sequence[PathLike]], *, recursive: bool = False, on_error: str = "raise"
) -> Iterator[Any]:
    """Read game records in KIF, KI2, CSA, JKF or USI text, also compressed and in archives, on a background thread.

    Parameters
    ----------
    paths
        Files, archives and, with ``recursive``, folders.
    recursive
        Search folders, in the order of names.
    on_error
        What becomes of a bad game: ``"raise"`` raises its error, after which the iteration may go on with the next game, ``"skip"``
        leaves it out, and a `LeftOutWarning` at the end counts them, and ``"yield"`` gives the error in its place.

    Returns
    -------
    Iterator[Game]
        The games in the order of the files. Only some are in memory at a time.

    Raises
    ------
    GameError
        For a bad game.
    FormatError
        For a file that cannot be read.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.usi")
    >>> _ = path.write_text("startpos moves 7g7f 3c3d resign")
    >>> [game] = komabako.games(path)
    >>> game.result, game.end, komabako.moves_to_usi(game.moves)
    ('white', 'TORYO', ['7g7f', '3c3d'])
    """
    return _native.Games([os.fspath(path) for path in _list(paths)], recursive, on_error)
