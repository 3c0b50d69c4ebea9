#!/usr/bin/env python3
"""Checks certificates of mates (KMTC 1, certificates.md). It knows the rules of shogi and nothing of the solver: standard library only.

    kmcheck.py FILE...      exit status 0: every claim holds; 1: one does not; 2: a file cannot be read
"""

import hashlib
import itertools
import re
import sys

KINDS = "PLNSBRG"  # numbers 1 to 7, as in moves; the king is 8; 8 more if promoted
NAMES = "1 P L N S B R G K +P +L +N +S +B +R".split()
GOLD = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]  # steps of Black: files to the left, ranks downwards
DIAGONAL = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
STEPS = {1: [(0, -1)], 3: [(1, -2), (-1, -2)], 4: DIAGONAL + [(0, -1)], 7: GOLD, 8: DIAGONAL + STRAIGHT,
         9: GOLD, 10: GOLD, 11: GOLD, 12: GOLD, 13: STRAIGHT, 14: DIAGONAL}
SLIDES = {2: [(0, -1)], 5: DIAGONAL, 6: STRAIGHT, 13: DIAGONAL, 14: STRAIGHT}
SET = {1: 18, 2: 4, 3: 4, 4: 4, 5: 2, 6: 2, 7: 4}
MAGIC = b"KMTC\x01"
MOST_BYTES, MOST_PLIES = 64 << 20, 65533


class Bad(Exception):
    """Why a certificate does not show its claim."""


def line_of_squares(square, side, step, longest):
    sign = 1 if side == 0 else -1
    file, rank = divmod(square, 9)
    squares = []
    for _ in range(longest):
        file, rank = file + sign * step[0], rank + sign * step[1]
        if not (0 <= file < 9 and 0 <= rank < 9):
            break
        squares.append(file * 9 + rank)
    return squares


# The lines of squares, nearest first, on which a piece of (kind, side) on a square moves.
LINES = {
    (kind, side, square): [line_of_squares(square, side, step, 1) for step in STEPS.get(kind, [])]
    + [line_of_squares(square, side, step, 8) for step in SLIDES.get(kind, [])]
    for kind in range(1, 15) for side in (0, 1) for square in range(81)
}


