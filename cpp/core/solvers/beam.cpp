#include "core/solvers/beam.hpp"

#include <algorithm>

namespace lawful {
namespace {

constexpr int64_t kAfterLimit = 8;  // the width after a limit was reached

}  // namespace

void Beam::forbid_labels(double within) {
  forbidden_.clear();
  if (within == -kForbidden) return;
  const int length = guidance_.folded().length, labels = guidance_.folded().labels, stride = guidance_.folded().stride;
  const Doubles marginals = guidance_.max_marginals();
  forbidden_.assign(static_cast<std::size_t>(length) * labels, 0);
  for (int t = 0; t < length; ++t) {
    const double* row = marginals.data() + static_cast<std::size_t>(t) * stride;
    const double best = *std::max_element(row, row + labels);
    for (int k = 0; k < labels; ++k) {
      if (!(row[k] < best - within)) continue;
      forbidden_[static_cast<std::size_t>(t) * labels + k] = 1;
      dropped_ = std::max(dropped_, row[k]);
    }
  }
}

// The prefix of `parent` goes on with `label` at t; `score` is without its emission.
void Beam::enter(int32_t parent, double score, int32_t from, int t, int label) {
  const Folded& folded = guidance_.folded();
  if (!forbidden_.empty() && forbidden_[static_cast<std::size_t>(t) * folded.labels + label]) return;
  if (!(score + guidance_.completion(t, label) > threshold_)) return;
  ++arcs_;
  const JointStates::Reading reading = states_.read(from, t, label);
  if (reading.states == kDead) return;
  score += reading.worth;
  const double promise = guidance_.promise(t, label, score, reading, states_);
  if (!(promise > threshold_)) return;
  score += folded.emissions[t][label];
  const auto [number, fresh] = numbers_.number(static_cast<uint64_t>(label) << 32 | static_cast<uint32_t>(reading.states));
  if (fresh) nodes_.push_back({score, promise, parent, reading.states, label});
  else if (Node& known = nodes_[first_ + number]; score > known.score) known = {score, promise, parent, reading.states, label};
}

void Beam::extend(int32_t parent, int t) {
  const Node node = nodes_[parent];
  const Folded& folded = guidance_.folded();
  const Step& step = folded.steps[t];
  if (step.diagonal && !step.forward) return enter(parent, node.score + step.diagonal[node.label], node.states, t, node.label);
  const double* row = step.forward ? step.forward + static_cast<std::size_t>(node.label) * folded.stride : nullptr;
  for (int k = 0; k < folded.labels; ++k) enter(parent, row ? node.score + row[k] : node.score, node.states, t, k);
}

// Keeps the most promising nodes from `first` on, the first of equals, in the order in which they were met.
void Beam::cut(std::size_t first, std::size_t keep) {
  if (nodes_.size() - first <= keep) return;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t n = first; n < nodes_.size(); ++n) ranked.emplace_back(-nodes_[n].promise, n);
  const auto middle = ranked.begin() + static_cast<std::ptrdiff_t>(keep);
  std::nth_element(ranked.begin(), middle, ranked.end());
  dropped_ = std::max(dropped_, -middle->first);
  std::sort(ranked.begin(), middle, [](const auto& a, const auto& b) { return a.second < b.second; });
  for (std::size_t n = 0; n < keep; ++n) nodes_[first + n] = nodes_[ranked[n].second];
  nodes_.resize(first + keep);
}

// For all that extending one node may add.
void Beam::make_room(Budget& budget) {
  const std::size_t others = numbers_.bytes_to_grow() + states_.bytes_to_grow() + forbidden_.capacity();
  budget.make_room(nodes_, guidance_.folded().labels, others);
  budget.hold(nodes_.capacity() * sizeof(Node) + others);
}

std::vector<int32_t> Beam::path_to(int32_t node) const {
  std::vector<int32_t> path;
  for (; node >= 0; node = nodes_[node].parent) path.push_back(nodes_[node].label);
  std::reverse(path.begin(), path.end());
  return path;
}

// Fills the nodes of position t from those of the position before, which start at `before`.
void Beam::fill(std::size_t before, int t, Budget& budget) {
  const Folded& folded = guidance_.folded();
  const int64_t units = folded.labels * (states_.units_to_read() + 30);
  numbers_.clear();
  make_room(budget);
  if (t == 0)
    for (int k = 0; k < folded.labels; ++k) enter(-1, 0.0, 0, 0, k);
  else
    for (std::size_t n = before; n < first_; ++n) {
      budget.work(units);
      make_room(budget);
      extend(static_cast<int32_t>(n), t);
    }
}

// Fills the nodes of all positions, as far as any are left; false at a limit that ends the search.
bool Beam::sweep(int64_t width, const Limits& limits, Budget& budget, LimitHit& limit) {
  std::size_t before = 0;
  for (int t = 0; t < guidance_.folded().length; ++t) {
    first_ = nodes_.size();
    try {
      fill(before, t, budget);
      if (limit == LimitHit::none && static_cast<int64_t>(nodes_.size()) > limits.max_states) {
        limit = LimitHit::states;
        if (!limits.bounded) return false;
        width = std::min(width, kAfterLimit);
      }
      cut(first_, static_cast<std::size_t>(width));
    } catch (const LimitReached& reached) {
      const bool again = limit != LimitHit::none && limit != LimitHit::states;
      limit = reached.limit;
      if (!limits.bounded || again) return false;
      // The most promising nodes of the position before go on.
      budget.grant_grace();
      nodes_.resize(first_);
      width = std::min(width, kAfterLimit);
      cut(before, static_cast<std::size_t>(width));
      --t;
      continue;
    }
    before = first_;
  }
  return true;
}

Outcome Beam::run(const Problem& problem, const Options& options, const Limits& limits) {
  Budget budget(limits);
  Outcome outcome;
  nodes_.clear();
  dropped_ = kForbidden;
  arcs_ = 0;
  auto begin = [&] {
    guidance_.build(problem, options.completion, budget);
    const Incumbent& best = guidance_.incumbent();
    threshold_ = best.score == kForbidden ? kForbidden : best.score + rounding_in(problem, best);
    if (!(guidance_.bound() > threshold_)) return false;
    guidance_.prepare(problem, states_, budget);
    forbid_labels(options.per_position);
    return true;
  };
  bool searching = false;
  try {
    try {
      searching = begin();
    } catch (const LimitReached& reached) {
      outcome.limit = reached.limit;
      if (!limits.bounded) throw;
      budget.grant_grace();
      searching = begin();
    }
    if (searching && !sweep(outcome.limit == LimitHit::none ? options.width : std::min(options.width, kAfterLimit), limits,
                            budget, outcome.limit))
      throw LimitReached(outcome.limit);
  } catch (const LimitReached& reached) {
    outcome.limit = reached.limit;
    dropped_ = guidance_.bound();  // an unfinished sweep proves no more than this
    searching = false;
  }
  Incumbent best = guidance_.incumbent();
  if (searching)
    for (std::size_t n = first_; n < nodes_.size(); ++n) {
      const double score = nodes_[n].score + states_.at_end(nodes_[n].states);
      if (score > best.score) best.offer(score, path_to(static_cast<int32_t>(n)));
    }
  outcome.states = guidance_.states() + static_cast<int64_t>(nodes_.size());
  outcome.arcs = arcs_;
  outcome.held = budget.most();
  conclude(problem, limits, best, std::max(std::min(dropped_, guidance_.bound()), best.score), outcome);
  return outcome;
}

}  // namespace lawful
