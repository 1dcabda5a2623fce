// Many sequences in one call, on several threads.
#pragma once

#include <span>

#include "core/engine/engine.hpp"
#include "core/rules/binder.hpp"

namespace lawful {

struct Answers {
  struct Log {  // of one thread
    std::vector<Round> rounds;
    std::vector<int32_t> entered;  // the rules that entered, by round; one may have several parts
  };
  struct Place {  // of a sequence's rounds
    int32_t log = 0;
    int64_t first_round = 0;
  };
  std::vector<int64_t> label_offsets;   // (N + 1): sequence n has labels[label_offsets[n] : label_offsets[n+1]]
  std::vector<int32_t> labels;
  std::vector<Engine::Answer> answers;  // (N)
  std::vector<Place> places;            // (N)
  std::vector<Log> logs;

  std::span<const Round> rounds(int64_t sequence) const;
  std::span<const int32_t> entered(int64_t sequence, const Round& round) const;
};

// Problems in a row. Their lengths stand together, so that a batch need not ask each one before it begins.
struct Problems {
  std::vector<std::shared_ptr<const Problem>> items;  // null: not for the engine
  std::vector<int32_t> lengths;                       // 0 there

  void append(std::shared_ptr<const Problem> problem);
  void put(std::size_t i, std::shared_ptr<const Problem> problem);
};

// A sequence whose problem is null gets no answer.
Answers decode_all(const Problems& problems, const Limits& limits, int threads);

// Adds the problems of many sequences, made by as many threads; null where the rules cannot be tied to one, or prices add up to
// too much.
void make_problems(const std::vector<std::shared_ptr<const Trellis>>& trellises, const std::shared_ptr<const Binder>& binder,
                   const Examples& examples, int threads, Problems& problems);

// That of sequence n alone; null as above.
std::shared_ptr<const Problem> problem_of(const std::vector<std::shared_ptr<const Trellis>>& trellises,
                                          const std::shared_ptr<const Binder>& binder, const Examples& examples, int64_t n);

// Decodes trellises without keeping the problems. Where the rules cannot be tied to one here, or prices add up to too much,
// `apart` says so, and there is no answer.
Answers decode_trellises(const std::vector<std::shared_ptr<const Trellis>>& trellises, const Binder& binder, Examples& examples,
                         const Limits& limits, int threads);

// The scores of many sequences, end to end.
struct FlatScores {
  const double* emissions;  // (tokens, K)
  int labels;
  std::shared_ptr<const Transitions> transitions;  // null: every step scores 0
  const double *start, *end;                       // (K), or null
};

// The same for scores that were not yet looked at: a sequence with one that is not legal gets no answer either.
Answers decode_flat(const FlatScores& scores, const Binder& binder, Examples& examples, const Limits& limits, int threads);

}  // namespace lawful
