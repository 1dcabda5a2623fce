// Tokens that a rule tells apart from the others. Most are of kind 0, and four of those are passed over at once.
#pragma once

#include <cstdint>
#include <cstring>

namespace lawful {

// Calls visit(t), in order, for every token whose kind is not 0.
template <typename Visit>
inline void for_each_marked(const uint16_t* kinds, int length, Visit visit) {
  constexpr int kAtOnce = sizeof(uint64_t) / sizeof(uint16_t);
  int t = 0;
  for (; t + kAtOnce <= length; t += kAtOnce) {
    uint64_t any;
    std::memcpy(&any, kinds + t, sizeof any);
    if (!any) continue;
    for (int u = t; u < t + kAtOnce; ++u)
      if (kinds[u]) visit(u);
  }
  for (; t < length; ++t)
    if (kinds[t]) visit(t);
}

}  // namespace lawful
