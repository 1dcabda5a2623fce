// A quick legal path: the lower bound that cuts the search.
#pragma once

#include "core/engine/potentials.hpp"

namespace lawful {

// Walks forward, at each position taking the label with the best completion among those that the parts allow,
// less what they charge. Returns the path's score with all parts, or kForbidden if it ran into a dead end.
class Repair {
 public:
  // completion: as for `Search::run`. guide: the path that follows the completion scores alone, if it is known; wherever the
  // repaired path is on it, it need not look for the next label.
  double run(const Problem& problem, const Folded& folded, const double* completion, const Potentials* potentials, int32_t* path,
             Budget& budget, const int32_t* guide = nullptr);

  std::size_t bytes() const { return awake_.capacity() * sizeof(uint64_t) + walkers_.capacity() * sizeof(Walker); }

 private:
  struct Walker {  // one searched part on its way, with what its steps need at hand
    const Part* part;
    const uint16_t *table, *kinds;
    const int32_t* delta;
    const double *cost, *final_cost;
    const double* values;  // of its steps under potentials, or null
    int32_t classes, state, next;
  };
  void start(const Problem& problem, const Potentials* potentials);
  // Where every walker goes is then in `next`, but for those that a label leaves alone. Gives what the step is worth to the parts, and what they charge for it.
  double read(int t, int label, double& cost);
  // The best label by promised[k] + completion[k], where `promised` is `row` plus the best that the parts may do
  // (null: zeros); each label in turn pays the difference, until the best has paid. -1 if there is none. first: that
  // label before anything is paid, or -1 if it is not known.
  int choose(int t, int first, const double* row, const double* promised, const double* completion, int stride, double& cost);

  // Calls visit(walker) for those that do not sleep at position t, until it gives false.
  template <typename Visit>
  bool each_awake(int t, Visit visit);

  std::vector<Walker> walkers_;     // first those that do not look at tokens
  std::size_t kindless_ = 0;        // so many
  std::vector<uint64_t> awake_;     // (T, words): bits of the other walkers to which the token there means anything
  std::size_t words_ = 0;
  Doubles choices_;
  std::vector<bool> charged_;
  Budget* budget_ = nullptr;
  // Goes there.
  void go(int t);
  void find_idle_labels();

  int labels_ = 0;
  // Of the first walkers, each in its present state: bits k % 64 of labels k that leave it alone. In a row, because for some
  // labels hundreds of them are looked through.
  std::vector<uint64_t> idle_;
  uint64_t idle_labels_ = 0;        // those that leave all of them alone
  std::vector<int32_t> refusers_;   // (labels): which of them refused it last, or -1
  std::vector<std::size_t> moved_;  // those of them that were read last
};

}  // namespace lawful
