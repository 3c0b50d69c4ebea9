from position import KINDS, main, number, piece

SET = [18, 4, 4, 4, 4]
# The offsets of the fields.
KINGS, MAJOR_COLOR, MAJOR_PROMOTED, PT1, PT2, PT0, PROMOTED, COLOR, BISHOPS, ROOKS = 75, 88, 92, 96, 112, 128, 162, 192, 226, 238


def pair(code):
    """Two numbers a ≤ b by b (b + 1) / 2 + a, and two more pairs off the board."""
    if code >= 3655:
        return (82, 81) if code == 3655 else (84, 83)
    b = 0
    while (b + 1) * (b + 2) // 2 <= code:
        b += 1
    return code - b * (b + 1) // 2, b


def decode(bits):
    # The 75 bits are inverted if White is to move: at most 34 pieces are on these squares.
    occupied = bits[:75]
    white = sum(occupied) > 40
    if white:
        occupied = [1 - bit for bit in occupied]
    kings = number(bits[KINGS : KINGS + 13])
    majors = [kings % 83, kings // 83, *pair(number(bits[BISHOPS : BISHOPS + 12])), *pair(number(bits[ROOKS : ROOKS + 12]))]

    board = [""] * 81
    hands = [[0] * 7, [0] * 7]
    for at, (kind, index) in enumerate(zip("KKBBRR", majors)):
        is_white = at == 1 if at < 2 else bits[MAJOR_COLOR + at - 2] == 1
        if index < 81:
            board[index] = piece(kind, at > 1 and bits[MAJOR_PROMOTED + at - 2] == 1, is_white)
        else:
            # In a hand (81, 82) or removed: one more square is free, and its bit is 1 for odd numbers.
            occupied.append(index % 2)
            if at > 1 and index < 83:
                hands[is_white][KINDS.index(kind)] += 1
    free = [square for square in range(81) if square not in majors]
    squares = [square for square, is_occupied in zip(free, occupied) if is_occupied]

    # P 0, L 100, N 101, S 110, G 111.
    left = list(SET)
    nonpawns = promotable = 0
    for at, square in enumerate(squares):
        kind = "P"
        if bits[PT0 + at]:
            kind = "LNSG"[2 * bits[PT1 + nonpawns] + bits[PT2 + nonpawns]]
            nonpawns += 1
        promoted = False
        if kind != "G":
            promoted = bits[PROMOTED + promotable] == 1
            promotable += 1
        board[square] = piece(kind, promoted, bits[COLOR + at] == 1)
        left[KINDS.index(kind)] -= 1

    at = len(squares)
    for kind in range(5):
        for _ in range(left[kind]):
            if not bits[PT0 + at]:
                hands[bits[COLOR + at]][kind] += 1
            at += 1
    return white, board, hands


main({"c250": decode})
