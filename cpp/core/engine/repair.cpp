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
    const Part& part = *walker.bound->part;
    const int at = walker.state * part.classes + part.class_at(walker.bound->kind(t), label);
    walker.next = part.delta[at];
    if (walker.next == kDead) {
      steady_label_ = -1;
      return cost = kForbidden;
    }
    cost -= part.cost[at];
    worth += walker.values ? walker.values[at] : -part.cost[at];
    steady &= walker.next == walker.state && part.cost[at] == 0;
  }
  steady_label_ = steady ? label : -1;
  return worth;
}

int Repair::choose(int t, const double* row, const double* promised, const double* completion, int stride, double& cost) {
  constexpr double kNothing = -1e-9;
  double best;
  int label = kernels().first_best(completion, promised, stride, &best);
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
                   int32_t* path, Budget& budget) {
  const int length = folded.length, stride = folded.stride;
  budget_ = &budget;
  walkers_.clear();
  kindless_ = std::all_of(problem.searched.begin(), problem.searched.end(), [&](int32_t p) { return !problem.parts[p].kinds; });
  steady_label_ = -1;
  for (const int32_t p : problem.searched) walkers_.push_back({&problem.parts[p], nullptr, 0, 0});
  if (potentials)
    for (std::size_t i = 0; i < potentials->parts().size(); ++i)
      for (Walker& walker : walkers_)
        if (walker.bound == &problem.parts[potentials->parts()[i]]) walker.values = potentials->step_values(i);
  choices_.resize(stride);
  double score = 0;
  int label = -1;
  for (int t = 0; t < length; ++t, completion += stride) {
    const Step& step = folded.steps[t];
    budget.work(stride);
    double cost = 0;
    if (t > 0 && step.diagonal && !step.forward) {
      read(t, label, cost);
      if (cost == kForbidden) return kForbidden;
      score += step.diagonal[label];
    } else {
      const std::size_t at = t > 0 ? static_cast<std::size_t>(label) * stride : 0;
      const double* row = t > 0 && step.forward ? step.forward + at : nullptr;
      const double* promised = !potentials ? row : t > 0 ? potentials->steps()[t].forward + at : potentials->first();
      label = choose(t, row, promised, completion, stride, cost);
      if (label < 0) return kForbidden;
      if (row) score += row[label];
    }
    score += folded.emissions[t][label] + cost;
    path[t] = label;
    for (Walker& walker : walkers_) walker.state = walker.next;
  }
  for (const Walker& walker : walkers_) score -= walker.bound->part->final_cost[walker.state];
  return score;
}

}  // namespace lawful
