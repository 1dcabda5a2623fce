// Local rules worked into the scores: a view of the trellis in which they hold by themselves.
#pragma once

#include <span>
#include <vector>

#include "core/kernels/max_plus.hpp"
#include "core/rules/problem.hpp"

namespace lawful {

// Rows that no rule touches are the trellis's own; the others are rewritten in buffers that are used again for
// the next sequence.
class Folded {
 public:
  void build(const Trellis& trellis, const LocalEffects& local);
  void build(const Problem& problem) { build(*problem.trellis, problem.local); }
  std::size_t bytes() const;

  int length = 0, labels = 0, stride = 0;
  std::vector<const double*> emissions;  // (T)
  std::vector<Step> steps;               // (T); steps[t] leads from t-1 to t

 private:
  // A transition matrix with the effects of some local rules added. Many sequences ask for the same few, so they are kept.
  struct Sheet {
    uint64_t transitions;  // their serial, or 0
    int matrix;
    std::vector<uint64_t> effects;  // serials
    Doubles forward, backward, diagonal;
  };

  static bool matches(const Sheet& sheet, uint64_t transitions, int matrix, std::span<const StepEffect> effects);
  void lay_steps(const Transitions* transitions, const std::vector<uint8_t>& stays);
  void add_effects(const Transitions* transitions, const LocalEffects& local);
  Step sheet(const Transitions* transitions, int t, std::span<const StepEffect> effects);
  // The same where labels must stay.
  Step staying(const Step& step) const { return {nullptr, nullptr, step.diagonal ? step.diagonal : zeros_.data()}; }

  Doubles rows_;  // (T, stride): the rows that were rewritten
  std::vector<Sheet> sheets_;
  std::size_t sheets_used_ = 0;
  std::size_t sheet_bytes_ = 0;
  Doubles zeros_;  // a diagonal for trellises without transitions
};

}  // namespace lawful
