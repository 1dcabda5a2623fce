// A quick legal path: the lower bound that cuts the search.
#pragma once

#include "core/fold.hpp"

namespace bylaw {

// Walks forward, at each position taking the label with the best completion among those that the parts allow,
// less what they charge. Returns the path's score with all parts, or kForbidden if it ran into a dead end.
class Repair {
 public:
  double run(const Problem& problem, const Folded& folded, const double* completion, int32_t* path);

 private:
  std::vector<int32_t> states_, next_;
  Doubles choices_;
  std::vector<bool> charged_;
};

}  // namespace bylaw
