#include "core/repair.hpp"

#include <algorithm>

namespace bylaw {

double Repair::run(const Problem& problem, const Folded& folded, const double* completion, int32_t* path) {
  const int length = folded.length, stride = folded.stride;
  const std::size_t parts = problem.parts.size();
  states_.assign(parts, 0);
  next_.assign(parts, 0);
  choices_.resize(stride);
  double score = 0;
  int before = -1;
  // Moves every part into next_; what they charge, or kForbidden.
  auto read = [&](int t, int label) {
    double cost = 0;
    for (std::size_t p = 0; p < parts; ++p) {
      const Part& part = *problem.parts[p];
      if (part.local) continue;
      const int at = states_[p] * part.classes + part.class_at(problem.kind_at(p, t), label);
      next_[p] = part.delta[at];
      if (next_[p] == kDead) return kForbidden;
      cost -= part.cost[at];
    }
    return cost;
  };
  for (int t = 0; t < length; ++t, completion += stride) {
    const Step& step = folded.steps[t];
    int label = before;
    double cost;
    if (t > 0 && step.diagonal && !step.forward) {
      cost = read(t, label);
      if (cost == kForbidden) return kForbidden;
      score += step.diagonal[label];
    } else {
      const double* row = t > 0 && step.forward ? step.forward + static_cast<std::size_t>(before) * stride : nullptr;
      std::copy(completion, completion + stride, choices_.begin());
      if (row)
        for (int k = 0; k < stride; ++k) choices_[k] += row[k];
      charged_.assign(stride, false);
      for (;;) {
        double best;
        label = kernels().first_best(choices_.data(), nullptr, stride, &best);
        if (best == kForbidden) return kForbidden;
        cost = read(t, label);
        if (cost == 0 || charged_[label]) break;
        choices_[label] += cost;
        charged_[label] = true;
      }
      if (row) score += row[label];
    }
    score += folded.emissions[t][label] + cost;
    path[t] = before = label;
    std::swap(states_, next_);
  }
  for (std::size_t p = 0; p < parts; ++p)
    if (!problem.parts[p]->local) score -= problem.parts[p]->final_cost[states_[p]];
  return score;
}

}  // namespace bylaw
