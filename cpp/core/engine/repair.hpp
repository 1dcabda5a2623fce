// A quick legal path: the lower bound that cuts the search.
#pragma once

#include "core/engine/potentials.hpp"

namespace lawful {

// Walks forward, at each position taking the label with the best completion among those that the parts allow,
// less what they charge. Returns the path's score with all parts, or kForbidden if it ran into a dead end.
class Repair {
 public:
  // completion: as for `Search::run`.
  double run(const Problem& problem, const Folded& folded, const double* completion, const Potentials* potentials, int32_t* path,
             Budget& budget);

 private:
  struct Walker {  // one searched part on its way
    const BoundPart* bound;
    const double* values;  // of its steps under potentials, or null
    int32_t state, next;
  };
  // Moves every walker into `next`. Gives what the step is worth to the parts, and what they charge for it.
  double read(int t, int label, double& cost);
  // The best label by promised[k] + completion[k], where `promised` is `row` plus the best that the parts may do
  // (null: zeros); each label in turn pays the difference, until the best has paid. -1 if there is none.
  int choose(int t, const double* row, const double* promised, const double* completion, int stride, double& cost);

  std::vector<Walker> walkers_;
  Doubles choices_;
  std::vector<bool> charged_;
  Budget* budget_ = nullptr;
  bool kindless_ = false;   // whether no part looks at tokens
  int steady_label_ = -1;   // a label that now changes no state and costs nothing, so that it need not be read again
};

}  // namespace lawful
