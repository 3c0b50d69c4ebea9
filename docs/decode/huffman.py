from position import KINDS, main, number

# The codes, first bit leftmost: P p +P +p, L l +L +l, …, and off the board P p and a pawn in the box, L l …
PIECES = " P p +P +p L l +L +l N n +N +n S s +S +s G g B b +B +b R r +R +r".split(" ")
OFF = "P p - L l - N n - S s - G g - B b - R r -".split()
PSV = """0 1000 1001 1010 1011 110000 110001 110010 110011 110100 110101 110110 110111 111000 111001 111010 111011
    111100 111101 11111000 11111001 11111010 11111011 11111100 11111101 11111110 11111111"""
PSV_OFF = """000 001 010 10000 10001 10010 10100 10101 10110 11000 11001 11010 11100 11101 11011
    1111000 1111001 1111010 1111100 1111101 1111110"""
HCP = """0 1000 1010 1001 1011 110000 110010 110001 110011 111000 111010 111001 111011 110100 110110 110101 110111
    111100 111101 11111000 11111010 11111001 11111011 11111100 11111110 11111101 11111111"""
HCP_OFF = """000 001 010 10000 10001 10010 11000 11001 11010 10100 10101 10110 11100 11101 10111
    1111100 1111101 1111000 1111110 1111111 1111010"""
NSHOGI = """1 0000 0001 0010 0011 010000 010001 010010 010011 010100 010101 010110 010111 011000 011001 011010 011011
    011110 011111 01110000 01110001 01110010 01110011 01110100 01110101 01110110 01110111"""


def decode(bits, codes, off_codes, is_nshogi=False):
    board_table = dict(zip(codes.split(), PIECES))
    off_table = dict(zip(off_codes.split(), OFF))
    at = 0

    def read(length):
        nonlocal at
        at += length
        return number(bits[at - length : at])

    def read_code(table):
        code = ""
        while code not in table:
            code += str(read(1))
        return table[code]

    # nshogi counts ranks from below, and writes the side to move after the board.
    def square_at(index):
        return index - index % 9 + 8 - index % 9 if is_nshogi else index

    white = not is_nshogi and read(1) == 1
    board = [""] * 81
    kings = [square_at(read(7)), square_at(read(7))]
    for index in range(81):
        square = square_at(index)
        board[square] = "Kk"[kings.index(square)] if square in kings else read_code(board_table)
    if is_nshogi:
        white = read(1) == 1
    hands = [[0] * 7, [0] * 7]
    while at < 256:
        held = read_code(off_table)
        if held != "-":
            hands[held.islower()][KINDS.index(held.upper())] += 1
    return white, board, hands


main({
    "psv": lambda bits: decode(bits, PSV, PSV_OFF),
    "hcp": lambda bits: decode(bits, HCP, HCP_OFF),
    "nshogi": lambda bits: decode(bits, NSHOGI, PSV_OFF, is_nshogi=True),
})
