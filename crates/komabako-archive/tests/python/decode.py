"""A decoder of archives in plain Python, written from spec/archive.md alone: `python3 decode.py IN.kmb > OUT.psv`.

It is slow, believes its input and compares no checksums. Columns in zstd are read only where Python has it.
"""

import math
import struct
import sys

from shogi import KING, KINDS, WHITE, YANEURAOU, Position, attackers, is_game_position, legal
from words import SET, Words

class Source(Words):
    """The format of the records."""

    def __init__(self, number):
        super().__init__(number == 2)
        self.size = 38 if self.hcpe else 40

    def record(self, word, score, move, ply, result, padding):
        labels = (move, result, padding) if self.hcpe else (move, ply, result, padding)
        return word + struct.pack("<hHBB" if self.hcpe else "<hHHBB", score, *labels)

    def later(self, ply, result, plies):
        if not self.hcpe and plies == 1:
            result = -result & 0xFF
        return ply + plies & 0xFFFF if ply else 0, result

    def relative(self, result, white):
        """0 lost, 1 draw, 2 won, as the side to move sees it."""
        return (2 if result and (result == 2) == white else not result) if self.hcpe else result + 1 & 0xFF

    def stored(self, relative, white):
        if self.hcpe:
            return 0 if relative == 1 else 2 if (relative == 2) == white else 1
        return relative - 1 & 0xFF

    def to_a(self, bits):
        """A stored move in encoding A."""
        if not self.hcpe:
            return bits
        source = bits >> 7 & 127
        return bits & 127 | (0x4000 | source - 80 << 7 if source > 80 else source << 7) | (bits & 0x4000) << 1

    def from_a(self, move):
        drop = 80 << 7 if move & 0x4000 else 0
        return (move & 0x3FFF) + drop | (move & 0x8000) >> 1 if self.hcpe else move


def quotient(number, divisor):
    """Rounded towards 0."""
    return abs(number) // divisor * (1 if number > 0 else -1)


class Prediction:
    """§3: the score of a record from those before it."""

    def __init__(self):
        self.last = self.earlier = None

    def next(self):
        p1, p2 = -(self.last or 0), self.earlier
        if p2 is None or abs(p2) > 30000 or abs(p1) > 30000:
            return p1, 11 if p2 is None else 9 if abs(p2) > 30000 else 10
        return quotient(p1 + p2, 2), size(p1 - p2)

    def push(self, score):
        self.last, self.earlier = score, self.last

    def bridge(self):
        self.last, self.earlier = -self.last, None


