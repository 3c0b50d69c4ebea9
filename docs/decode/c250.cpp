#include <algorithm>
#include <utility>

#include "position.hpp"

// The offsets of the fields.
enum { KINGS_AT = 75, MAJOR_COLOR = 88, MAJOR_PROMOTED = 92, PT1 = 96, PT2 = 112, PT0 = 128, PROMOTED = 162, COLOR = 192, BISHOPS = 226, ROOKS = 238 };

// Two numbers a ≤ b by b (b + 1) / 2 + a, and two more pairs off the board.
std::pair<int, int> pair(int code) {
    if (code >= 3655) return code == 3655 ? std::pair(82, 81) : std::pair(84, 83);
    int b = 0;
    while ((b + 1) * (b + 2) / 2 <= code) ++b;
    return {code - b * (b + 1) / 2, b};
}

Position decode(const Bits& bits) {
    Position position;
    // The 75 bits are inverted if White is to move: at most 34 pieces are on these squares.
    std::vector<bool> occupied;
    for (int at = 0; at < 75; ++at) occupied.push_back(bits[at]);
    position.white = std::count(occupied.begin(), occupied.end(), true) > 40;
    if (position.white) occupied.flip();

    int kings = bits.number(KINGS_AT, 13);
    auto [bishop0, bishop1] = pair(bits.number(BISHOPS, 12));
    auto [rook0, rook1] = pair(bits.number(ROOKS, 12));
    int majors[6] = {kings % 83, kings / 83, bishop0, bishop1, rook0, rook1};
    for (int at = 0; at < 6; ++at) {
        char kind = "KKBBRR"[at];
        bool white = at < 2 ? at == 1 : bits[MAJOR_COLOR + at - 2];
        if (majors[at] < 81) {
            position.board[majors[at]] = piece(kind, at > 1 && bits[MAJOR_PROMOTED + at - 2], white);
            continue;
        }
        // In a hand (81, 82) or removed: one more square is free, and its bit is 1 for odd numbers.
        occupied.push_back(majors[at] % 2);
        if (at > 1 && majors[at] < 83) ++position.hands[white][KINDS.find(kind)];
    }

    // P 0, L 100, N 101, S 110, G 111.
    int left[5] = {18, 4, 4, 4, 4};
    int free = 0, at = 0, nonpawns = 0, promotable = 0;
    for (std::string& there : position.board) {
        if (!there.empty() || !occupied[free++]) continue;
        char kind = 'P';
        if (bits[PT0 + at]) {
            kind = "LNSG"[2 * bits[PT1 + nonpawns] + bits[PT2 + nonpawns]];
            ++nonpawns;
        }
        bool promoted = kind != 'G' && bits[PROMOTED + promotable++];
        there = piece(kind, promoted, bits[COLOR + at++]);
        --left[KINDS.find(kind)];
    }
    for (int kind = 0; kind < 5; ++kind) {
        for (; left[kind] > 0; --left[kind], ++at) {
            if (!bits[PT0 + at]) ++position.hands[bits[COLOR + at]][kind];
        }
    }
    return position;
}

int main(int argc, char** argv) { return run(argc, argv, {{"c250", decode}}); }
