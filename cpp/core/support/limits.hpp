// How much a search may use, and which of these limits ended one.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace lawful {

// How the engine searches; anything but `chosen` is for tests, which hold one way against another.
enum class SearchWay : uint8_t { chosen, rows, states, states_without_dominance, branches };

struct Limits {
  int64_t max_states = std::numeric_limits<int64_t>::max();  // (row, label) pairs that a search may keep
  int64_t max_memory = std::numeric_limits<int64_t>::max();  // bytes
  double timeout = std::numeric_limits<double>::infinity();  // seconds
  int64_t hand_over = -1;  // states after which the engine leaves the rest to others; 0: its own choice; negative: never
  int64_t first_search = -1;  // states after which the engine tightens completion scores; negative: its own choice
  SearchWay way = SearchWay::chosen;
  bool bounded = false;  // at a limit, go on with the most promising rows instead of giving up

  bool timed() const { return timeout < std::numeric_limits<double>::infinity(); }
};

enum class LimitHit : uint8_t { none, states, memory, time, budget };

// The name that callers know the limit by; empty for none.
constexpr const char* name_of(LimitHit limit) {
  constexpr const char* kNames[] = {"", "max_states", "max_memory", "timeout", "budget"};
  return kNames[static_cast<int>(limit)];
}

using Clock = std::chrono::steady_clock;

}  // namespace lawful
