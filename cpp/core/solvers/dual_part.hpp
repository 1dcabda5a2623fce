// The best label sequence for one part's machine alone, when every label at every position has a score of its own.
#pragma once

#include <vector>

#include "core/rules/problem.hpp"
#include "core/support/budget.hpp"

namespace lawful {

class PartPath {
 public:
  // scores: (T, stride), subtracted; mask: (T, stride), 0 or kForbidden, added. Writes the best path and gives its
  // value less what the part charges; kForbidden if there is none. Among sequences that are equal but for `slack` a
  // step, the path goes through those that share more labels with `like`.
  double best(const BoundPart& bound, int length, const double* scores, const double* mask, const int32_t* like, double slack,
              int32_t* path, Budget& budget);

  std::size_t bytes() const { return choices_.capacity() * sizeof(Choice); }

 private:
  struct Choice {
    double value;
    int32_t shared;  // labels in common with `like` from here on
    int32_t label;
  };
  void read_classes(const Part& part, int kind, const double* scores, const double* mask, int like, double slack);

  std::vector<Choice> classes_;  // (C): the best label of each class at one position
  std::vector<Choice> choices_;  // (T + 1, S)
};

}  // namespace lawful
