#include <map>
#include <sstream>

#include "position.hpp"

// The codes, first bit leftmost: empty, P p +P +p, L l +L +l, …, and off the board P p and a pawn in the box, L l …
const char* PIECES = ". P p +P +p L l +L +l N n +N +n S s +S +s G g B b +B +b R r +R +r";
const char* OFF = "P p - L l - N n - S s - G g - B b - R r -";
const char* PSV =
    "0 1000 1001 1010 1011 110000 110001 110010 110011 110100 110101 110110 110111 111000 111001 111010 111011 "
    "111100 111101 11111000 11111001 11111010 11111011 11111100 11111101 11111110 11111111";
const char* PSV_OFF =
    "000 001 010 10000 10001 10010 10100 10101 10110 11000 11001 11010 11100 11101 11011 "
    "1111000 1111001 1111010 1111100 1111101 1111110";
const char* HCP =
    "0 1000 1010 1001 1011 110000 110010 110001 110011 111000 111010 111001 111011 110100 110110 110101 110111 "
    "111100 111101 11111000 11111010 11111001 11111011 11111100 11111110 11111101 11111111";
const char* HCP_OFF =
    "000 001 010 10000 10001 10010 11000 11001 11010 10100 10101 10110 11100 11101 10111 "
    "1111100 1111101 1111000 1111110 1111111 1111010";
const char* NSHOGI =
    "1 0000 0001 0010 0011 010000 010001 010010 010011 010100 010101 010110 010111 011000 011001 011010 011011 "
    "011110 011111 01110000 01110001 01110010 01110011 01110100 01110101 01110110 01110111";

std::map<std::string, std::string> table(const char* codes, const char* pieces) {
    std::istringstream each_code(codes), each_piece(pieces);
    std::map<std::string, std::string> found;
    for (std::string code, piece; each_code >> code && each_piece >> piece;) found[code] = piece;
    return found;
}

Position decode(const Bits& bits, const char* codes, const char* off_codes, bool is_nshogi) {
    const auto board_table = table(codes, PIECES);
    const auto off_table = table(off_codes, OFF);
    int at = 0;
    auto read_code = [&](const auto& from) {
        std::string code;
        while (!from.count(code)) code += bits[at++] ? '1' : '0';
        return from.at(code);
    };
    // nshogi counts ranks from below, and writes the side to move after the board.
    auto square_at = [&](int index) { return is_nshogi ? index - index % 9 + 8 - index % 9 : index; };

    Position position;
    if (!is_nshogi) position.white = bits[at++];
    for (const char* king : {"K", "k"}) {
        position.board[square_at(bits.number(at, 7))] = king;
        at += 7;
    }
    for (int index = 0; index < 81; ++index) {
        std::string& there = position.board[square_at(index)];
        if (there.empty()) there = read_code(board_table);
        if (there == ".") there = "";
    }
    if (is_nshogi) position.white = bits[at++];
    while (at < 256) {
        char held = read_code(off_table)[0];
        if (held != '-') ++position.hands[std::islower(held) ? 1 : 0][KINDS.find(char(std::toupper(held)))];
    }
    return position;
}

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"psv", [](const Bits& bits) { return decode(bits, PSV, PSV_OFF, false); }},
                {"hcp", [](const Bits& bits) { return decode(bits, HCP, HCP_OFF, false); }},
                {"nshogi", [](const Bits& bits) { return decode(bits, NSHOGI, PSV_OFF, true); }}});
}
