#include "core/solvers/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "core/rules/count.hpp"

namespace lawful {
namespace {

double charged(const Part& part, int64_t violations) {
  if (violations == 0) return 0;
  if (part.mode == Mode::hard) return -kForbidden;
  return part.mode == Mode::once ? part.price : part.price * static_cast<double>(violations);
}

// Shares nothing with any search.
double judged(const Problem& problem, const std::vector<int32_t>& path) {
  const int length = problem.trellis->length;
  double score = path_score(*problem.trellis, path.data());
  for (const BoundPart& bound : problem.parts)
    score -= charged(*bound.part, count_violations(*bound.part, bound.kinds, path.data(), length));
  return score;
}

}  // namespace

double rounding_in(const Problem& problem) {
  double scale = problem.trellis->magnitude;
  for (const BoundPart& bound : problem.parts)
    if (bound.part->mode != Mode::hard) scale += bound.part->price;
  return scale * 1e-14;
}

void conclude(const Problem& problem, const Limits& limits, const Incumbent& best, double bound, Outcome& outcome) {
  const bool proved = bound <= best.score + rounding_in(problem);
  if (!proved && outcome.limit != LimitHit::none && !limits.bounded) {
    outcome.status = Status::limited;
    return;
  }
  if (best.score == kForbidden) {
    outcome.status = bound == kForbidden ? Status::infeasible : Status::bounded;
    outcome.bound = bound;
    return;
  }
  outcome.labels = best.path;
  outcome.score = judged(problem, best.path);
  outcome.status = proved ? Status::optimal : Status::bounded;
  outcome.bound = proved ? outcome.score : std::max(bound, outcome.score);
  const double allowed = 1e-9 * (1 + problem.trellis->magnitude + std::abs(best.score));
  if (!(std::abs(outcome.score - best.score) <= allowed)) outcome.status = Status::disagreement;
}

}  // namespace lawful