class Position:
    """`board`: 81 cells, file by file, 0 or kind + 16 × side; `hands`: counts by kind; `side` to move: 0 is Black."""

    def __init__(self, sfen):
        board, side, hands = sfen.split()[:3]
        self.board, self.hands, self.side = [0] * 81, [[0] * 8, [0] * 8], "bw".index(side)
        for rank, row in enumerate(board.split("/")):
            file = 8
            for name in re.findall(r"\d|\+?\D", row):
                if name.isdigit():
                    file -= int(name)
                else:
                    self.board[file * 9 + rank] = NAMES.index(name.upper()) + 16 * name.islower()
                    file -= 1
        for count, name in re.findall(r"(\d*)(\D)", hands.replace("-", "")):
            self.hands[name.islower()][KINDS.index(name.upper()) + 1] += int(count or 1)
        # The reading above is lax, but only one text is written for a position.
        if self.sfen() != sfen:
            raise Bad("the SFEN is not in its canonical form")
        for kind, most in SET.items():
            on_board = sum(1 for piece in self.board if piece & 15 in (kind, kind + 8) and piece & 15 != 8)
            if on_board + self.hands[0][kind] + self.hands[1][kind] > most:
                raise Bad(f"more than {most} pieces of kind {KINDS[kind - 1]}")

        for side in (0, 1):
            own = [(square, piece & 15) for square, piece in enumerate(self.board) if piece and piece >> 4 == side]
            files = [square // 9 for square, kind in own if kind == 1]
            if len(files) > len(set(files)):
                raise Bad("two pawns of a side on one file")
            if any(not any(LINES[kind, side, square]) for square, kind in own if kind < 4):
                raise Bad("a piece from which no move leads")
            if sum(1 for _, kind in own if kind == 8) > 1:
                raise Bad("two kings of a side")

    def sfen(self):
        ranks = []
        for rank in range(9):
            pieces = self.board[72 + rank::-9]
            names = [NAMES[piece & 15].lower() if piece > 15 else NAMES[piece] for piece in pieces]
            ranks.append(re.sub("1+", lambda empty: str(len(empty[0])), "".join(names)))
        hands = [(self.hands[0][kind], KINDS[kind - 1]) for kind in (6, 5, 7, 4, 3, 2, 1)]
        hands += [(self.hands[1][kind], KINDS[kind - 1].lower()) for kind in (6, 5, 7, 4, 3, 2, 1)]
        hands = "".join((str(count) if count > 1 else "") + name for count, name in hands if count)
        return f"{'/'.join(ranks)} {'bw'[self.side]} {hands or '-'} 1"

    def key(self, role):
        return bytes(self.board), self.side, role

    def in_check(self, side):
        king = 8 + 16 * side
        if king not in self.board:
            return False
        square = self.board.index(king)
        # A piece attacks the king from where the king, moving like that piece, would capture it.
        for kind in range(1, 15):
            for line in LINES[kind, side, square]:
                for target in line:
                    if self.board[target]:
                        if self.board[target] == kind + 16 * (1 - side):
                            return True
                        break
        return False

    def play(self, move, returns=False):
        """Plays a move and returns what takes it back. With `returns` a captured piece goes back to its side."""
        to, source, own = move & 127, move >> 7 & 127, self.side
        self.side = 1 - own
        taker = 1 - own if returns else own
        if move & 0x4000:
            self.hands[own][source] -= 1
            self.board[to] = source + 16 * own
            return move, 0, 0, taker
        piece, captured = self.board[source], self.board[to]
        if captured:
            self.hands[taker][captured & 7] += 1
        self.board[source] = 0
        self.board[to] = piece | 8 if move & 0x8000 else piece
        return move, piece, captured, taker

    def take_back(self, played):
        move, piece, captured, taker = played
        to, source = move & 127, move >> 7 & 127
        self.side = own = 1 - self.side
        if move & 0x4000:
            self.hands[own][source] += 1
            self.board[to] = 0
            return
        self.board[source], self.board[to] = piece, captured
        if captured:
            self.hands[taker][captured & 7] -= 1

    def pseudo_moves(self):
        """Moves by the ways of the pieces: kings may be left in check, pawns may be dropped with mate."""
        own, board = self.side, self.board
        rank_of = (lambda square: square % 9) if own == 0 else (lambda square: 8 - square % 9)

        def has_no_move(kind, to):
            return kind in (1, 2) and rank_of(to) == 0 or kind == 3 and rank_of(to) < 2

        for source in range(81):
            kind = board[source] & 15
            if not kind or board[source] >> 4 != own:
                continue
            for line in LINES[kind, own, source]:
                for to in line:
                    if board[to] and board[to] >> 4 == own:
                        break
                    if kind < 7 and (rank_of(to) < 3 or rank_of(source) < 3):
                        yield to | source << 7 | 0x8000
                    if not has_no_move(kind, to):
                        yield to | source << 7
                    if board[to]:
                        break
        pawn_files = {square // 9 for square in range(81) if board[square] == 1 + 16 * own}
        for kind in range(1, 8):
            for to in range(81) if self.hands[own][kind] else ():
                if not board[to] and not has_no_move(kind, to) and not (kind == 1 and to // 9 in pawn_files):
                    yield to | kind << 7 | 0x4000

    def moves(self, checks=False):
        """Legal moves in any order; with `checks`, those that give check."""
        own = self.side
        for move in self.pseudo_moves():
            played = self.play(move)
            legal = not self.in_check(own)
            if legal and (checks or move & 0x7F80 == 0x4080):
                gives_check = self.in_check(1 - own)
                legal = gives_check or not checks
                if legal and gives_check and move & 0x7F80 == 0x4080:
                    legal = next(self.moves(), None) is not None  # a pawn drop may not mate
            self.take_back(played)
            if legal:
                yield move


def usi(move):
    def square(number):
        return f"{number // 9 + 1}{'abcdefghi'[number % 9]}" if number < 81 else "??"

    source = move >> 7 & 127
    if move & 0x4000:
        return f"{KINDS[source - 1] if 1 <= source <= 7 else '?'}*{square(move & 127)}"
    return square(source) + square(move & 127) + ("+" if move & 0x8000 else "")


def distance(move, square):
    return max(abs((move & 127) // 9 - square // 9), abs((move & 127) % 9 - square % 9))


class Level:
    """A node on the way to the one being read."""

    def __init__(self, number, before, moves, played):
        self.number, self.before, self.moves, self.played = number, before, iter(moves), played
        self.own = len(played)  # of a mate: the plies of the node's own check, none after a capture with the piece given back
        self.longest, self.plain = 0, True
        self.reply, self.useless = 0, 0  # the last reply, and its length if it is a drop that has yet to be shown useless

    def accept(self, length, plain, returned):
        """Notes the mate after a reply."""
        self.plain = self.plain and plain
        if returned:
            self.useless, self.plain = length, self.plain and length == 0
        else:
            self.longest = max(self.longest, length + 1)


class Checker:
    """Reads one certificate and plays what it says."""

    def __init__(self, data):
        self.data, self.place, self.path = data[:-32], len(MAGIC), []
        # (board and role, attacker's hand, plies, plain); the plies of a mate are None until it is finished, those of a refutation one more
        # than it excludes. A plain mate holds for larger hands of the attacker too.
        self.nodes = []
        if len(data) > MOST_BYTES:
            self.fail("exceeds a limit of the format")
        self.claim, self.rule = chr(self.byte()), chr(self.byte())
        if self.claim + self.rule not in ("Ms", "Ws", "Xs", "Ns", "Xf", "Wt"):
            raise Bad(f"claim {self.claim} by rule {self.rule} is not known to this program")
        self.bound = self.short()
        self.sfen = self.bytes(self.varint()).decode()
        self.position = Position(self.sfen)
        self.attacker = self.position.side
        if 8 + 16 * (1 - self.attacker) not in self.position.board or self.position.in_check(1 - self.attacker):
            raise Bad("the position is no problem")
        self.forbidden = []
        for _ in range(self.short()):
            plies = self.short()
            if self.claim in "MW" or self.rule != "s" or plies % 2:
                self.fail("only strict refutations have forbidden positions, with the attacker to move")
            played = [self.legal_reply() for _ in range(plies)]
            self.forbidden.append((self.position.key("refuted"), self.hand()))
            self.take_back(played)
        self.first = self.short()

    def bytes(self, count):
        self.place += count
        if self.place > len(self.data):
            raise Bad("the certificate ends too early")
        return self.data[self.place - count:self.place]

    def byte(self):
        return self.bytes(1)[0]

    def varint(self):
        value = 0
        for shift in range(0, 64, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128 and value < 1 << 64:
                return value
        self.fail("exceeds a limit of the format")

    def short(self):
        value = self.varint()
        if value > MOST_PLIES:
            self.fail("exceeds a limit of the format")
        return value

    def fail(self, why):
        moves = [usi(played[0]) for played in self.path]
        if len(moves) > 20:
            moves[10:-10] = [f"…({len(moves) - 20})…"]
        raise Bad(f"node {max(len(self.nodes) - 1, 0)}, after {' '.join(moves) or 'the root'}: {why}")

    def hand(self):
        return tuple(self.position.hands[self.attacker])

    def play(self, move, returns=False):
        self.path.append(self.position.play(move, returns))
        return self.path[-1]

    def take_back(self, played, keep=0):
        """Takes back all moves of a list but the first ones."""
        for move in reversed(played[keep:]):
            self.position.take_back(move)
            self.path.pop()
        del played[keep:]

    def read_move(self):
        return int.from_bytes(self.bytes(2), "little")

    def legal_reply(self, may_play=lambda move: True):
        move = self.read_move()
        if not may_play(move) or move not in self.position.moves():
            self.fail(f"the reply {usi(move)} is illegal")
        return self.play(move)

    def change_hands(self, giver):
        """Reads pieces that go from one side to the other. Returns the hands before."""
        before = [list(hand) for hand in self.position.hands]
        for kind in range(1, 8):
            count = self.byte()
            if count > self.position.hands[giver][kind]:
                self.fail(f"{count} pieces of kind {KINDS[kind - 1]} change hands that nobody holds")
            self.position.hands[giver][kind] -= count
            self.position.hands[1 - giver][kind] += count
        return before

    def referred(self, token, role):
        number = len(self.nodes) - 1 - (token - 3)
        if number < 0:
            self.fail(f"token {token} refers to no node")
        if self.nodes[number][0] != self.position.key(role):
            self.fail(f"node {number} has another board or claim")
        return number

    def open(self, token, role, giver, plies):
        if len(self.path) > MOST_PLIES:
            self.fail("exceeds a limit of the format")
        before = self.change_hands(giver) if token == 2 else [list(hand) for hand in self.position.hands]
        self.nodes.append((self.position.key(role), self.hand(), plies, True))
        return before

    def open_mate(self, token, returned):
        before = self.open(token, "mate", self.attacker, None)
        number = len(self.nodes) - 1
        played = []
        if not returned:
            check = self.read_move()
            if check not in self.position.moves(checks=True):
                self.fail(f"{usi(check)} is no legal check")
            played.append(self.play(check))
        return Level(number, before, sorted(self.position.moves()), played)

    def mate(self):
        """Checks a mate, node by node on a stack. Returns its length."""
        stack = [self.open_mate(1, False)]
        check = stack[0].played[0][0]
        if self.first not in (0, check):
            self.fail(f"{usi(check)} is not the check that is claimed about")
        while True:
            level = stack[-1]
            self.take_back(level.played, level.own)
            if level.useless:
                self.lasts_without(level.reply, level.useless)
                level.useless = 0
            level.reply = next(level.moves, None)
            if level.reply is None:
                length = level.longest + level.own
                if length > MOST_PLIES:
                    self.fail("exceeds a limit of the format")
                key, hand = self.nodes[level.number][:2]
                self.nodes[level.number] = key, hand, length, level.plain
                self.take_back(level.played)
                self.position.hands = level.before
                if not level.plain and self.hand() != hand:
                    self.fail(f"node {level.number} was shown for another hand of the attacker")
                stack.pop()
                if not stack:
                    return length
                stack[-1].accept(length, level.plain, level.own == 0)
                continue
            level.played.append(self.play(level.reply))
            token = self.varint()
            returned = token == 0 and self.rule == "t" and level.reply & 0x4000
            if returned:
                self.capture(level)
                token = self.varint()
            if token == 0:
                self.fail("0 is no reference in a mate")
            if token < 3:
                stack.append(self.open_mate(token, returned))
                continue
            node = self.referred(token, "mate")
            _, hand, length, plain = self.nodes[node]
            if self.hand() != hand and (not plain or any(own < shown for own, shown in zip(self.hand(), hand))):
                self.fail(f"node {node} was shown for another hand of the attacker")
            if length is None:
                self.fail(f"node {node} is not finished: the mate would lean on itself")
            level.accept(length, plain, returned)

    def capture(self, level):
        """Reads a capture of the drop just played, whose piece goes back."""
        move = self.read_move()
        if move & 0x4000 or (move ^ level.reply) & 127 or move not in self.position.moves(checks=True):
            self.fail(f"{usi(move)} is no legal check")
        level.played.append(self.play(move, True))

    def lasts_without(self, drop, plies):
        """Checks that the defender lasts `plies` plies without this drop and those as far from the king or farther."""
        king = self.position.board.index(8 + 16 * (1 - self.attacker))
        played, level = self.defend(plies - 2, lambda move: not move & 0x4000 or distance(move, king) < distance(drop, king))
        self.refute_all([level] if level else [])
        self.take_back(played)

    def refute(self, bound):
        """Checks that there is no mate within `bound` - 1 plies, an odd number."""
        level = self.open_refutation(1, "refuted", bound)
        if self.first:
            moves = [move for move in level.moves if move == (self.first, False)]
            if not moves:
                self.fail(f"{usi(self.first)} is no legal check")
            level.moves = iter(moves)
            # Of the position's other checks the node says nothing, so it stands for no position.
            self.nodes[0] = None, *self.nodes[0][1:]
        self.refute_all([level])

    def open_refutation(self, token, role, bound):
        before = self.open(token, role, 1 - self.attacker, bound)
        checks = sorted(self.position.moves(checks=True))
        captures = [move for move in checks if not move & 0x4000 and move & 127 == role]
        moves = [(move, False) for move in checks if bound] + [(move, True) for move in captures]
        return Level(len(self.nodes) - 1, before, moves, [])

    def refute_all(self, stack):
        """Checks the rest of a refutation, node by node on a stack."""
        while stack:
            level = stack[-1]
            self.take_back(level.played)
            check, returns = next(level.moves, (None, False))
            if check is None:
                self.position.hands = level.before
                stack.pop()
                continue
            level.played.append(self.play(check, returns))
            played, below = self.defend(self.nodes[level.number][2] - (0 if returns else 2))
            level.played += played
            if below:
                stack.append(below)

    def defend(self, bound, may_play=lambda move: True):
        """Reads a reply that lasts longer than `bound` plies. Returns the move played, if any, and the level that it opens, if any."""
        if bound == 0:
            replies = list(self.position.moves())
            if not replies:
                self.fail("is mate")
            if self.rule == "s" or not all(move & 0x4000 for move in replies):
                return [], None
        played = [self.legal_reply(may_play)]
        reply = played[0][0]
        role = reply & 127 if reply & 0x4000 and self.rule != "s" else "refuted"
        token = self.varint()
        if token in (1, 2):
            return played, self.open_refutation(token, role, bound)
        hand = self.hand()
        if token == 0:
            key = self.position.key(role)
            if not any(known == key and all(o <= k for o, k in zip(hand, most)) for known, most in self.forbidden):
                self.fail("is not a forbidden position")
            return played, None
        node = self.referred(token, role)
        if any(own > shown for own, shown in zip(hand, self.nodes[node][1])):
            self.fail(f"node {node} was shown for another hand of the attacker")
        if self.nodes[node][2] < bound:
            self.fail(f"node {node} excludes {self.nodes[node][2] - 1} plies, {bound - 1} are needed")
        return played, None

    def run(self):
        if self.claim in "MW":
            length = self.mate()
            if self.claim == "W" and length > self.bound:
                raise Bad(f"shows a mate in {length}, not within {self.bound}")
            shown = f"mate within {length}"
        else:
            self.refute((self.bound + 1) // 2 * 2 if self.claim == "X" else float("inf"))
            shown = f"no mate within {self.bound}" if self.claim == "X" else "no mate"
        if self.place != len(self.data):
            raise Bad(f"{len(self.data) - self.place} bytes left over")
        after = f" after {usi(self.first)}" if self.first else ""
        after += "" if self.rule == "s" else f" (rule {self.rule})"
        if self.forbidden:
            after += f" (forbidden positions: {len(self.forbidden)})"
        return f"{shown}{after}, {len(self.nodes)} nodes: {self.sfen}"


def certificates(data):
    """The certificates of a file, one after the other: each ends where its checksum fits."""
    start, least = 0, len(MAGIC) + 32
    while start < len(data):
        if not data.startswith(MAGIC, start) or len(data) - start < least:
            raise Bad("not a certificate of format KMTC 1")
        digest, hashed = hashlib.sha256(), start
        places = (match.start() for match in re.compile(MAGIC).finditer(data, start + least))
        for end in itertools.chain(places, [len(data)]):
            digest.update(data[hashed:end - 32])
            hashed = end - 32
            if digest.digest() == data[hashed:end]:
                break
        else:
            raise Bad("the checksum does not fit: the file is damaged")
        yield data[start:end]
        start = end


def main(names):
    status = 0
    for name in names:
        try:
            with open(name, "rb") as file:
                data = file.read()
            for certificate in certificates(data):
                print(f"{name}: {Checker(certificate).run()}")
        except (Bad, ValueError, IndexError) as error:
            print(f"{name}: NOT SHOWN: {error}")
            status = max(status, 1)
        except OSError as error:
            print(f"{name}: {error}")
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
