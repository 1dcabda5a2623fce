// Marked tokens are found wherever they stand, whatever their kind and the length.
#include <vector>

#include "core/rules/marked_tokens.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

TEST(every_marked_token_is_visited_once_and_in_order) {
  for (int length = 0; length < 140; ++length) {
    for (const double share : {0.0, 0.1, 1.0}) {
      Random random(length);
      std::vector<uint16_t> kinds(length);
      std::vector<int> expected, visited;
      for (int t = 0; t < length; ++t) {
        // Small kinds, and those that a signed number of as many bits has not, or not as positive ones.
        constexpr uint16_t kKinds[] = {1, 255, 256, 0x7fff, 0x8000, 0xff00, 0xffff};
        if (!random.chance(share)) continue;
        kinds[t] = kKinds[random.below(7)];
        expected.push_back(t);
      }
      for_each_marked(kinds.data(), length, [&](int t) { visited.push_back(t); });
      CHECK(visited == expected);
    }
  }
}

}  // namespace
}  // namespace lawful
