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

  // The same for labels that are read at t in state s, less what the part charges for that.
  struct Ahead {
    const uint16_t* classes;  // (K)
    const int32_t* delta;     // (C): from s
    const double* cost;       // (C)
    const double* scores;     // (S, stride): at t
    int stride;
    double operator()(int k) const {
      const int32_t target = delta[classes[k]];
      return target == kDead ? kForbidden : scores[static_cast<std::size_t>(target) * stride + k] - cost[classes[k]];
    }
  };
  Ahead ahead(int t, int32_t s) const {
    const Part& part = *bound_.part;
    return {part.table.data() + static_cast<std::size_t>(bound_.kind(t)) * part.labels, part.delta.data() + s * part.classes,
            part.cost.data() + s * part.classes, scores_.data() + static_cast<std::size_t>(t) * states_ * stride_, stride_};
  }

  std::size_t bytes() const { return (scores_.capacity() + next_.capacity()) * sizeof(double); }

 private:
  static constexpr int kMostStates = 24;

  struct Other {
    int32_t label, target;  // kDead: forbidden
    double cost;
  };
  struct Move {
    int32_t most;        // the state that most labels lead to for nothing
    int32_t first, end;  // the others: a range of others_
  };

  const Move* moves_on(int kind, int labels);
  bool free_from(const Move& move) const;
  void step(const Folded& folded, int t, int32_t s, const Move& move);

  BoundPart bound_{};
  int states_ = 0, stride_ = 0;
  Doubles scores_;                      // (T, S, stride)
  Doubles next_;                        // (stride): what each label promises after a step
  std::vector<uint64_t> follows_;       // (S, words): the labels that a state can follow
  std::vector<uint64_t> all_;           // (words): every label
  std::vector<Move> moves_;             // (S) for each kind that occurs
  std::vector<int32_t> first_move_;     // (kinds): into moves_, or -1: not known
  std::vector<int32_t> count_;          // (S)
  std::vector<Other> others_;
  std::vector<uint8_t> free_, free_then_;  // (S): nothing can be charged after a position, and after the next one
};

}  // namespace lawful
