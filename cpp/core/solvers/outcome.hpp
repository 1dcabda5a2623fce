// What a solver of one sequence found, judged by the raw scores and the rules' own counting.
#pragma once

#include <vector>

#include "core/engine/engine.hpp"

namespace lawful {

struct Outcome {
  Status status = Status::infeasible;
  LimitHit limit = LimitHit::none;
  double score = kForbidden, bound = kForbidden;
  std::vector<int32_t> labels;      // empty if there is no answer
  int64_t states = 0, arcs = 0;     // visited
  int64_t passes = 0, branches = 0; // of dual decomposition
  std::vector<uint8_t> open;        // (T, K), of dual decomposition: 0 for labels that are on no path as good as the answer
  std::size_t held = 0;             // bytes, at most at once
};

// The best legal path so far.
struct Incumbent {
  double score = kForbidden;
  std::vector<int32_t> path;

  // Takes a better path; the score must count all parts.
  bool offer(double offered, const std::vector<int32_t>& labels) {
    if (!(offered > score)) return false;
    score = offered;
    path = labels;
    return true;
  }
};

// The score of a path by the raw scores and the rules' own counting; shares nothing with any search.
double judged(const Problem& problem, const std::vector<int32_t>& path);

// Sums of the incumbent's terms in another order differ by no more than this; 0 without one.
double rounding_in(const Problem& problem, const Incumbent& best);

// Fills in status, score, bound and labels, from the best legal path and what bounds every other. At a limit without
// a proof the status is `limited`, unless the limits ask for a bounded answer.
void conclude(const Problem& problem, const Limits& limits, const Incumbent& best, double bound, Outcome& outcome);

}  // namespace lawful
