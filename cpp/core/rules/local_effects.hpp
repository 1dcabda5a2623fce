// What local parts do to the scores of one sequence, in the order of positions where that matters.
#pragma once

#include <vector>

#include "core/kernels/max_plus.hpp"
#include "core/rules/part.hpp"

namespace lawful {

struct StepEffect {
  int32_t t;                   // of the step to t
  const Part::Effect* effect;  // a matrix
};

struct LocalEffects {
  std::vector<Addition> additions;  // to emissions
  std::vector<uint8_t> stays;       // (T): the label must not change from t-1 to t; empty: never
  std::vector<StepEffect> effects;  // matrices to add to steps

  void clear();
  void add(const BoundPart& bound, int length, int stride);
  void sort();  // when all parts have been added

 private:
  void add_step(const Part& part, int t, int before, int now, int length);
};

}  // namespace lawful
