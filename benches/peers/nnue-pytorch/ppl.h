/* In place of Microsoft's header of this name, for other compilers: a loop. */
#pragma once

namespace concurrency {

template <typename Index, typename Body>
void parallel_for(Index first, Index last, const Body &body) {
    for (Index i = first; i < last; ++i) {
        body(i);
    }
}

}  // namespace concurrency
