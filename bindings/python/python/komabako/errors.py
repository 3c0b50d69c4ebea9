"""Exceptions, and the numbers of faults in masks."""

from __future__ import annotations

import errno
from enum import IntEnum
from typing import Any, Optional

#: The advice for bad records.
_MASK = 'on_error="mask" marks bad records and computes the others'


class KomabakoError(ValueError):
    """The base class of komabako's exceptions."""


class DecodeError(KomabakoError):
    """A record that does not decode.

    ``record`` and ``byte`` are its number and byte offset in the array, ``fault`` is the name of the `Fault`, ``bit`` is the bit of
    the packed position at which it was found, or None. For functions that read several inputs ``path`` is the one that has the record,
    and ``record`` its number there. ``byte`` is None for rows of tables.
    """

    #: Functions of tables set another one.
    advice = _MASK
    #: Functions on single positions have no ``on_error``.
    can_mask = True
    path: Optional[str] = None

    def __init__(
        self, record: int, byte: Optional[int], codec: str, fault: str, bit: Optional[int], text: str
    ) -> None:
        super().__init__(record, byte, codec, fault, bit, text)
        self.record, self.byte, self.codec, self.fault, self.bit, self.text = record, byte, codec, fault, bit, text

    def __str__(self) -> str:
        advice = self.advice
        if advice == _MASK and (self.codec, self.fault) == ("psv", "TAIL_ORDER"):
            # A mask would drop good records.
            advice = 'PSV of older programs has them in another order, which codec="psv-lenient" reads'
        elif advice == _MASK and not self.can_mask:
            advice = "komabako.validate finds bad records"
        place = "" if self.byte is None else f" (byte {self.byte})"
        return f"{_of(self.path)}record {self.record}{place}, as {self.codec}: {self.text}; {advice}"


class EncodeError(KomabakoError):
    """A position that the codec cannot represent, or arrays or text that are not a position."""

    advice = _MASK
    #: See `DecodeError`.
    can_mask = True
    #: Whether the function makes records, not words.
    makes_records = False
    path: Optional[str] = None

    def __init__(self, record: int, fault: str, text: str) -> None:
        super().__init__(record, fault, text)
        self.record, self.fault, self.text = record, fault, text

    def __str__(self) -> str:
        advice = self.advice
        if advice == _MASK and self.fault in ("KING_MISSING", "PIECE_REMOVED"):
            advice = "the codec sspfv1-ext can represent it"
            if self.makes_records:
                # Records of sspfv1-ext have no score and no move either.
                advice = "the format ext36 can hold it, without the result"
        elif advice == _MASK and not self.can_mask:
            advice = "another format may hold it"
        return f"{_of(self.path)}record {self.record}: {self.text}; {advice}"


def _of(path: Optional[str]) -> str:
    return "" if path is None else f"{path}: "


class FormatError(KomabakoError):
    """A file that cannot be read or written. ``kind`` is the error's kind, as in the program's ``--json``."""

    def __init__(self, path: str, kind: str, text: str) -> None:
        super().__init__(path, kind, text)
        self.path, self.kind, self.text = path, kind, text

    def __str__(self) -> str:
        return self.text


class _SystemError(FormatError, OSError):
    """A `FormatError` that is also one of Python's errors of the system, whose attributes it has."""

    number = 0

    def __init__(self, path: str, kind: str, text: str) -> None:
        super().__init__(path, kind, text)
        self.errno, self.strerror, self.filename = self.number, text, path

    def __reduce__(self) -> Any:
        return type(self), (self.path, self.kind, self.text)


class MissingFileError(_SystemError, FileNotFoundError):
    """A file that does not exist."""

    number = errno.ENOENT


class ExistingFileError(_SystemError, FileExistsError):
    """An output that exists already."""

    number = errno.EEXIST


class ExpressionError(KomabakoError):
    """A text that is no expression. ``column`` is the place of the fault, counted from 1."""

    def __init__(self, expression: str, column: int, text: str, names: Optional[str]) -> None:
        super().__init__(expression, column, text, names)
        self.expression, self.column, self.text, self.names = expression, column, text, names

    def __str__(self) -> str:
        names = "" if self.names is None else f"; valid names: {self.names}"
        return f"{self.expression!r}, column {self.column}: {self.text}{names}"


