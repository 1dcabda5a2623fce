// Completion scores under one part: what the rest can score from each of its states.
#pragma once

#include "core/rules/fold.hpp"
#include "core/rules/problem.hpp"
#include "core/support/budget.hpp"

namespace lawful {

class OwnCompletion {
 public:
  // False, without any work, if the part has more states than that is worth.
  static bool suits(const Part& part) { return part.states <= kMostStates; }

  // completion: (T, stride), from `Kernels::complete` over the same folded trellis. `others`: bytes that the caller holds.
  void build(const BoundPart& bound, const Folded& folded, const double* completion, std::size_t others, Budget& budget);

  // The best score of positions t.. given label k at t, after which the part is in state s; an upper bound under all parts.
  double at(int t, int32_t s, int k) const { return scores_[(static_cast<std::size_t>(t) * states_ + s) * stride_ + k]; }

  std::size_t bytes() const { return (scores_.capacity() + next_.capacity()) * sizeof(double); }

 private:
  static constexpr int kMostStates = 24;

  void step(const BoundPart& bound, const Folded& folded, int t, int32_t s);

  int states_ = 0, stride_ = 0;
  Doubles scores_;                      // (T, S, stride)
  Doubles next_;                        // (stride): what each label promises after a step
  std::vector<uint64_t> follows_;       // (S, words): the labels that a state can follow
  std::vector<uint64_t> finite_;        // (words)
  std::vector<uint8_t> at_peace_;       // (S): nothing can be charged any more, whatever follows
};

}  // namespace lawful
