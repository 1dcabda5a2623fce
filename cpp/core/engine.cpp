#include "core/engine.hpp"

#include <algorithm>
#include <cmath>

#include "core/count.hpp"

namespace bylaw {
namespace {

// What a part charges for a number of violations.
double charge(const Part& part, int64_t violations) {
  if (violations == 0) return 0;
  if (part.mode == Mode::hard) return -kForbidden;
  return part.price * (part.mode == Mode::once ? 1.0 : static_cast<double>(violations));
}

}  // namespace

void Engine::check(const Problem& problem, const int32_t* path, int64_t* violations) {
  for (std::size_t p = 0; p < problem.parts.size(); ++p)
    if (!problem.parts[p]->local)
      violations[p] = count_violations(*problem.parts[p], problem.kinds_of(p), path, problem.trellis->length);
}

bool Engine::judge(const Problem& problem, const int32_t* labels, int64_t* violations, double& score) const {
  const int length = problem.trellis->length;
  for (int t = 0; t < length; ++t)
    if (labels[t] < 0 || labels[t] >= problem.trellis->labels) return false;
  double judged = path_score(*problem.trellis, labels);
  for (std::size_t p = 0; p < problem.parts.size(); ++p) {
    violations[p] = count_violations(*problem.parts[p], problem.kinds_of(p), labels, length);
    judged -= charge(*problem.parts[p], violations[p]);
  }
  const bool agree = std::abs(judged - score) <= 1e-9 * (1 + problem.trellis->magnitude + std::abs(score));
  score = judged;
  return agree;
}

Engine::Answer Engine::decode(const Problem& problem, const Limits& limits, int32_t* labels, int64_t* violations) {
  const auto started = std::chrono::steady_clock::now();
  const Trellis& trellis = *problem.trellis;
  const int length = trellis.length;
  const std::size_t parts = problem.parts.size();
  Answer answer;
  auto round = [&](double score, int64_t states, int64_t arcs, std::size_t first) {
    rounds.push_back({score, states, arcs, static_cast<int32_t>(first), static_cast<int32_t>(entered.size() - first)});
    answer.states += states, answer.arcs += arcs, ++answer.rounds;
  };

  folded_.build(problem, true);
  completion_.resize(static_cast<std::size_t>(length) * folded_.stride);
  path_.resize(length);
  kernels().complete(folded_.emissions.data(), folded_.steps.data(), completion_.data(), length, folded_.labels, folded_.stride);
  double relaxed = kernels().follow(folded_.steps.data(), completion_.data(), path_.data(), length, folded_.stride);
  round(relaxed, static_cast<int64_t>(length) * trellis.labels,
        static_cast<int64_t>(length - 1) * trellis.labels * trellis.labels, entered.size());
  if (relaxed == kForbidden) return answer;

  // Sums of the same numbers in another order differ by about this much.
  const double tolerance = trellis.magnitude * length * 2.3e-16;
  double best = kForbidden;  // of the best legal path so far, in best_path_
  included_.assign(parts, 0);
  const int32_t* result = nullptr;
  while (!result) {
    check(problem, path_.data(), violations);
    double total = relaxed;
    bool broken = false;
    for (std::size_t p = 0; p < parts; ++p) {
      if (problem.parts[p]->local || included_[p] || !violations[p]) continue;
      broken = true;
      total -= charge(*problem.parts[p], violations[p]);
    }
    if (!broken) {
      result = path_.data();
      answer.score = answer.bound = relaxed;
      answer.status = Status::optimal;
      break;
    }
    if (total > best) best = total, best_path_ = path_;
    if (answer.rounds == 1) {
      repaired_.resize(length);
      const double repaired = repair_.run(problem, folded_, completion_.data(), repaired_.data());
      if (repaired > best) best = repaired, std::swap(best_path_, repaired_);
    }
    if (relaxed <= best + tolerance) {
      result = best_path_.data();
      answer.score = answer.bound = best;
      answer.status = Status::optimal;
      answer.repaired = true;
      break;
    }
    const std::size_t first_entered = entered.size();
    product_parts_.clear(), product_kinds_.clear();
    for (std::size_t p = 0; p < parts; ++p) {
      if (problem.parts[p]->local) continue;
      if (!included_[p] && violations[p]) included_[p] = 1, entered.push_back(static_cast<int32_t>(p));
      if (!included_[p]) continue;
      product_parts_.push_back(problem.parts[p]);
      product_kinds_.push_back(problem.kinds_of(p));
    }
    const double threshold = best == kForbidden ? kForbidden : best - tolerance - 1e-12 * std::abs(best);
    const SearchResult found = search_.run(folded_, cached_product(product_parts_), product_kinds_, completion_.data(),
                                           threshold, limits, started, path_.data());
    round(found.score, found.states, found.arcs, first_entered);
    if (found.limit != LimitHit::none) {
      answer.limit = found.limit;
      if (!limits.bounded) {
        answer.status = Status::limited;
        return answer;
      }
    }
    if (found.score == kForbidden && best == kForbidden && found.limit == LimitHit::none) {
      answer.dead_at = found.dead_at;
      return answer;
    }
    relaxed = found.score;
    if (found.limit != LimitHit::none) {
      // The relaxed problem itself was not solved: what was lost on the way still bounds every answer.
      check(problem, path_.data(), violations);
      total = relaxed;
      for (std::size_t p = 0; p < parts; ++p)
        if (!problem.parts[p]->local && !included_[p]) total -= charge(*problem.parts[p], violations[p]);
      if (total > best) best = total, best_path_ = path_;
      answer.bound = std::max(found.bound, best);
      answer.score = best;
      answer.status = best + tolerance >= answer.bound ? Status::optimal : Status::bounded;
      if (best == kForbidden) return answer;
      result = best_path_.data();
    } else if (relaxed <= best) {
      result = best_path_.data();
      answer.score = answer.bound = best;
      answer.status = Status::optimal;
      answer.repaired = true;
    }
  }
  std::copy(result, result + length, labels);
  const double bound = answer.bound;
  if (!judge(problem, labels, violations, answer.score)) answer.status = Status::disagreement;
  answer.bound = answer.status == Status::optimal ? answer.score : std::max(bound, answer.score);
  return answer;
}

}  // namespace bylaw
