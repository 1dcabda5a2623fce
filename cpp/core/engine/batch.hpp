// Many sequences in one call, on several threads.
#pragma once

#include "core/engine/engine.hpp"

namespace lawful {

struct Answers {
  std::vector<int64_t> label_offsets;      // (N + 1): sequence n has labels[label_offsets[n] : label_offsets[n+1]]
  std::vector<int32_t> labels;
  std::vector<int64_t> violation_offsets;  // (N + 1), into violations: a number per part
  std::vector<int64_t> violations;
  std::vector<Engine::Answer> answers;     // (N)
  std::vector<int64_t> round_offsets;      // (N + 1)
  std::vector<Round> rounds;
  std::vector<int32_t> entered;            // the rules that entered, by round; one may have several parts
};

Answers decode_all(const std::vector<const Problem*>& problems, const Limits& limits, int threads);

}  // namespace lawful
