// nshogi's perft (MIT, nyashiki) on the positions of Komabako's `perft`: `perft [REPETITIONS]`.
//
// Prints one line `nshogi,counting,position,depth,millions of nodes per second` a row, the median over the repetitions, of the
// countings `list` (the length of the list of the last ply's legal moves) and `make` (each of its moves made and taken back).
// Moves that do not promote although promotion costs nothing are listed too (`WilyPromote = false`), as perft asks. nshogi 0.3.1
// (commit 075ae82) finds 53,399,737 nodes for `max` at depth 3, 6,369 more than the known number; the other counts agree.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/initializer.h"
#include "core/movegenerator.h"
#include "core/state.h"
#include "io/sfen.h"

using nshogi::core::MoveGenerator;
using nshogi::core::State;

struct Case {
    const char* name;
    const char* sfen;
    int depth;
};

static const Case CASES[] = {
    {"start", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 6},
    {"mid", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4},
    {"max", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3},
};

// Counts the moves of the last ply by the length of their list, or makes them too.
template <bool Bulk>
static std::uint64_t perft(State& state, int depth) {
    if (depth == 0) {
        return 1;
    }
    const auto moves = MoveGenerator::generateLegalMoves<false>(state);
    if (Bulk && depth == 1) {
        return moves.size();
    }
    std::uint64_t nodes = 0;
    for (const auto& move : moves) {
        state.doMove(move);
        nodes += perft<Bulk>(state, depth - 1);
        state.undoMove();
    }
    return nodes;
}

template <bool Bulk>
static void measure(const char* counting, int plies_less, int repetitions) {
    for (const Case& position : CASES) {
        State state = nshogi::io::sfen::StateBuilder::newState(position.sfen);
        const int depth = position.depth - plies_less;
        std::vector<double> rates;
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            const auto start = std::chrono::steady_clock::now();
            const std::uint64_t nodes = perft<Bulk>(state, depth);
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
            rates.push_back(static_cast<double>(nodes) / seconds.count() / 1e6);
        }
        std::sort(rates.begin(), rates.end());
        std::printf("nshogi,%s,%s,%d,%.1f\n", counting, position.name, depth, rates[rates.size() / 2]);
    }
}

int main(int count, char** arguments) {
    const int repetitions = count > 1 ? std::atoi(arguments[1]) : 9;
    nshogi::core::initializer::initializeAll();
    measure<true>("list", 0, repetitions);
    measure<false>("make", 1, repetitions);
}
