#include "core/engine/repair.hpp"

#include <algorithm>

namespace lawful {

double Repair::read(int t, int label, double& cost) {
  cost = 0;
  if (label == steady_label_) return 0;
  budget_->work(4 * static_cast<int64_t>(walkers_.size()));
  double worth = 0;
  bool steady = kindless_;
  for (Walker& walker : walkers_) {
    const int at = walker.state * walker.classes + walker.table[(walker.kinds ? walker.kinds[t] * labels_ : 0) + label];
    walker.next = walker.delta[at];
    if (walker.next == kDead) {
      steady_label_ = -1;
      return cost = kForbidden;
    }
    cost -= walker.cost[at];
    worth += walker.values ? walker.values[at] : -walker.cost[at];
    steady &= walker.next == walker.state && walker.cost[at] == 0;
  }
  steady_label_ = steady ? label : -1;
  return worth;
}

int Repair::choose(int t, int first, const double* row, const double* promised, const double* completion, int stride,
                   double& cost) {
  constexpr double kNothing = -1e-9;
  double best = 0;
  int label = first >= 0 ? first : kernels().first_best(completion, promised, stride, &best);
  if (best == kForbidden) return -1;
  auto difference = [&] { return read(t, label, cost) - (promised ? promised[label] : 0.0) + (row ? row[label] : 0.0); };
  double owed = difference();
  if (owed >= kNothing) return label;
  if (promised) kernels().add(completion, promised, choices_.data(), stride);
  else std::copy(completion, completion + stride, choices_.begin());
  charged_.assign(stride, false);
  while (owed < kNothing && !charged_[label]) {
    choices_[label] += owed;
    charged_[label] = true;
    label = kernels().first_best(choices_.data(), nullptr, stride, &best);
    if (best == kForbidden) return -1;
    owed = difference();
  }
  return label;
}

double Repair::run(const Problem& problem, const Folded& folded, const double* completion, const Potentials* potentials,
                   int32_t* path, Budget& budget, const int32_t* guide) {
  const int length = folded.length, stride = folded.stride;
  budget.work(static_cast<int64_t>(length) * stride);
  budget_ = &budget;
  walkers_.clear();
  kindless_ = std::all_of(problem.searched.begin(), problem.searched.end(), [&](int32_t p) { return !problem.parts[p].kinds; });
  steady_label_ = -1;
  labels_ = folded.labels;
  for (const int32_t p : problem.searched) {
    const Part& part = *problem.parts[p].part;
    walkers_.push_back({part.table.data(), problem.parts[p].kinds, part.delta.data(), part.cost.data(), part.final_cost.data(),
                        nullptr, part.classes, 0, 0});
  }
  if (potentials)
    for (std::size_t i = 0, w = 0; i < potentials->parts().size(); ++i, ++w) {  // both in the order of the problem's parts
      while (problem.searched[w] != potentials->parts()[i]) ++w;
      walkers_[w].values = potentials->step_values(i);
    }
  choices_.resize(stride);
  double score = 0;
  int label = -1;
  for (int t = 0; t < length; ++t, completion += stride) {
    const Step& step = folded.steps[t];
    double cost = 0;
    if (t > 0 && step.diagonal && !step.forward) {
      read(t, label, cost);
      if (cost == kForbidden) return kForbidden;
      score += step.diagonal[label];
    } else {
      const std::size_t at = t > 0 ? static_cast<std::size_t>(label) * stride : 0;
      const double* row = t > 0 && step.forward ? step.forward + at : nullptr;
      const double* promised = !potentials ? row : t > 0 ? potentials->steps()[t].forward + at : potentials->first();
      const bool guided = guide && (t == 0 || path[t - 1] == guide[t - 1]);
      label = choose(t, guided ? guide[t] : -1, row, promised, completion, stride, cost);
      if (label < 0) return kForbidden;
      if (row) score += row[label];
    }
    score += folded.emissions[t][label] + cost;
    path[t] = label;
    for (Walker& walker : walkers_) walker.state = walker.next;
  }
  for (const Walker& walker : walkers_) score -= walker.final_cost[walker.state];
  return score;
}

}  // namespace lawful
