// What the decoders share: bits of a word, and a position as SFEN. C++17.
#include <array>
#include <cctype>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

const std::string KINDS = "PLNSGBR";

struct Position {
    bool white = false;
    // Square 9 * (file - 1) + rank - 1: empty, "P", "+R", "p".
    std::array<std::string, 81> board;
    // The counts of Black and White, as KINDS.
    int hands[2][7] = {};
};

// Bit i of a word is bit i % 8 of byte i / 8.
struct Bits {
    std::vector<uint8_t> bytes;
    bool operator[](int bit) const { return bytes[bit / 8] >> (bit % 8) & 1; }
    // The first bit is the least significant.
    int number(int offset, int length) const {
        int value = 0;
        for (int at = 0; at < length; ++at) value |= (*this)[offset + at] << at;
        return value;
    }
};

inline std::string piece(char kind, bool promoted, bool white) {
    char letter = white ? char(std::tolower(kind)) : kind;
    return (promoted ? "+" : "") + std::string(1, letter);
}

inline std::string sfen(const Position& position) {
    std::string text;
    for (int rank = 0; rank < 9; ++rank) {
        int empty = 0;
        for (int file = 8; file >= -1; --file) {
            std::string there = file < 0 ? "/" : position.board[9 * file + rank];
            if (there.empty()) {
                ++empty;
                continue;
            }
            if (empty > 0) text += std::to_string(empty);
            empty = 0;
            text += there;
        }
    }
    text.back() = ' ';
    text += position.white ? "w " : "b ";
    std::string held;
    for (int side = 0; side < 2; ++side) {
        for (char kind : std::string("RBGSNLP")) {
            int count = position.hands[side][KINDS.find(kind)];
            if (count > 1) held += std::to_string(count);
            if (count > 0) held += piece(kind, false, side == 1);
        }
    }
    return text + (held.empty() ? "-" : held);
}

struct Decoder {
    std::string format;
    Position (*decode)(const Bits&);
};

// Arguments: the format, and words as hex digits.
inline int run(int argc, char** argv, const std::vector<Decoder>& decoders) {
    for (const Decoder& decoder : decoders) {
        if (argc < 2 || decoder.format != argv[1]) continue;
        for (int word = 2; word < argc; ++word) {
            std::string hex = argv[word];
            Bits bits;
            for (size_t at = 0; at + 1 < hex.size(); at += 2) bits.bytes.push_back(uint8_t(std::stoi(hex.substr(at, 2), nullptr, 16)));
            std::cout << sfen(decoder.decode(bits)) << "\n";
        }
        return 0;
    }
    return 1;
}
