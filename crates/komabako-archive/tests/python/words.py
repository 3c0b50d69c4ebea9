"""The 32 bytes of a position in PSV and hcpe, for decode.py."""

from shogi import KING, KINDS, PROMOTED, WHITE, Position

SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}


class Words:
    """The words of one of the two formats."""

    BOARD = {"P": "10", "L": "1100", "N": "1101", "S": "1110", "G": "11110", "B": "111110", "R": "111111"}
    HAND = {"P": "00", "L": "1000", "N": "1010", "S": "1100", "G": "1110", "B": "111100", "R": "111110"}
    BOX = {"P": "010", "L": "10010", "N": "10110", "S": "11010", "G": "11011", "B": "1111010", "R": "1111110"}

    def __init__(self, hcpe):
        self.hcpe = hcpe
        if hcpe:
            self.BOARD = {**self.BOARD, "N": "1110", "S": "1101"}
            self.HAND = {**self.HAND, "N": "1100", "S": "1010", "B": "111110", "R": "111111"}
            self.BOX = {**self.BOX, "N": "11010", "S": "10110", "G": "10111", "B": "1111000", "R": "1111010"}

    def pack(self, position):
        number = lambda value: format(value, "07b")[::-1]
        bits = "01"[position.white] + number(position.king(False)) + number(position.king(True))
        left = dict(SET)
        for piece in position.cells:
            if piece % 16 == KING:
                continue
            if not piece:
                bits += "0"
                continue
            kind = KINDS[piece % 8 - 1]
            left[kind] -= 1
            promoted, white = "01"[piece % 16 > 8], "01"[piece >= WHITE]
            bits += self.BOARD[kind]
            bits += white if kind == "G" else white + promoted if self.hcpe else promoted + white
        for white, hand in enumerate(position.hands):
            for kind in SET:
                bits += (self.HAND[kind] + "01"[white]) * hand[kind]
                left[kind] -= hand[kind]
        for kind in SET:
            bits += self.BOX[kind] * left[kind]
        return int(bits[::-1], 2).to_bytes(32, "little")

    def unpack(self, word):
        bits = format(int.from_bytes(word, "little"), "0256b")[::-1]
        kings = [int(bits[start : start + 7][::-1], 2) for start in (1, 8)]
        cells, at, hands = [0] * 81, 15, [dict.fromkeys(SET, 0), dict.fromkeys(SET, 0)]
        for square in range(81):
            if square in kings:
                cells[square] = KING + WHITE * kings.index(square)
            elif bits[at] == "0":
                at += 1
            else:
                kind = next(kind for kind, code in self.BOARD.items() if bits.startswith(code, at))
                at += len(self.BOARD[kind])
                flags = bits[at] if kind == "G" else bits[at : at + 2]
                at += len(flags)
                white = flags[0] if kind == "G" or self.hcpe else flags[1]
                promoted = "0" if kind == "G" else flags[1] if self.hcpe else flags[0]
                cells[square] = KINDS.index(kind) + 1 + PROMOTED * (promoted == "1") + WHITE * (white == "1")
        while at < 256:
            if kind := next((kind for kind, code in self.BOX.items() if bits.startswith(code, at)), None):
                at += len(self.BOX[kind])
                continue
            kind = next(kind for kind, code in self.HAND.items() if bits.startswith(code, at))
            at += len(self.HAND[kind]) + 1
            hands[bits[at - 1] == "1"][kind] += 1
        return Position(cells, hands, bits[0] == "1")
