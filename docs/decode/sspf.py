from position import KINDS, main, number, piece

SET = [18, 4, 4, 4, 4, 2, 2]
# The offsets of the fields.
OCCUPIED, KINGS, PROMOTED, PT0, PT1, PT2, PT3, PT4, COLOR = 1, 80, 94, 128, 166, 186, 206, 214, 218


def decode(bits):
    """The extended form. A word of the base form is read in the same way."""
    white = bits[0] == 1
    board = [""] * 81
    kings = [number(bits[KINGS : KINGS + 7]), number(bits[KINGS + 7 : KINGS + 14])]
    occupied = bits[OCCUPIED : OCCUPIED + 79]
    for king, text in zip(kings, "Kk"):
        if king < 81:
            board[king] = text
        else:
            # 126 or 127, no king: one more square is free, and its bit is the last of the code.
            occupied.append(king & 1)
    free = [square for square in range(81) if square not in kings]
    squares = [square for square, is_occupied in zip(free, occupied) if is_occupied]

    # P 0, L 100, N 101, S 110, G 1110, B 11110, R 11111: each bit is in a field of its own, which only has the pieces so far.
    left = list(SET)
    nonpawns = golds_and_majors = majors = promotable = 0
    for at, square in enumerate(squares):
        kind = "P"
        if bits[PT0 + at]:
            kind = "LNSG"[2 * bits[PT1 + nonpawns] + bits[PT2 + nonpawns]]
            nonpawns += 1
        if kind == "G":
            is_major = bits[PT3 + golds_and_majors]
            golds_and_majors += 1
            if is_major:
                kind = "BR"[bits[PT4 + majors]]
                majors += 1
        promoted = False
        if kind != "G":
            promoted = bits[PROMOTED + promotable] == 1
            promotable += 1
        board[square] = piece(kind, promoted, bits[COLOR + at] == 1)
        left[KINDS.index(kind)] -= 1

    # Then the pieces that are not on the board: in Black's hand, in White's, or removed.
    hands = [[0] * 7, [0] * 7]
    at = len(squares)
    for kind in range(7):
        for _ in range(left[kind]):
            if not bits[PT0 + at]:
                hands[bits[COLOR + at]][kind] += 1
            at += 1
    return white, board, hands


main({"sspfv1": decode, "sspfv1-ext": decode})
