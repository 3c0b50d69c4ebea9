"""What the decoders share: bits of a word, and a position as SFEN."""
import sys

KINDS = "PLNSGBR"


def bits_of(word):
    """Bit i of a word is bit i % 8 of byte i // 8."""
    return [byte >> bit & 1 for byte in word for bit in range(8)]


def number(bits):
    """The first bit is the least significant."""
    return sum(bit << at for at, bit in enumerate(bits))


def piece(kind, promoted, white):
    text = "+" + kind if promoted else kind
    return text.lower() if white else text


def sfen(white, board, hands):
    """`board`: 81 texts, square 9 * (file - 1) + rank - 1; empty, "P", "+R", "p". `hands`: counts of Black and White, as KINDS."""
    rows = []
    for rank in range(9):
        row = "".join(board[9 * file + rank] or "1" for file in range(8, -1, -1))
        for empty in range(9, 1, -1):
            row = row.replace("1" * empty, str(empty))
        rows.append(row)
    held = ""
    for side in (0, 1):
        for kind in "RBGSNLP":
            count = hands[side][KINDS.index(kind)]
            if count:
                held += (str(count) if count > 1 else "") + piece(kind, False, side)
    return f"{'/'.join(rows)} {'w' if white else 'b'} {held or '-'}"


def main(decoders):
    """Arguments: the format, and words as hex digits."""
    decode = decoders[sys.argv[1]]
    for word in sys.argv[2:]:
        print(sfen(*decode(bits_of(bytes.fromhex(word)))))
