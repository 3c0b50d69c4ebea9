// Packs positions and prints the sums of the inputs of a network: `inputs games.psv`. C++17.
#include <komabako.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// The reason of the last failure as an exception.
int32_t checked(int32_t status) {
    if (status >= 0) return status;
    std::string why(komabako_error(nullptr, 0) + 1, '\0');
    komabako_error(why.data(), why.size());
    why.pop_back();
    throw std::runtime_error(why);
}

std::vector<uint8_t> read(const char *path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(std::string(path) + ": cannot be opened");
    return {std::istreambuf_iterator<char>(file), {}};
}

int run(const char *path, int32_t set) {
    const std::vector<uint8_t> records = read(path);
    if (records.size() % 40 != 0) throw std::runtime_error(std::string(path) + ": ends within a record");
    const size_t count = records.size() / 40;
    std::vector<komabako_board> boards(count);
    checked(komabako_unpack(KOMABAKO_PSV, records.data(), count, boards.data(), nullptr));
    std::vector<uint8_t> words(32 * count);
    checked(komabako_pack(KOMABAKO_PACKED_SFEN, boards.data(), count, words.data(), nullptr));
    for (size_t row = 0; row < count; row++) {
        if (std::memcmp(&words[32 * row], &records[40 * row], 32) != 0)
            throw std::runtime_error("record " + std::to_string(row) + " is not the word of its position");
    }
    const size_t width = static_cast<size_t>(checked(komabako_feature_active(set)));
    std::vector<int32_t> rows(2 * width * count);
    checked(komabako_features(set, KOMABAKO_SIDE_TO_MOVE_FIRST, words.data(), count, rows.data(), nullptr));
    std::cout << count << " positions, " << checked(komabako_feature_inputs(set)) << " inputs, sum "
              << std::accumulate(rows.begin(), rows.end(), int64_t{0}) << '\n';
    return 0;
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "inputs FILE.psv\n";
        return 2;
    }
    try {
        return run(arguments[1], KOMABAKO_HALFKA_HM2);
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
