#include "core/solvers/guidance.hpp"

namespace lawful {
namespace {

constexpr int kPasses = 24;  // of potentials, at most

double complete(const Folded& folded, Doubles& completion, std::vector<int32_t>& path) {
  completion.resize(static_cast<std::size_t>(folded.length) * folded.stride);
  path.resize(folded.length);
  kernels().complete(folded.emissions.data(), folded.steps.data(), completion.data(), nullptr, folded.length, folded.labels,
                     folded.stride);
  return kernels().follow(folded.steps.data(), completion.data(), nullptr, path.data(), folded.length, folded.stride);
}

}  // namespace

void Guidance::repair(const Problem& problem, const double* completion, const Potentials* potentials, Budget& budget) {
  std::vector<int32_t> path(problem.trellis->length);
  incumbent_.offer(repair_.run(problem, folded_, completion, potentials, path.data(), budget), path);
}

// Moves potentials while that brings the bound and the best legal path together.
void Guidance::tighten(const Problem& problem, Budget& budget) {
  budget.set_aside(bytes() - potentials_.bytes());
  potentials_.begin(problem, folded_, problem.searched);
  for (int pass = 0; pass < kPasses && bound_ > incumbent_.score + rounding_in(problem, incumbent_); ++pass) {
    const double now = potentials_.pass(budget);
    states_ += static_cast<int64_t>(folded_.length) * folded_.labels;
    if (now > kForbidden) repair(problem, potentials_.completion(), &potentials_, budget);
    const bool consistent = potentials_.consistent();
    const double rounding = potentials_.rounding();
    if (potentials_.hide(rounding_in(problem, incumbent_))) break;
    if (now + rounding < bound_ || !tightened_) {
      bound_ = std::min(now + rounding, bound_);
      potentials_.keep();
      tightened_ = true;
    }
    if (now == kForbidden || consistent) break;
    if (!potentials_.move(incumbent_.score > kForbidden ? incumbent_.score : bound_ - 1)) break;
  }
}

std::size_t Guidance::bytes() const {
  return folded_.bytes() + bare_folded_.bytes() + potentials_.bytes() +
         (plain_.capacity() + bare_plain_.capacity() + priced_.capacity()) * sizeof(double);
}

void Guidance::build(const Problem& problem, Completion completion, Budget& budget, const std::vector<int32_t>& known) {
  std::vector<int32_t> path;
  incumbent_ = {};
  if (!known.empty()) incumbent_.offer(judged(problem, known), known);
  bound_ = -kForbidden;
  states_ = 0;
  tightened_ = false;
  prices_ = nullptr;
  bare_ = completion == Completion::published;
  folded_.build(problem);
  bound_ = complete(folded_, plain_, path);
  completion_ = plain_.data();
  states_ = static_cast<int64_t>(folded_.length) * folded_.labels;
  if (bound_ == kForbidden) return;
  budget.hold(bytes());
  budget.work(states_ * folded_.labels / 4);
  repair(problem, completion_, nullptr, budget);
  if (bare_) {
    bare_problem_ = Problem::make(problem.trellis, PartSet::make({}), std::make_shared<Binding>(problem.trellis->length));
    bare_folded_.build(*bare_problem_);
    complete(bare_folded_, bare_plain_, path);
    budget.work(states_ * folded_.labels / 4);
    completion_ = bare_plain_.data();
  } else if (completion == Completion::relaxed && !problem.searched.empty()) {
    tighten(problem, budget);
  }
  budget.set_aside(bytes());
}

void Guidance::use(const Problem& problem, const Prices& prices, Budget& budget) {
  const int length = folded_.length, stride = folded_.stride;
  const std::size_t size = plain_.size();
  prices_ = &prices;
  budget.set_aside(0);
  budget.hold(bytes() + 3 * size * sizeof(double));
  budget.work(static_cast<int64_t>(size) * (folded_.labels / 4 + static_cast<int64_t>(problem.searched.size())));
  Doubles earned(size, 0.0), emissions(size);
  for (std::size_t p = 0; p < problem.searched.size(); ++p)
    kernels().add(earned.data(), prices.of_labels + p * size, earned.data(), static_cast<int>(size));
  kernels().add(earned.data(), prices.mask, emissions.data(), static_cast<int>(size));
  std::vector<const double*> rows(length);
  for (int t = 0; t < length; ++t) {
    double* row = emissions.data() + static_cast<std::size_t>(t) * stride;
    kernels().add(row, folded_.emissions[t], row, stride);
    rows[t] = row;
  }
  priced_.resize(size);
  kernels().complete(rows.data(), folded_.steps.data(), priced_.data(), nullptr, length, folded_.labels, stride);
  states_ += static_cast<int64_t>(length) * folded_.labels;
  for (std::size_t i = 0; i < size; ++i) priced_[i] -= earned[i];
  budget.set_aside(bytes());
}

void Guidance::prepare(const Problem& problem, JointStates& states, Budget& budget) const {
  if (bare_) return states.begin(problem.parts);
  std::vector<BoundPart> searched;
  for (const int32_t p : problem.searched) searched.push_back(problem.parts[p]);
  states.begin(std::move(searched), tightened_ ? &potentials_ : nullptr);
  states.look_ahead(prices_ ? priced_.data() : plain_.data(), prices_ ? prices_->of_labels : nullptr, folded_.length,
                    folded_.stride, budget);
}

Doubles Guidance::max_marginals() const {
  const int length = folded_.length, labels = folded_.labels, stride = folded_.stride;
  Doubles result(static_cast<std::size_t>(length) * stride, kForbidden), before(stride), reached(stride, 0.0);
  for (int t = 0; t < length; ++t) {
    const Step& step = folded_.steps[t];
    if (t > 0) {
      before = reached;
      std::fill(reached.begin(), reached.end(), kForbidden);
      const bool stays = step.diagonal && !step.forward;
      for (int i = 0; i < labels; ++i)
        for (int j = stays ? i : 0; j < (stays ? i + 1 : labels); ++j) {
          const double add = stays ? step.diagonal[i] : step.forward ? step.forward[i * stride + j] : 0.0;
          reached[j] = std::max(reached[j], before[i] + add);
        }
    }
    for (int k = 0; k < labels; ++k) {
      const std::size_t at = static_cast<std::size_t>(t) * stride + k;
      result[at] = reached[k] + plain_[at];
      reached[k] += folded_.emissions[t][k];
    }
  }
  return result;
}

}  // namespace lawful
