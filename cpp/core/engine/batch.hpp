// Many sequences in one call, on several threads.
#pragma once

#include "core/engine/engine.hpp"
#include "core/rules/binder.hpp"

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

// A sequence whose problem is null gets no answer.
Answers decode_all(const std::vector<const Problem*>& problems, const Limits& limits, int threads);

// The problems of many sequences, made by as many threads; null where the rules cannot be tied to one, or prices add up to too much.
std::vector<std::shared_ptr<const Problem>> make_problems(const std::vector<std::shared_ptr<const Trellis>>& trellises,
                                                          const Binder& binder, const Examples& examples, int threads);

// The scores of many sequences, end to end.
struct FlatScores {
  const double* emissions;  // (tokens, K)
  int labels;
  std::shared_ptr<const Transitions> transitions;  // null: every step scores 0
  const double *start, *end;                       // (K), or null
};

// Decodes them without keeping the problems. Where there is something about a sequence that only others can treat or name (a
// score that is not legal, rules that cannot be tied to it), `apart` says so, and there is no answer.
Answers decode_flat(const FlatScores& scores, const Binder& binder, Examples& examples, const Limits& limits, int threads);

}  // namespace lawful
