#include "core/engine/repair.hpp"

#include <algorithm>
#include <bit>

#include "core/rules/marked_tokens.hpp"

namespace lawful {

template <typename Visit>
bool Repair::each_awake(int t, Visit visit) {
  for (std::size_t word = 0; word < words_; ++word)
    for (uint64_t bits = awake_[t * words_ + word]; bits; bits &= bits - 1)
      if (!visit(walkers_[kindless_ + 64 * word + std::countr_zero(bits)])) return false;
  return true;
}

void Repair::start(const Problem& problem, const Potentials* potentials) {
  walkers_.clear();
  for (const bool looks : {false, true}) {
    std::size_t priced = 0;  // both are in the order of the problem's parts
    for (const int32_t p : problem.searched) {
      const auto& [part, kinds] = problem.parts[p];
      if ((kinds != nullptr) != looks) continue;
      const double* values = nullptr;
      if (potentials) {
        const std::vector<int32_t>& inside = potentials->parts();
        while (priced < inside.size() && inside[priced] < p) ++priced;
        if (priced < inside.size() && inside[priced] == p) values = potentials->step_values(priced);
      }
      walkers_.push_back({part, part->table.data(), kinds, part->delta.data(), part->cost.data(), part->final_cost.data(), values,
                          part->classes, 0, 0});
    }
    if (!looks) kindless_ = walkers_.size();
  }
  const int length = problem.trellis->length;
  words_ = (walkers_.size() - kindless_ + 63) / 64;
  awake_.assign(length * words_, 0);
  for (std::size_t w = kindless_; w < walkers_.size(); ++w) {
    const uint16_t* kinds = walkers_[w].kinds;
    const std::vector<uint8_t>& sleeps = walkers_[w].part->sleeps;
    uint64_t* words = awake_.data() + (w - kindless_) / 64;
    const int bit = static_cast<int>((w - kindless_) % 64);
    auto wake = [&](int t) { words[t * words_] |= static_cast<uint64_t>(!sleeps[kinds[t]]) << bit; };
    if (sleeps[0]) for_each_marked(kinds, length, wake);
    else
      for (int t = 0; t < length; ++t) wake(t);
  }
  idle_.clear();
  for (std::size_t w = 0; w < kindless_; ++w) idle_.push_back(walkers_[w].part->idle_labels[0]);
  find_idle_labels();
  moved_.clear();
  labels_ = problem.trellis->labels;
  refusers_.assign(labels_, -1);
}

void Repair::find_idle_labels() {
  idle_labels_ = ~uint64_t{0};
  for (const uint64_t labels : idle_) idle_labels_ &= labels;
}

double Repair::read(int t, int label, double& cost) {
  cost = 0;
  double worth = 0;
  auto at_label = [&](const Walker& walker) {
    return walker.state * walker.classes + walker.table[(walker.kinds ? walker.kinds[t] * labels_ : 0) + label];
  };
  auto step = [&](Walker& walker) {
    const int at = at_label(walker);
    walker.next = walker.delta[at];
    if (walker.next == kDead) return false;
    cost -= walker.cost[at];
    worth += walker.values ? walker.values[at] : -walker.cost[at];
    return true;
  };
  moved_.clear();
  const uint64_t bit = uint64_t{1} << (label % 64);
  if (!(idle_labels_ & bit)) {
    int32_t& refuser = refusers_[label];  // it mostly refuses again
    if (refuser >= 0 && walkers_[refuser].delta[at_label(walkers_[refuser])] == kDead) return cost = kForbidden;
    budget_->work(4 * static_cast<int64_t>(kindless_));
    for (std::size_t w = 0; w < kindless_; ++w) {
      if (idle_[w] & bit) continue;
      if (!step(walkers_[w])) {
        refuser = static_cast<int32_t>(w);
        return cost = kForbidden;
      }
      moved_.push_back(w);
    }
  }
  if (!each_awake(t, step)) return cost = kForbidden;
  return worth;
}

void Repair::go(int t) {
  if (!moved_.empty()) {
    for (const std::size_t w : moved_) {
      Walker& walker = walkers_[w];
      walker.state = walker.next;
      idle_[w] = walker.part->idle_labels[walker.state];
    }
    find_idle_labels();
  }
  each_awake(t, [](Walker& walker) {
    walker.state = walker.next;
    return true;
  });
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
  start(problem, potentials);
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
    go(t);
  }
  for (const Walker& walker : walkers_) score -= walker.final_cost[walker.state];
  return score;
}

}  // namespace lawful