class GameError(KomabakoError):
    """A game that cannot be read.

    ``path`` is the file, or ``ARCHIVE!MEMBER``, ``game`` the number of the game in it if it has several, ``line`` and ``column`` the place
    of the fault if it is in text, and ``fault`` its name, as in the program's reports.
    """

    def __init__(
        self, path: str, game: Optional[int], line: Optional[int], column: Optional[int], fault: str, text: str
    ) -> None:
        super().__init__(path, game, line, column, fault, text)
        self.path, self.game, self.line, self.column, self.fault, self.text = path, game, line, column, fault, text

    def __str__(self) -> str:
        return f'{self.text}; on_error="skip" leaves bad games out'


class PlayError(KomabakoError):
    """A position from which no game can be played, a move that is not legal, or a text that is neither.

    ``fault`` is the name of the `Fault`.
    """

    def __init__(self, fault: str, text: str) -> None:
        super().__init__(fault, text)
        self.fault, self.text = fault, text

    def __str__(self) -> str:
        return self.text


class LeftOutWarning(UserWarning):
    """Positions or games of game records that were left out, with the options that keep them; bad records that were skipped; the end of a
    salvaged file; or labels that the file lacks."""


class LoaderError(KomabakoError):
    """A plan of a loader that cannot work, a state that does not fit it, or a bad record. ``kind`` is a word for programs."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind, self.text = kind, text

    def __str__(self) -> str:
        return self.text


class LossError(KomabakoError):
    """A conversion that would lose information. ``losses`` has a sentence for each loss."""

    #: Whether the function has ``allow_loss``.
    can_allow = True

    def __init__(self, losses: list[str]) -> None:
        super().__init__(losses)
        self.losses = losses

    def __str__(self) -> str:
        advice = "allow_loss=True converts all the same" if self.can_allow else "do not give it, or choose another format"
        return f"{'; '.join(self.losses)}; {advice}"


class Fault(IntEnum):
    """The fault of a record, as a number in masks. The numbers never change."""

    GOOD = 0
    KING_CODE = 1
    BASE_KING_MISSING = 2
    KINGS_COLLIDE = 3
    PIECE_TOTAL = 4
    NONPAWN_TOTAL = 5
    PAWN_COUNT = 6
    PT1_TAIL = 7
    PT2_TAIL = 8
    LANCE_COUNT = 9
    KNIGHT_COUNT = 10
    SILVER_COUNT = 11
    GBR_TOTAL = 12
    PT3_TAIL = 13
    GOLD_COUNT = 14
    BISHOP_COUNT = 15
    ROOK_COUNT = 16
    BR_TOTAL = 17
    PT4_TAIL = 18
    PROMOTED_TAIL = 19
    SIDE_POPCOUNT = 20
    TAIL_ORDER = 21
    TAIL_CODE = 22
    LENGTH = 23
    BASE_PIECE_REMOVED = 24
    REMOVED_COLOR = 25
    PHANTOM_PAWNS = 26
    PAYLOAD = 27
    BISHOP_CODE = 28
    ROOK_CODE = 29
    MAJORS_COLLIDE = 30
    MAJOR_PROMOTED = 31
    RANGE = 32
    KING_MISSING = 33
    PIECE_REMOVED = 34
    NOT_REPRESENTABLE = 35
    ARRAY_PIECE = 36
    ARRAY_HAND = 37
    ARRAY_SIDE = 38
    RESULT = 39
    PLY = 40
    SFEN = 41
    MOVE_TO = 42
    MOVE_FROM = 43
    MOVE_DROP_PROMOTES = 44
    MOVE_SAME_SQUARE = 45
    MOVE_HIGH_BIT = 46
    MOVE_NO_SPECIAL = 47
    MOVE_TEXT = 48
    MOVE_MALFORMED = 49
    MOVE_NOT_IN_HAND = 50
    MOVE_OCCUPIED = 51
    MOVE_NO_PIECE = 52
    MOVE_OPPONENTS_PIECE = 53
    MOVE_OWN_PIECE = 54
    MOVE_UNREACHABLE = 55
    MOVE_PROMOTION = 56
    MOVE_DEAD_END = 57
    MOVE_NIFU = 58
    MOVE_KING_IN_CHECK = 59
    MOVE_PAWN_DROP_MATE = 60
    MOVE_PASS = 61
    MOVE_DECLARATION = 62
    POSITION_KING_MISSING = 63
    POSITION_NIFU = 64
    POSITION_DEAD_END = 65
    POSITION_OPPONENT_IN_CHECK = 66
    POSITION = 67
    OTHER = 255
