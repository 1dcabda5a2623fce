// The first good guess of potentials.
//
// A subgradient step knows which states are in conflict, but not by how much. That can be asked of the lattice: a part that
// has reached one state where the best step leaves another is at peace if the path goes round this step, or if it goes
// round the step that took the part out of the other state before. What such a detour costs is a matter of the few
// positions between the path and itself. Of all detours that would settle a conflict, the dearest is the one not worth
// taking; potentials that charge more than the others cost, and less than this one, make the right path the best one.
#include <algorithm>

#include "core/engine/potentials.hpp"

namespace lawful {
namespace {

constexpr double kShare = 0.15;  // of the way from the second dearest detour to the dearest
constexpr double kBack = 0.5;    // of a leap that went too far
constexpr int kLongest = 64;     // steps of a detour
constexpr int kEarlier = 1, kLater = 1;  // and more at either end
constexpr std::size_t kMostConflicts = 100;

}  // namespace

// What the path loses if it leaves the part in `state` at position t and for as long as its own labels would not; infinity if
// that is not possible. It may leave the path a little earlier and come back a little later.
double Potentials::detour(std::size_t part, int32_t state, int t, Budget& budget) {
  const BoundPart& bound = problem_->parts[parts_[part]];
  const Part& machine = *bound.part;
  const int length = folded_->length, labels = folded_->labels, stride = folded_->stride;
  auto stays = [&](int at, int label) {
    return machine.delta[state * machine.classes + machine.class_at(bound.kind(at), label)] == state;
  };
  const int begin = std::max(t - kEarlier, 0);
  int later = 0;
  stay_.assign(stride, kForbidden);
  way_.assign(stride, kForbidden);
  next_way_.resize(stride);
  open_.resize((stride + 63) / 64);
  double along = 0, loss = -kForbidden;  // along: what the path itself scores on the way
  for (int u = begin; u < length; ++u) {
    budget.work(stride * (labels / 4 + 2));
    const Step& step = steps()[u];
    if (u - t > kLongest || (u > 0 && step.diagonal && !step.forward)) return loss;
    const double* row = u == 0         ? first_.data()
                        : step.forward ? step.forward + static_cast<std::size_t>(path_[u - 1]) * stride
                                       : nullptr;
    if (row) along += row[path_[u]];
    if (u == begin || bound.kinds)
      for (int k = 0; k < labels; ++k) stay_[k] = stays(u, k) ? 0.0 : kForbidden;
    if (u == begin) {
      if (row) kernels().add(stay_.data(), row, way_.data(), stride);
      else way_ = stay_;
    } else {
      std::fill(next_way_.begin(), next_way_.end(), kForbidden);
      const Entry entry{next_way_.data(), stay_.data()};
      if (step.forward) {
        std::fill(open_.begin(), open_.end(), 0);
        for (int k = 0; k < labels; ++k)
          if (way_[k] > kForbidden) open_[k / 64] |= uint64_t{1} << (k % 64);
        kernels().extend(way_.data(), open_.data(), step.forward, &entry, 1, stride);
      } else {
        kernels().extend_all(kernels().largest(way_.data(), nullptr, stride), &entry, 1, stride);
      }
      std::swap(way_, next_way_);
    }
    if (u > t && way_[path_[u]] > kForbidden) {
      loss = std::min(loss, along - way_[path_[u]]);
      if (++later > kLater) return loss;
    }
    kernels().add(way_.data(), emissions()[u], way_.data(), stride);
    along += emissions()[u][path_[u]];
  }
  return std::min(loss, along - kernels().largest(way_.data(), nullptr, stride));
}

// What the parts add to the path under the present potentials.
double Potentials::worth_of_path(Budget& budget) const {
  const int length = folded_->length;
  double worth = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const BoundPart& bound = problem_->parts[parts_[p]];
    const Part& part = *bound.part;
    const double *collapsed = collapsed_[p].data(), *potential = potential_.data() + offset_[p];
    budget.work(length);
    const int first = part.class_at(bound.kind(0), path_[0]);
    worth += potential[part.delta[first]] - part.cost[first];
    for (int t = 1, alike = 1; t < length; t += alike) {
      const bool runs = !bound.kinds && path_[t] == path_[t - 1];
      alike = runs ? run_end_[t] - t : 1;
      worth += alike * collapsed[path_[t - 1] * part.classes + part.class_at(bound.kind(t), path_[t])];
    }
    double end = kForbidden;
    for (const int32_t s : states_after(p, path_[length - 1])) end = std::max(end, -part.final_cost[s] - potential[s]);
    worth += end;
  }
  return worth;
}

bool Potentials::leap(double best, Budget& budget) {
  if (conflicts_.size() > kMostConflicts) return false;
  const std::vector<double> potential_before = potential_, raised_before = raised_;
  const double worth_before = worth_of_path(budget);
  const auto end = [&](const Conflict& conflict) { return conflict.t == folded_->length; };
  bool moved = false;
  for (std::size_t i = 0; i < conflicts_.size(); ++i) {
    const Conflict& here = conflicts_[i];
    auto alike = [&](const Conflict& other) {
      return other.part == here.part && other.reached == here.reached && other.chosen == here.chosen && end(other) == end(here);
    };
    if (std::any_of(conflicts_.begin(), conflicts_.begin() + static_cast<std::ptrdiff_t>(i), alike)) continue;
    double& reached = potential_[offset_[here.part] + here.reached];
    double& chosen = potential_[offset_[here.part] + here.chosen];
    double price;
    if (end(here)) {  // the part would rather have done what by now costs too much
      double& raised = raised_[offset_[here.part] + here.reached];
      price = kBack * raised;
      raised -= price;
    } else {
      costs_.clear();
      if (here.left >= 0) costs_.push_back(detour(here.part, here.chosen, here.left, budget));
      for (const Conflict& other : conflicts_)
        if (alike(other)) costs_.push_back(detour(here.part, here.reached, other.t, budget));
      std::sort(costs_.begin(), costs_.end());
      while (!costs_.empty() && !(costs_.back() < -kForbidden)) costs_.pop_back();
      if (costs_.empty()) continue;
      const double most = costs_.back(), second = costs_.size() > 1 ? costs_[costs_.size() - 2] : most;
      // No conflict is worth more than what the best legal path falls short.
      price = std::clamp(second + kShare * (most - second), 0.0, std::max(bound_ - best, 0.0));
      if (price == -kForbidden) continue;
      raised_[offset_[here.part] + here.chosen] = price;
    }
    reached -= price / 2;
    chosen += price / 2;
    moved |= price != 0;
  }
  if (!moved) return false;
  // The path is the best one: only potentials that take something from it can lower the bound. Those of parts that may pass
  // from one state to another at any token, such as orders of labels, take nothing.
  collapse_all(budget);
  if (worth_of_path(budget) < worth_before) return true;
  potential_ = potential_before;
  raised_ = raised_before;
  collapse_all(budget);
  return false;
}

}  // namespace lawful
