#include <algorithm>

#include "position.hpp"

using u64 = uint64_t;
using u128 = unsigned __int128;  // of GCC and Clang

// A number of 256 bits, the least significant 64 first.
using Wide = std::array<u64, 4>;

Wide times(const Wide& number, u64 factor) {
    Wide result;
    u128 carry = 0;
    for (int at = 0; at < 4; ++at) {
        carry += u128(number[at]) * factor;
        result[at] = u64(carry);
        carry >>= 64;
    }
    return result;
}

// Divides a number and returns the rest.
u64 divide(Wide& number, u64 divisor) {
    u128 rest = 0;
    for (int at = 3; at >= 0; --at) {
        rest = rest << 64 | number[at];
        number[at] = u64(rest / divisor);
        rest %= divisor;
    }
    return u64(rest);
}

bool less(const Wide& one, const Wide& other) { return std::lexicographical_compare(one.rbegin(), one.rend(), other.rbegin(), other.rend()); }

void subtract(Wide& number, const Wide& other) {
    bool borrow = false;
    for (int at = 0; at < 4; ++at) {
        u128 taken = u128(other[at]) + borrow;
        borrow = number[at] < taken;
        number[at] = u64(number[at] - taken);
    }
}

const int SET[7] = {18, 4, 4, 4, 4, 2, 2};
const int GOLD = 4;

// Binomial coefficients.
u64 comb(int n, int k) {
    u128 result = 1;
    for (int at = 1; at <= k; ++at) result = result * u128(n - k + at) / at;
    return u64(result);
}

// The ways to split the other pieces of a kind among two hands and the box.
u64 off(int kind, int on_board) { return comb(SET[kind] - on_board + 2, 2); }

// The counts of L N S G B R on the board whose sum is `total`, in ascending order.
std::vector<std::array<int, 6>> counts_of(int total) {
    std::vector<std::array<int, 6>> found;
    for (int at = 0; at < 5 * 5 * 5 * 5 * 3 * 3; ++at) {
        std::array<int, 6> counts = {at / 1125, at / 225 % 5, at / 45 % 5, at / 9 % 5, at / 3 % 3, at % 3};
        int sum = 0;
        for (int count : counts) sum += count;
        if (sum == total) found.push_back(counts);
    }
    return found;
}

// The radices of the number of the pieces other than pawns: splits, colours, promotions, and places of each kind but the last.
std::vector<u64> radices(const std::array<int, 6>& counts) {
    std::vector<u64> found;
    int rest = 0;
    for (int kind = 0; kind < 6; ++kind) {
        found.push_back(off(kind + 1, counts[kind]));
        rest += counts[kind];
    }
    found.push_back(u64(1) << rest);
    found.push_back(u64(1) << (rest - counts[GOLD - 1]));
    for (int kind = 0; kind < 5; ++kind) {
        found.push_back(comb(rest, counts[kind]));
        rest -= counts[kind];
    }
    return found;
}

Wide product(const std::vector<u64>& factors) {
    Wide result = {1};
    for (u64 factor : factors) result = times(result, factor);
    return result;
}

// Takes the set with this number (colex) out of the places.
std::vector<int> chosen(u64 value, int count, std::vector<int>& places) {
    std::vector<int> found;
    for (int size = count; size > 0; --size) {
        int at = size - 1;
        while (comb(at + 1, size) <= value) ++at;
        value -= comb(at, size);
        found.push_back(places[at]);
        places.erase(places.begin() + at);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

void split(int value, Position& position, int kind) {
    int total = 0;
    while ((total + 1) * (total + 2) / 2 <= value) ++total;
    position.hands[1][kind] = value - total * (total + 1) / 2;
    position.hands[0][kind] = total - position.hands[1][kind];
}

Position decode(const Bits& bits) {
    Wide rank = {};
    for (int byte = 0; byte < 30; ++byte) rank[byte / 8] |= u64(bits.bytes[byte]) << (byte % 8 * 8);
    std::vector<Wide> inner_numbers;
    for (int others = 0; others <= 20; ++others) {
        Wide sum = {};
        for (const auto& counts : counts_of(others)) {
            // There is no overflow: a sum is below 2^128.
            Wide size = product(radices(counts));
            u128 low = (u128(sum[1]) << 64 | sum[0]) + (u128(size[1]) << 64 | size[0]);
            sum = {u64(low), u64(low >> 64)};
        }
        inner_numbers.push_back(sum);
    }

    // The class: which kings, how many pawns and other pieces. Smaller classes come first.
    const int free[4] = {79, 80, 80, 81};
    const u64 king_places[4] = {81 * 80, 81, 81, 1};
    int kings = 0, pawns = 0, others = 0;
    std::vector<u64> bases;
    for (;; ++others) {
        if (others > 20) others = 0, ++pawns;
        if (pawns > 18) pawns = 0, ++kings;
        bases = {2, king_places[kings], off(0, pawns), u64(1) << pawns, u64(1) << pawns, comb(free[kings], pawns), comb(free[kings] - pawns, others)};
        Wide size = inner_numbers[others];
        for (u64 base : bases) size = times(size, base);
        if (less(rank, size)) break;
        subtract(rank, size);
    }
    std::vector<u64> digits;
    for (u64 base : bases) digits.push_back(divide(rank, base));

    Position position;
    position.white = digits[0];
    if (kings == 0) {
        int black = digits[1] / 80, white = digits[1] % 80;
        position.board[black] = "K";
        position.board[white + (white >= black)] = "k";
    } else if (kings < 3) {
        position.board[digits[1]] = kings == 1 ? "K" : "k";
    }
    std::vector<int> squares;
    for (int square = 0; square < 81; ++square) {
        if (position.board[square].empty()) squares.push_back(square);
    }
    split(digits[2], position, 0);
    std::vector<int> pawn_squares = chosen(digits[5], pawns, squares);
    for (int at = 0; at < pawns; ++at) position.board[pawn_squares[at]] = piece('P', digits[4] >> at & 1, digits[3] >> at & 1);

    // The other pieces: how many of each kind, then their number.
    std::array<int, 6> counts;
    std::vector<u64> inner;
    for (const auto& tried : counts_of(others)) {
        counts = tried;
        inner = radices(counts);
        if (less(rank, product(inner))) break;
        subtract(rank, product(inner));
    }
    for (u64& base : inner) base = divide(rank, base);
    for (int kind = 1; kind < 7; ++kind) split(inner[kind - 1], position, kind);
    std::vector<int> unassigned;
    for (int at = 0; at < others; ++at) unassigned.push_back(at);
    std::vector<int> kind_of(others);
    for (int kind = 1; kind < 7; ++kind) {
        for (int at : chosen(kind < 6 ? inner[7 + kind] : 0, counts[kind - 1], unassigned)) kind_of[at] = kind;
    }
    std::vector<int> other_squares = chosen(digits[6], others, squares);
    int promotable = 0;
    for (int at = 0; at < others; ++at) {
        bool promoted = kind_of[at] != GOLD && inner[7] >> promotable++ & 1;
        position.board[other_squares[at]] = piece(KINDS[kind_of[at]], promoted, inner[6] >> at & 1);
    }
    return position;
}

int main(int argc, char** argv) { return run(argc, argv, {{"r238", decode}}); }
