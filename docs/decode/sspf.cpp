#include "position.hpp"

// The offsets of the fields.
enum { OCCUPIED = 1, KINGS_AT = 80, PROMOTED = 94, PT0 = 128, PT1 = 166, PT2 = 186, PT3 = 206, PT4 = 214, COLOR = 218 };

// The extended form. A word of the base form is read in the same way.
Position decode(const Bits& bits) {
    Position position;
    position.white = bits[0];
    std::vector<bool> occupied;
    for (int at = 0; at < 79; ++at) occupied.push_back(bits[OCCUPIED + at]);
    for (int side = 0; side < 2; ++side) {
        int king = bits.number(KINGS_AT + 7 * side, 7);
        // 126 or 127, no king: one more square is free, and its bit is the last of the code.
        if (king < 81) position.board[king] = side ? "k" : "K";
        else occupied.push_back(king & 1);
    }

    // P 0, L 100, N 101, S 110, G 1110, B 11110, R 11111: each bit is in a field of its own, which only has the pieces so far.
    int left[7] = {18, 4, 4, 4, 4, 2, 2};
    int free = 0, at = 0, nonpawns = 0, golds_and_majors = 0, majors = 0, promotable = 0;
    for (std::string& there : position.board) {
        if (!there.empty() || !occupied[free++]) continue;
        char kind = 'P';
        if (bits[PT0 + at]) {
            kind = "LNSG"[2 * bits[PT1 + nonpawns] + bits[PT2 + nonpawns]];
            ++nonpawns;
        }
        if (kind == 'G' && bits[PT3 + golds_and_majors++]) kind = "BR"[bits[PT4 + majors++]];
        bool promoted = kind != 'G' && bits[PROMOTED + promotable++];
        there = piece(kind, promoted, bits[COLOR + at++]);
        --left[KINDS.find(kind)];
    }

    // Then the pieces that are not on the board: in Black's hand, in White's, or removed.
    for (int kind = 0; kind < 7; ++kind) {
        for (; left[kind] > 0; --left[kind], ++at) {
            if (!bits[PT0 + at]) ++position.hands[bits[COLOR + at]][kind];
        }
    }
    return position;
}

int main(int argc, char** argv) { return run(argc, argv, {{"sspfv1", decode}, {"sspfv1-ext", decode}}); }
