/* What the loader's engine would call but needs no more: it reads positions, and neither searches nor evaluates. */
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "YaneuraOu/source/config.h"
#include "YaneuraOu/source/evaluate.h"
#include "YaneuraOu/source/learn/learn.h"
#include "YaneuraOu/source/mate/mate.h"
#include "YaneuraOu/source/position.h"
#include "YaneuraOu/source/search.h"
#include "YaneuraOu/source/testcmd/unit_test.h"
#include "YaneuraOu/source/thread.h"
#include "YaneuraOu/source/usi.h"

void gameover_handler(const std::string &) {}
void Thread::search() {}
void MainThread::search() {}

namespace Search {
void clear() {}
}

namespace Mate {
void init() {}
}

namespace Eval {
void load_eval() {}
void print_eval_stat(Position &) {}
Value compute_eval(const Position &) { return VALUE_ZERO; }
}

void bench_cmd(Position &, std::istringstream &) {}

namespace USI {
void extra_option(OptionsMap &) {}
}

namespace Book {
void makebook_cmd(Position &, std::istringstream &) {}
}

namespace BookTools {
using Each = std::function<void(Position &)>;
void feed_position_string(Position &, const std::string &, std::vector<StateInfo> &, const Each &) {}
}

namespace Test {
void normal_test_cmd(Position &, std::istringstream &, const std::string &) {}
void mate_test_cmd(Position &, std::istringstream &, const std::string &) {}
void UnitTest(Position &, std::istringstream &) {}
void UnitTester::test(const std::string &, bool) {}
}

namespace Learner {
void learn(Position &, std::istringstream &) {}
void gen_sfen(Position &, std::istringstream &) {}
void gen_sfen2019(Position &, std::istringstream &) {}
ValueAndPV search(Position &, int, size_t, u64) { return {}; }
ValueAndPV qsearch(Position &) { return {}; }
}
