#include "core/solvers/a_star.hpp"

#include <algorithm>
#include <cmath>

#include "core/solvers/beam.hpp"

namespace lawful {
namespace {

constexpr double kSlack = 4e-15;    // of what a promise adds up, lost by rounding
constexpr double kEqual = 4e-16;    // of a prefix's score, within which another is no better
constexpr double kRescueSeconds = 0.04;
constexpr int64_t kRescueBytes = int64_t{16} << 20;
constexpr int kRescueWidth = 32;    // of the beam that finds an answer where the search had to stop without one

}  // namespace

void AStar::push(Entry entry) {
  queue_.push_back(entry);
  std::push_heap(queue_.begin(), queue_.end());
}

// The prefix of `parent`, whose promise is given, goes on with `label` at t; `score` is without its emission.
void AStar::reach(int32_t parent, double promise, double score, int32_t from, int t, int label) {
  const Folded& folded = guidance_.folded();
  if (!(score + guidance_.completion(t, label) > threshold_)) return;
  ++arcs_;
  const JointStates::Reading reading = states_.read(from, t, label);
  if (reading.states == kDead) return;
  score += reading.worth;
  double hope = guidance_.promise(t, label, score, reading, states_);
  if (!(hope > threshold_)) return;
  // A promise never grows along a path. One that shrinks by no more than rounding has not shrunk: among equals the
  // search should go deep.
  hope = hope > promise - kSlack * (std::abs(promise) + std::abs(score)) ? promise : hope;
  score += folded.emissions[t][label];
  const uint64_t token_label = static_cast<uint64_t>(t) * folded.labels + label;
  const auto [number, fresh] = numbers_.number(token_label << 32 | static_cast<uint32_t>(reading.states));
  if (fresh) nodes_.push_back({score, parent, reading.states, t, label, false});
  // A node that was closed opens again: where a huge completion hides what prefixes score, a worse one may come first.
  else if (score <= nodes_[number].score + (nodes_[number].closed ? kEqual * std::abs(score) : 0.0)) return;
  nodes_[number].score = score;
  nodes_[number].parent = parent;
  nodes_[number].closed = false;
  push({hope, t, number});
}

void AStar::extend(int32_t parent, double promise) {
  const Node node = nodes_[parent];
  const Folded& folded = guidance_.folded();
  const int t = node.t + 1;
  if (t == folded.length) {
    const double score = node.score + states_.at_end(node.states);
    if (score > threshold_) push({score, t, parent});
    return;
  }
  const Step& step = folded.steps[t];
  if (step.diagonal && !step.forward)
    return reach(parent, promise, node.score + step.diagonal[node.label], node.states, t, node.label);
  const double* row = step.forward ? step.forward + static_cast<std::size_t>(node.label) * folded.stride : nullptr;
  for (int k = 0; k < folded.labels; ++k) reach(parent, promise, row ? node.score + row[k] : node.score, node.states, t, k);
}

std::vector<int32_t> AStar::path_to(int32_t node) const {
  std::vector<int32_t> path;
  for (; node >= 0; node = nodes_[node].parent) path.push_back(nodes_[node].label);
  std::reverse(path.begin(), path.end());
  return path;
}

// For all that extending one node may add.
void AStar::make_room(Budget& budget) {
  const std::size_t labels = guidance_.folded().labels;
  auto others = [&] {
    return nodes_.capacity() * sizeof(Node) + queue_.capacity() * sizeof(Entry) + numbers_.bytes_to_grow() +
           states_.bytes_to_grow();
  };
  budget.hold(others());
  budget.make_room(nodes_, labels, others() - nodes_.capacity() * sizeof(Node));
  budget.make_room(queue_, labels, others() - queue_.capacity() * sizeof(Entry));
}

// Until the best path is found, or nothing is left that could be better than the best known one.
void AStar::search(const Limits& limits, Budget& budget, Incumbent& best) {
  const int64_t units = guidance_.folded().labels * (states_.units_to_read() + 40);
  while (!queue_.empty()) {
    const Entry top = queue_.front();
    if (top.promise <= threshold_) return;
    if (top.t == guidance_.folded().length) {
      best.offer(top.promise, path_to(top.node));
      return;
    }
    if (static_cast<int64_t>(nodes_.size()) > limits.max_states) throw LimitReached(LimitHit::states);
    if (!nodes_[top.node].closed) {
      make_room(budget);
      budget.work(units);
    }
    budget.work(100);
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    if (nodes_[top.node].closed) continue;
    nodes_[top.node].closed = true;
    extend(top.node, top.promise);
  }
}

Outcome AStar::run(const Problem& problem, Completion completion, const Limits& limits, const std::vector<int32_t>& known,
                   const Prices* prices) {
  Budget budget(limits);
  Outcome outcome;
  Incumbent best;
  double bound = -kForbidden;
  numbers_.clear();
  nodes_.clear();
  queue_.clear();
  arcs_ = 0;
  try {
    guidance_.build(problem, completion, budget, known);
    bound = guidance_.bound();
    best = guidance_.incumbent();
    threshold_ = best.score == kForbidden ? kForbidden : best.score + rounding_in(problem, best);
    if (guidance_.bound() > threshold_) {
      if (prices) guidance_.use(problem, *prices, budget);
      guidance_.prepare(problem, states_, budget);
      for (int k = 0; k < guidance_.folded().labels; ++k) reach(-1, -kForbidden, 0.0, 0, 0, k);
      search(limits, budget, best);
    }
    bound = kForbidden;
  } catch (const LimitReached& reached) {
    outcome.limit = reached.limit;
    best.offer(guidance_.incumbent().score, guidance_.incumbent().path);
    bound = std::min(guidance_.bound(), bound);
    if (!queue_.empty()) bound = std::min(bound, queue_.front().promise);
  }
  outcome.states = guidance_.states() + static_cast<int64_t>(nodes_.size());
  outcome.arcs = arcs_;
  outcome.held = budget.most();
  if (bound > kForbidden && best.score == kForbidden && limits.bounded) {
    Limits little;
    little.bounded = true;
    little.timeout = kRescueSeconds;
    little.max_memory = std::max(kRescueBytes, limits.max_memory / 8);
    std::vector<Node>().swap(nodes_);
    std::vector<Entry>().swap(queue_);
    numbers_ = KeyNumbers();
    states_ = JointStates();
    const Outcome rescued = Beam().run(problem, {kRescueWidth, -kForbidden, Completion::plain}, little);
    best.offer(rescued.score, rescued.labels);
    bound = std::min(bound, rescued.bound);  // its bound is a proof as well
  }
  conclude(problem, limits, best, std::max(bound, best.score), outcome);
  return outcome;
}

}  // namespace lawful
