from itertools import product
from math import comb, prod

from position import KINDS, main, number, piece

SET = [18, 4, 4, 4, 4, 2, 2]
GOLD = 4
# Both kings, Black's, White's, none: the free squares, and the places of the kings.
KING_CLASSES = [(79, 81 * 80), (80, 81), (80, 81), (81, 1)]
# The counts of L N S G B R on the board, in ascending order.
COUNTS = list(product(*(range(most + 1) for most in SET[1:])))


def off(kind, on_board):
    """The ways to split the other pieces of a kind among two hands and the box."""
    return comb(SET[kind] - on_board + 2, 2)


def radices(counts):
    """Of the number of the pieces other than pawns: splits, colours, promotions, and places of each kind but the last."""
    places, rest = [], sum(counts)
    for count in counts[:-1]:
        places.append(comb(rest, count))
        rest -= count
    splits = [off(kind + 1, count) for kind, count in enumerate(counts)]
    return [*splits, 2 ** sum(counts), 2 ** (sum(counts) - counts[GOLD - 1]), *places]


INNER = [sum(prod(radices(counts)) for counts in COUNTS if sum(counts) == q) for q in range(21)]


def digits(value, bases):
    """A number's digits, the least significant first."""
    found = []
    for base in bases:
        value, digit = divmod(value, base)
        found.append(digit)
    return found


def chosen(value, count, places):
    """Takes the set with this number (colex) out of the places."""
    found = []
    for size in range(count, 0, -1):
        at = size - 1
        while comb(at + 1, size) <= value:
            at += 1
        value -= comb(at, size)
        found.append(places[at])
    for place in found:
        places.remove(place)
    return sorted(found)


def split(value, hands, kind):
    total = 0
    while (total + 1) * (total + 2) // 2 <= value:
        total += 1
    hands[1][kind] = value - total * (total + 1) // 2
    hands[0][kind] = total - hands[1][kind]


def decode(bits):
    rank = number(bits)
    # The class: which kings, how many pawns and other pieces. Smaller classes come first.
    for kings, pawns, others in product(range(4), range(19), range(21)):
        free, places = KING_CLASSES[kings]
        bases = [2, places, off(0, pawns), 2**pawns, 2**pawns, comb(free, pawns), comb(free - pawns, others), INNER[others]]
        if rank < prod(bases):
            break
        rank -= prod(bases)
    side, king, pawn_split, pawn_colors, pawn_promotions, pawn_places, other_places, inner = digits(rank, bases)

    board = [""] * 81
    hands = [[0] * 7, [0] * 7]
    if kings == 0:
        black, white = king // 80, king % 80
        board[black] = "K"
        board[white + (white >= black)] = "k"
    elif kings < 3:
        board[king] = "Kk"[kings - 1]
    squares = [square for square in range(81) if board[square] == ""]
    split(pawn_split, hands, 0)
    for at, square in enumerate(chosen(pawn_places, pawns, squares)):
        board[square] = piece("P", pawn_promotions >> at & 1, pawn_colors >> at & 1)

    # The other pieces: how many of each kind, then their number.
    for counts in COUNTS:
        if sum(counts) == others:
            bases = radices(counts)
            if inner < prod(bases):
                break
            inner -= prod(bases)
    *splits, colors, promotions, l, n, s, g, b = digits(inner, bases)
    for kind, value in enumerate(splits, 1):
        split(value, hands, kind)
    unassigned = list(range(others))
    kind_of = {}
    for kind, (count, value) in enumerate(zip(counts, [l, n, s, g, b, 0]), 1):
        for at in chosen(value, count, unassigned):
            kind_of[at] = kind
    promotable = 0
    for at, square in enumerate(chosen(other_places, others, squares)):
        promoted = False
        if kind_of[at] != GOLD:
            promoted = promotions >> promotable & 1
            promotable += 1
        board[square] = piece(KINDS[kind_of[at]], promoted, colors >> at & 1)
    return side, board, hands


main({"r238": decode})