def size(score):
    return min(11, (abs(score) // 8).bit_length())


def columns(source, count, payload):
    """Codec 1."""
    at, read = 0, []
    for _ in range(9):
        method, length = struct.unpack_from("<BI", payload, at)
        column = payload[at + 5 : at + 5 + length]
        if method == 1:
            from compression import zstd

            column = zstd.decompress(column)
        read.append(column)
        at += 5 + length
    joints, words, plies, results, paddings, low, high, scores_low, scores_high = read
    loose = 0
    for index in range(count):
        if joints[index]:
            position.play(source.to_a(move))
            ply, result = source.later(ply, result, 1)
            word = source.pack(position)
        else:
            word, prediction = words[loose * 32 : loose * 32 + 32], Prediction()
            ply, result, padding = plies[2 * loose] | plies[2 * loose + 1] << 8, results[loose], paddings[loose]
            loose += 1
            # Only a record that another continues needs to be a position.
            position = source.unpack(word) if joints[index + 1 : index + 2] == b"\1" else None
        move = low[index] & 127 | (low[index] & 128) << 8 | high[index] << 7
        zigzag = scores_low[index] | scores_high[index] << 8
        score = (zigzag >> 1 ^ -(zigzag & 1)) + prediction.next()[0]
        score = (score + 0x8000 & 0xFFFF) - 0x8000
        prediction.push(score)
        yield source.record(word, score, move, ply, result, padding)


class Decoder:
    """§5: the range coder, and adaptive bits by their contexts."""

    def __init__(self, code):
        self.code, self.at, self.range = code, 5, 0xFFFFFFFF
        self.offset = int.from_bytes(code[1:5], "big")
        self.bits, self.weights = {}, {}

    def take(self, low, width):
        self.offset -= low
        self.range = width
        while self.range < 1 << 24:
            byte = self.code[self.at] if self.at < len(self.code) else 0
            self.range, self.offset, self.at = self.range << 8, self.offset << 8 | byte, self.at + 1

    def coded(self, p):
        bound = (self.range >> 16) * p
        bit = self.offset < bound
        self.take(0 if bit else bound, bound if bit else self.range - bound)
        return bit

    def bit(self, *context):
        p, n = self.bits.get(context, (32768, 0))
        bit = self.coded(p)
        p += (65535 * bit - p) * (655360 // (10 * n + 16)) >> 16
        self.bits[context] = max(24, min(65511, p)), min(n + 1, 250)
        return bit

    def weight(self, *contexts):
        return sum(self.weights.get(context, (0, 0))[0] for context in contexts)

    def learn(self, contexts, error, sixteenths, counts):
        for context in contexts:
            weight, count = self.weights.get(context, (0, 0))
            rate = 65536 // math.isqrt(65536 * (count + 1)) * sixteenths // 16
            weight += error * rate >> 8
            # Modulo 2^24, signed.
            self.weights[context] = (weight + 2**23) % 2**24 - 2**23, min(255, count + counts)

    def weighed(self, sixteenths, *contexts):
        """A bit whose odds have a weight from each context."""
        p = ODDS[max(0, min(1023, (self.weight(*contexts) >> 10) + 512))]
        bit = self.coded(p)
        self.learn(contexts, 65536 * bit - p, sixteenths, 1)
        return bit

    def raw(self, count):
        unit = self.range >> count
        value = min(self.offset // unit, (1 << count) - 1)
        self.take(value * unit, unit)
        return value

    def tree(self, count, *context):
        node = 1
        for _ in range(count):
            node = node * 2 + self.bit(*context, node)
        return node - (1 << count)

    def signed(self, name, context):
        length = self.tree(5, name, context)
        if length == 0:
            return 0
        negative = self.bit(name, "sign", context, (length >= 5) + (length >= 8) + (length >= 10))
        value, below = 1, length - 1
        while below and length - 1 - below < 3:
            value, below = value * 2 + self.bit(name, "next", length, value), below - 1
        value = value << below | (self.raw(below) if below else 0)
        return -value if negative else value

    def choose(self, shares):
        unit = self.range // sum(shares)
        target, before = min(self.offset // unit, sum(shares) - 1), 0
        for index, share in enumerate(shares):
            if before + share > target:
                self.take(before * unit, share * unit)
                return index
            before += share


VALUES = [0, 90, 315, 405, 495, 540, 855, 990, 0, 540, 540, 540, 540, 0, 945, 1395]
ODDS = [math.floor(65536 / (1 + math.exp((512 - i) / 64)) + 0.5) for i in range(1024)]
EXP = [max(1, math.floor(4096 * math.exp(-i / 64) + 0.5)) for i in range(1024)]
CLASS = [0, 1, 2, 2, 3, 3, 5, 5, 4, 3, 3, 3, 3, 0, 5, 5]


def turned(cells):
    return [cell and cell ^ WHITE for cell in reversed(cells)]


def loose_position(coder, ply):
    """§5 c. Returns the position and its material."""
    white = coder.bit("side", ply % 2 if ply else 2)
    complete = coder.bit("complete")
    plies = 1 + min(ply // 12, 12) if ply else 0
    own_king = coder.tree(7, "own king", plies)
    enemy_king = coder.tree(7, "enemy king", own_king)
    cells, left, right = [0] * 81, [SET[kind] for kind in SET], [10] * 9
    for file in range(9):
        above, pawns = 10, 0
        for rank in range(9):
            square = file * 9 + rank
            shape = (above, pawns, right[rank]), (own_king, above), (enemy_king, pawns), (plies, right[rank])
            bit = lambda name, rate: coder.weighed(rate, *((name, square, *part) for part in enumerate(shape)))
            if square in (own_king, enemy_king):
                cells[square] = KING if square == own_king else KING + WHITE
            elif bit("occupied", 12):
                enemy = bit("whose", 24)
                shape = (enemy, above, pawns), (enemy, own_king), (enemy, enemy_king), (enemy, plies)
                if left[0] and bit("pawn", 24):
                    kind = 1
                else:
                    node, common = 1, not bit("other", 24)
                    for _ in range(2 if common else 3):
                        node = node * 2 + bit(("kind", common, node), 24)
                    kind = (2, 3, 4, 5)[node - 4] if common else (6, 7, 9, 10, 11, 12, 14, 15)[node - 8]
                left[kind % 8 - 1] -= 1
                cells[square] = kind + WHITE * enemy
                pawns |= (1 << enemy) * (kind == 1)
            above = right[rank] = CLASS[cells[square] % 16] + 5 * (cells[square] >= WHITE)
    own, enemy, ahead = {}, {}, 0
    for index, kind in enumerate(SET):
        rest = left[index] - (0 if complete else coder.tree(5, "removed", kind))
        own[kind] = 0
        while own[kind] < rest and coder.bit("hand", kind, rest, own[kind], ahead > 0):
            own[kind] += 1
        enemy[kind] = rest - own[kind]
        ahead += own[kind] - enemy[kind]
    material = sum(-VALUES[cell % 16] if cell >= WHITE else VALUES[cell] for cell in cells)
    material += sum(VALUES[index + 1] * (own[kind] - enemy[kind]) for index, kind in enumerate(SET))
    if white:
        return Position(turned(cells), [enemy, own], True), material
    return Position(cells, [own, enemy], False), material


def decode_move(coder, position, last):
    """§5 e: a move and what it leaves for the next one to see; `None` for one that is not legal."""
    moves = legal(position)
    if not moves or not coder.bit("legal"):
        return None
    turn = (lambda square: 80 - square) if position.white else (lambda square: square)
    cells = turned(position.cells) if position.white else position.cells
    own, enemy = attackers(cells, False), attackers(cells, True)
    offset = lambda to, base: (to // 9 - base // 9, to % 9 - base % 9)
    features, kinds = [], []
    for move in moves:
        to, source, drop, promotes = turn(move & 127), move >> 7 & 127, move & 0x4000, move >> 15
        if drop:
            kind = KINDS.index(YANEURAOU[source - 1]) + 1
            number, sixth = 32 + kind, None
        else:
            source = turn(source)
            kind = cells[source]
            number = kind + 16 * promotes
            sixth = kind, min(enemy[source], 2), min(own[source], 2), promotes
        attacked = min(enemy[to], 2), min(own[to] - (not drop), 2)
        kinds.append(kind)
        features.append((
            (1, number, to),
            (2, number, cells[to] % 16, attacked),
            (3, number, offset(to, cells.index(KING + WHITE))),
            (4, last and (offset(to, turn(last[0])), last[1])),
            (5, number, cells[to - 1] if to % 9 else 0),
            (6, sixth),
        ))  # fmt: skip
    sums = [coder.weight(*keys) for keys in features]
    shares = [EXP[min(max(sums) - total >> 10, 1023)] for total in sums]
    chosen = coder.choose(shares)
    inverse = (1 << 32) // sum(shares)
    for index, keys in enumerate(features):
        share = shares[index] * inverse >> 16
        if index == chosen or share >= 128:
            coder.learn(keys, 65536 * (index == chosen) - share, 8, index == chosen or share > 8192)
    return moves[chosen], (moves[chosen] & 127, kinds[chosen])


def model(source, count, payload):
    """Codec 2."""
    length = struct.unpack_from("<I", payload)[0]
    step = 4 + source.size
    kept = [payload[at : at + step] for at in range(4, 4 + length, step)]
    kept = {struct.unpack_from("<I", record)[0]: record[4:] for record in kept}
    coder = Decoder(payload[4 + length :])
    position, joined = None, False  # the position after the last record's move, and whether that record was joined
    for index in range(count):
        if index in kept:
            position = None
            yield kept[index]
            continue
        plies = 0
        if position:
            if coder.bit("chained", joined):
                plies = 1
            elif coder.bit("bridged"):
                plies = 2
                move, last = decode_move(coder, position, last)
                position.play(move)
                prediction.bridge()
        joined = plies > 0
        if joined:
            ply, result = source.later(ply, result, plies)
            predicted, spread = prediction.next()
            seen = source.relative(result, position.white)
            score = predicted + coder.signed("joined", (spread, size(predicted) // 3, seen))
        else:
            ply = coder.tree(10, "ply")
            ply = coder.raw(16) if ply == 1023 else ply
            position, material = loose_position(coder, ply)
            score = material + coder.signed("loose", max(-20, min(20, quotient(material, 100))))
            result = source.stored(coder.tree(2, "result", score < 0, size(score)), position.white)
            padding = coder.tree(8, "padding")
            prediction, last = Prediction(), None
        prediction.push(score)
        word = source.pack(position)
        played = decode_move(coder, position, last) if joined or is_game_position(position) else None
        if played:
            move, last = played
            position.play(move)
            move = source.from_a(move)
        else:
            move, position = coder.raw(16), None
        yield source.record(word, score, move, ply, result, padding)


def records(archive):
    """The records of all members."""
    at = 0
    while at < len(archive):
        magic, _, number, _, metadata = struct.unpack_from("<8sHBBI", archive, at)
        assert magic == b"\x8bKMB\r\n\x1a\n"
        source = Source(number)
        at += 16 + metadata + 8
        codec = None
        while codec != 255:
            sync, codec, count, _, length = struct.unpack_from("<8sB3xIQI", archive, at)
            assert sync == b"\xf7kmblk\n\xc5"
            payload = archive[at + 56 : at + 56 + length]
            at += 56 + length
            if codec == 0:
                yield payload
            elif codec in (1, 2):
                yield from (columns if codec == 1 else model)(source, count, payload)
        at += 40


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        for record in records(file.read()):
            sys.stdout.buffer.write(record)
