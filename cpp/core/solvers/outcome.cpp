#include "core/solvers/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "core/rules/count.hpp"

namespace lawful {
namespace {

constexpr double kAgreement = 1e4;  // roundings by which judge and search may differ

}  // namespace

double judged(const Problem& problem, const std::vector<int32_t>& path) {
  const int length = problem.trellis->length;
  double score = path_score(*problem.trellis, path.data());
  for (const BoundPart& bound : problem.parts)
    score -= charge(*bound.part, count_violations(*bound.part, bound.kinds, path.data(), length));
  return score;
}

double rounding_in(const Problem& problem, const Incumbent& best) {
  return best.score == kForbidden ? 0.0 : sum_path(*problem.trellis, best.path.data()).rounding(best.score);
}

void conclude(const Problem& problem, const Limits& limits, const Incumbent& best, double bound, Outcome& outcome) {
  const double rounding = rounding_in(problem, best);
  const bool proved = bound <= best.score + rounding;
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
  if (!(std::abs(outcome.score - best.score) <= kAgreement * rounding)) outcome.status = Status::disagreement;
}

}  // namespace lawful
