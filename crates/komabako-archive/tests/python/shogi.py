"""The rules of shogi for decode.py: positions, attacks and legal moves, slow and plain."""

KINDS = "P L N S G B R K".split()  # cells 1 to 8; + 8 promoted, + 16 White's
YANEURAOU = "P L N S B R G".split()
KING, PROMOTED, WHITE = 8, 8, 16


class Position:
    """A board of 81 cells (9 · file + rank, from 0), hands [Black's, White's] by kind, and the side to move."""

    def __init__(self, cells, hands, white):
        self.cells, self.hands, self.white = cells, hands, white

    def copy(self):
        return Position(self.cells[:], [dict(hand) for hand in self.hands], self.white)

    def same(self, other):
        return (self.cells, self.hands, self.white) == (other.cells, other.hands, other.white)

    def king(self, white):
        return self.cells.index(KING + WHITE * white)

    def play(self, move):
        """Makes a move in encoding A."""
        to, source = move & 127, move >> 7 & 127
        if move & 0x4000:
            kind = YANEURAOU[source - 1]
            self.hands[self.white][kind] -= 1
            piece = KINDS.index(kind) + 1 + WHITE * self.white
        else:
            piece = self.cells[source] + (PROMOTED if move & 0x8000 else 0)
            self.cells[source] = 0
            if captured := self.cells[to]:
                self.hands[self.white][KINDS[captured % 8 - 1]] += 1
        self.cells[to] = piece
        self.white = not self.white


FORWARD = [(0, -1)]
DIAGONAL = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
STRAIGHT = [(0, -1), (0, 1), (-1, 0), (1, 0)]
GOLD = FORWARD + [(-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]
STEPS = {1: FORWARD, 3: [(-1, -2), (1, -2)], 4: FORWARD + DIAGONAL, 5: GOLD, 8: STRAIGHT + DIAGONAL}
STEPS.update({9: GOLD, 10: GOLD, 11: GOLD, 12: GOLD, 14: STRAIGHT, 15: DIAGONAL})
LINES = {2: FORWARD, 6: DIAGONAL, 7: STRAIGHT, 14: DIAGONAL, 15: STRAIGHT}


def reached(cells, square):
    """The squares that the piece on a square attacks."""
    piece = cells[square]
    sign = -1 if piece >= WHITE else 1
    for table, furthest in ((STEPS, 1), (LINES, 8)):
        for dx, dy in table.get(piece % 16, []):
            x, y = square // 9, square % 9
            for _ in range(furthest):
                x, y = x + dx * sign, y + dy * sign
                if not (0 <= x < 9 and 0 <= y < 9):
                    break
                yield x * 9 + y
                if cells[x * 9 + y]:
                    break


def attackers(cells, white):
    """How many pieces of a side attack each square."""
    counts = [0] * 81
    for square, piece in enumerate(cells):
        if piece and (piece >= WHITE) == white:
            for to in reached(cells, square):
                counts[to] += 1
    return counts


def depth(square, white):
    """The rank of a square as a side sees it: 0 is the farthest."""
    return 8 - square % 9 if white else square % 9


def pseudo_legal(position):
    white, cells = position.white, position.cells
    for source, piece in enumerate(cells):
        if not piece or (piece >= WHITE) != white:
            continue
        kind = piece % 16
        dead = {1: 1, 2: 1, 3: 2}.get(kind, 0)
        for to in reached(cells, source):
            if cells[to] and (cells[to] >= WHITE) == white:
                continue
            if depth(to, white) >= dead:
                yield to | source << 7
            if kind in (1, 2, 3, 4, 6, 7) and (depth(to, white) < 3 or depth(source, white) < 3):
                yield to | source << 7 | 0x8000
    for number, kind in enumerate(YANEURAOU, 1):
        if not position.hands[white][kind]:
            continue
        dead = {"P": 1, "L": 1, "N": 2}.get(kind, 0)
        for to in range(81):
            pawn = 1 + WHITE * white
            two_pawns = kind == "P" and pawn in cells[to // 9 * 9 : to // 9 * 9 + 9]
            if not cells[to] and depth(to, white) >= dead and not two_pawns:
                yield to | number << 7 | 0x4000


def in_check(position, white):
    return attackers(position.cells, not white)[position.king(white)] > 0


def legal(position, judge_mates=True):
    """The legal moves, ascending."""
    moves = []
    for move in sorted(pseudo_legal(position)):
        after = position.copy()
        after.play(move)
        if in_check(after, position.white):
            continue
        is_pawn_drop = move >> 7 & 0xFF == 0x81
        if judge_mates and is_pawn_drop and in_check(after, after.white) and not legal(after, False):
            continue
        moves.append(move)
    return moves


def is_game_position(position):
    """Whether a game can be played from here: else moves are raw."""
    cells = position.cells
    for square, piece in enumerate(cells):
        white = piece >= WHITE
        if depth(square, white) < {1: 1, 2: 1, 3: 2}.get(piece % 16, 0):
            return False
    for file in range(0, 81, 9):
        if cells[file : file + 9].count(1) > 1 or cells[file : file + 9].count(1 + WHITE) > 1:
            return False
    return not in_check(position, not position.white)
