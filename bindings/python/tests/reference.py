"""The reference for the kernels: features and labels computed from their definitions, square by square, and orders of records."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Tuple

import numpy as np

P, L, N, S, B, R, G, K = range(1, 9)
HANDS = "PLNSGBR"
YANEURAOU = ".PLNSBRGK"
UP, UP_LEFT, UP_RIGHT, LEFT, RIGHT = (0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0)
DOWN, DOWN_LEFT, DOWN_RIGHT = (0, 1), (1, 1), (-1, 1)
GOLD = [UP, UP_LEFT, UP_RIGHT, LEFT, RIGHT, DOWN]
STRAIGHT, DIAGONAL = [UP, LEFT, RIGHT, DOWN], [UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT]
#: For each of YaneuraOu's piece numbers (8 more if promoted): Black's steps, then slides.
MOVES: dict[int, Tuple[List[Tuple[int, int]], List[Tuple[int, int]]]] = {
    P: ([UP], []),
    L: ([], [UP]),
    N: ([(1, -2), (-1, -2)], []),
    S: ([UP] + DIAGONAL, []),
    B: ([], DIAGONAL),
    R: ([], STRAIGHT),
    G: (GOLD, []),
    K: (STRAIGHT + DIAGONAL, []),
    P + 8: (GOLD, []),
    L + 8: (GOLD, []),
    N + 8: (GOLD, []),
    S + 8: (GOLD, []),
    B + 8: (STRAIGHT, DIAGONAL),
    R + 8: (DIAGONAL, STRAIGHT),
}


class Position:
    """An SFEN in the form of `decode_board`."""

    def __init__(self, sfen: str) -> None:
        rows, side, hands = sfen.split()[:3]
        self.board, self.hands, self.side = [0] * 81, [[0] * 7, [0] * 7], int(side == "w")
        for rank, row in enumerate(rows.split("/")):
            file = 8
            for promoted, letter in re.findall(r"(\+?)([A-Za-z1-9])", row):
                if letter.isdigit():
                    file -= int(letter)
                    continue
                number = YANEURAOU.index(letter.upper()) + 8 * bool(promoted) + 16 * letter.islower()
                self.board[9 * file + rank] = number
                file -= 1
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands):
            self.hands[letter.islower()][HANDS.index(letter.upper())] = int(count or 1)

    def turned(self) -> "Position":
        """The position turned around: White becomes Black."""
        other = Position.__new__(Position)
        other.board = [piece and piece ^ 16 for piece in reversed(self.board)]
        other.hands, other.side = self.hands[::-1], 1 - self.side
        return other

    def king(self) -> Optional[int]:
        return self.board.index(K) if K in self.board else None


def dlshogi(position: Position) -> Tuple[Any, Any]:
    """The planes, f1[62,81] and f2[57]."""
    if position.side:
        position = position.turned()
    first, second = np.zeros((62, 81)), np.zeros(57)
    attackers = np.zeros((2, 81))
    for square, piece in enumerate(position.board):
        if not piece:
            continue
        color, kind = divmod(piece, 16)
        first[31 * color + kind - 1, square] = 1
        sign = -1 if color else 1
        steps, slides = MOVES[kind]
        for moves, far in ((steps, 1), (slides, 8)):
            for files, ranks in moves:
                file, rank = divmod(square, 9)
                for _ in range(far):
                    file, rank = file + files, rank + sign * ranks
                    if not (0 <= file < 9 and 0 <= rank < 9):
                        break
                    first[31 * color + 13 + kind, 9 * file + rank] = 1
                    attackers[color, 9 * file + rank] += 1
                    if position.board[9 * file + rank]:
                        break
    for color in (0, 1):
        for more in range(3):
            first[31 * color + 28 + more] = attackers[color] > more
        at = 28 * color
        for count, planes in zip(position.hands[color], (8, 4, 4, 4, 4, 2, 2)):
            second[at : at + min(count, planes)] = 1
            at += planes
    king = position.king()
    second[56] = king is not None and attackers[1, king] > 0
    return first, second


HAND_BASES = ([1, 39, 49, 59, 69, 79, 85], [20, 44, 54, 64, 74, 82, 88])
BOARD_BASES = {P: 90, L: 252, N: 414, S: 576, G: 738, B: 900, B + 8: 1062, R: 1224, R + 8: 1386, K: 1548}


def nnue(position: Position, perspective: int, mirrors: bool) -> List[int]:
    """The inputs of HalfKP, or with `mirrors` of HalfKA_hm, in ascending order."""
    if perspective:
        position = position.turned()
    king = position.king()
    assert king is not None
    mirror = mirrors and king >= 45
    seen = lambda square: 9 * (8 - square // 9) + square % 9 if mirror else square
    numbers = []
    for color in (0, 1):
        for base, count in zip(HAND_BASES[color], position.hands[color]):
            numbers += range(base, base + count)
    for square, piece in enumerate(position.board):
        color, kind = divmod(piece, 16)
        if not piece or (kind == K and not mirrors):
            continue
        base = BOARD_BASES.get(kind, 738) + 81 * color
        number = base + seen(square)
        numbers.append(number - 81 if number >= 1629 else number)
    return sorted((1629 if mirrors else 1548) * seen(king) + number for number in numbers)


def label(usi: str, side: int) -> int:
    """The label of a move of a piece."""
    square = lambda text: 9 * (int(text[0]) - 1) + ord(text[1]) - ord("a")
    turn = lambda square: 80 - square if side else square
    to = turn(square(usi[2:4]))
    if usi[1] == "*":
        return 81 * (20 + "PLNSBRG".index(usi[0])) + to
    start = turn(square(usi[:2]))
    files, ranks = to // 9 - start // 9, to % 9 - start % 9
    if ranks == -2 and abs(files) == 1:
        direction = 8 if files > 0 else 9
    else:
        sign = lambda x: (x > 0) - (x < 0)
        ways = [UP, UP_LEFT, UP_RIGHT, LEFT, RIGHT, DOWN, DOWN_LEFT, DOWN_RIGHT]
        direction = ways.index((sign(files), sign(ranks)))
    return 81 * (direction + 10 * usi.endswith("+")) + to


def _mixed(numbers: Any) -> Any:
    """The last step of SplitMix64."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def permuted(numbers: Any, count: int, *key: int) -> Any:
    """The permutation of numbers below ``count`` in `komabako.Batches`: a Feistel network of eight rounds, repeated until the result is below."""
    step = np.uint64(0x9E3779B97F4A7C15)
    half = np.uint64(max((count - 1).bit_length() + 1, 2) // 2)
    low = np.uint64((1 << int(half)) - 1)
    seed = np.zeros(1, np.uint64)
    for part in key:
        seed = _mixed(seed + np.array([part % (1 << 64)], np.uint64) + step)
    keys = _mixed(seed + np.arange(1, 9, dtype=np.uint64) * step)
    result = np.array(numbers, np.uint64)
    left = np.ones(result.shape, bool)
    while left.any():
        high, rest = result[left] >> half, result[left] & low
        for round_key in keys:
            high, rest = rest, high ^ (_mixed(rest + round_key) & low)
        result[left] = high << half | rest
        left = result >= np.uint64(count)
    return result
