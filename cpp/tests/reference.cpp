// The best answer straight from the definitions: by enumeration, or by a dynamic program that cuts nothing.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/rules/count.hpp"
#include "tests/random_problems.hpp"

namespace lawful {

double total_score(const Problem& problem, const int32_t* labels) {
  double score = path_score(*problem.trellis, labels);
  for (const BoundPart& bound : problem.parts) {
    const int64_t broken = count_violations(*bound.part, bound.kinds, labels, problem.trellis->length);
    if (!broken) continue;
    if (bound.part->mode == Mode::hard) return kForbidden;
    score -= bound.part->price * (bound.part->mode == Mode::once ? 1.0 : static_cast<double>(broken));
  }
  return score;
}

double best_by_enumeration(const Problem& problem) {
  const int length = problem.trellis->length, labels = problem.trellis->labels;
  std::vector<int32_t> path(length, 0);
  double best = kForbidden;
  for (;;) {
    best = std::max(best, total_score(problem, path.data()));
    int t = length - 1;
    while (t >= 0 && ++path[t] == labels) path[t--] = 0;
    if (t < 0) return best;
  }
}

double best_by_dynamic_programming(const Problem& problem) {
  const Trellis& trellis = *problem.trellis;
  const std::size_t parts = problem.parts.size();
  // A combination is a number: of each part its counting state, twice as many if it may have been paid; then the label.
  std::vector<std::size_t> weight(parts);
  std::size_t combinations = static_cast<std::size_t>(trellis.labels);
  for (std::size_t p = 0; p < parts; ++p) {
    weight[p] = combinations;
    combinations *=
        static_cast<std::size_t>(problem.parts[p].part->count_states) * (problem.parts[p].part->mode == Mode::once ? 2 : 1);
  }
  std::vector<double> layer(combinations, kForbidden), next;
  layer[0] = 0.0;  // before the first label; its own number is never used
  for (int t = 0; t < trellis.length; ++t) {
    const bool last = t == trellis.length - 1;
    next.assign(combinations, kForbidden);
    for (std::size_t from = 0; from < combinations; ++from) {
      if (layer[from] == kForbidden) continue;
      const int before = static_cast<int>(from % static_cast<std::size_t>(trellis.labels));
      for (int k = 0; k < trellis.labels; ++k) {
        double score = layer[from] + trellis.emission(t)[k];
        if (t == 0 && !trellis.start.empty()) score += trellis.start[k];
        if (t > 0 && trellis.transitions) score += trellis.transitions->forward_at(t - 1)[before * trellis.stride + k];
        if (last && !trellis.end.empty()) score += trellis.end[k];
        auto to = static_cast<std::size_t>(k);
        std::size_t rest = from;
        for (std::size_t p = parts; p-- > 0; rest %= weight[p]) {
          const Part& part = *problem.parts[p].part;
          auto [paid, state] = std::div(static_cast<long>(rest / weight[p]), static_cast<long>(part.count_states));
          const long at = state * part.classes + part.class_at(problem.parts[p].kind(t), k);
          state = part.count_delta[at];
          const int32_t broken = part.count_violations[at] + (last ? part.count_final[state] : 0);
          if (broken && part.mode == Mode::hard) score = kForbidden;
          if (broken && part.mode == Mode::counted) score -= part.price * broken;
          if (broken && part.mode == Mode::once && !paid) {
            score -= part.price;
            paid = 1;
          }
          to += weight[p] * static_cast<std::size_t>(paid * part.count_states + state);
        }
        next[to] = std::max(next[to], score);
      }
    }
    layer.swap(next);
  }
  return *std::max_element(layer.begin(), layer.end());
}

bool close(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

}  // namespace lawful
