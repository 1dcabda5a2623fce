#include "core/engine/state_search.hpp"

#include <algorithm>

namespace lawful {
namespace {

// Chosen by `make bench` (B-priced) and `make families`.
constexpr int kAtOnce = 2;          // nodes of a position that are opened in one go round
constexpr int kCompared = 16;       // opened nodes of a position and label that a new one is compared with
constexpr int64_t kUntilOwn = 80;   // nodes opened before the broken parts' own completions are worth their passes
constexpr std::size_t kMostOwn = 8; // of them

}  // namespace

std::size_t StateSearch::bytes() const {
  std::size_t total = states_.bytes() + nodes_.capacity() * sizeof(Node) + keys_.capacity() * sizeof(uint64_t) +
                      (opened_.capacity() + opened_count_.capacity()) * sizeof(int32_t) + heaps_.capacity() * sizeof(heaps_[0]);
  for (const auto& heap : heaps_) total += heap.capacity() * sizeof(Waiting);
  for (const OwnCompletion& own : own_) total += own.bytes();
  return total;
}

// The best that may come of `score` with what can still be scored at t and after it: the least that any of the completions
// promises, or a number below the threshold if that is less.
double StateSearch::promise_of(double score, int t, int label, const uint64_t* key) const {
  double least = score + task_->completion[static_cast<std::size_t>(t) * stride_ + label];
  for (std::size_t n = 0; n < own_field_.size() && least >= threshold_; ++n)
    least = std::min(least, score + own_[n].at(t, states_.state(key, own_field_[n]), label));
  return least;
}

// Makes a node, if it may lead to something. `score`: without what the parts charge here, and without the emission.
void StateSearch::reach(int t, int before, int label, int32_t parent, double score, Budget& budget) {
  uint64_t next[PackedStates::kMostWords] = {};
  if (parent >= 0) std::copy(key(parent), key(parent) + words_, next);
  score += states_.read(next, t, before, label);
  ++arcs_;
  const double promise = promise_of(score, t, label, next);
  if (!(promise >= threshold_) || promise == kForbidden) return;
  score += task_->folded->emissions[t][label];
  if (t == length_ - 1) {
    const double total = score + states_.at_end(next);
    if (!(total > threshold_)) return;
    nodes_.push_back({score, parent, label});
    keys_.insert(keys_.end(), next, next + words_);
    complete(static_cast<int32_t>(nodes_.size()) - 1, total);
    return;
  }
  if (nodes_.size() == nodes_.capacity()) {
    budget.make_room(nodes_, 1, bytes() - nodes_.capacity() * sizeof(Node));
    budget.make_room(keys_, words_, bytes() - keys_.capacity() * sizeof(uint64_t));
  }
  heaps_[t].push_back({promise, static_cast<int32_t>(nodes_.size())});
  std::push_heap(heaps_[t].begin(), heaps_[t].end());
  nodes_.push_back({score, parent, label});
  keys_.insert(keys_.end(), next, next + words_);
  filled_ = std::max(filled_, t + 1);
}

void StateSearch::complete(int32_t node, double score) {
  path_.resize(length_);
  for (int t = length_ - 1; t >= 0; --t, node = nodes_[node].parent) path_[t] = nodes_[node].label;
  threshold_ = task_->better(score, path_);
}

// Whether an opened node of the same position and label can only do better than this one, whatever follows. What the
// other may still pay more is asked with a little caution: rounding must not let it fall behind on the way.
bool StateSearch::dominated(int t, int32_t node, Budget& budget) {
  const Node& mine = nodes_[node];
  const std::size_t place = static_cast<std::size_t>(t) * labels_ + mine.label;
  int32_t* opened = opened_.data() + place * kCompared;
  int32_t& count = opened_count_[place];
  budget.work(4 * static_cast<int64_t>(count) + 20);
  if (task_->dominance)
    for (int32_t n = 0; n < count; ++n) {
      const double ahead = nodes_[opened[n]].score - mine.score;
      if (ahead >= 0 && states_.arrears(key(opened[n]), key(node), ahead) * caution_ <= ahead) return true;
    }
  if (count < kCompared) opened[count++] = node;
  return false;
}

void StateSearch::open(int t, int32_t node, Budget& budget) {
  const double score = nodes_[node].score;
  const int label = nodes_[node].label;
  const Step& step = task_->folded->steps[t + 1];
  const double* reach_there = task_->completion + static_cast<std::size_t>(t + 1) * stride_;
  budget.work(60 + 2 * labels_);
  if (step.diagonal && !step.forward) {
    reach(t + 1, label, label, node, score + step.diagonal[label], budget);
    return;
  }
  const double* row = step.forward ? step.forward + static_cast<std::size_t>(label) * stride_ : nullptr;
  // The broken part that promises least is asked before all parts are read: it alone rules out most labels.
  OwnCompletion::Ahead ahead{};
  double least = -kForbidden;
  for (std::size_t n = 0; n < own_field_.size(); ++n) {
    const int32_t s = states_.state(key(node), own_field_[n]);
    const double own = own_[n].at(t, s, label);
    if (own >= least) continue;
    least = own;
    ahead = own_[n].ahead(t + 1, s);
  }
  for (int k = 0; k < labels_; ++k) {
    const double there = row ? score + row[k] : score;
    if (there + reach_there[k] < threshold_ || there == kForbidden) continue;
    if (ahead.scores && there + ahead(k) < threshold_) continue;
    reach(t + 1, label, k, node, there, budget);
    budget.work(30);
  }
}

// The broken parts' own completions, and all promises anew.
void StateSearch::tighten(Budget& budget) {
  for (const int32_t p : *task_->broken) {
    const BoundPart& bound = task_->problem->parts[p];
    if (own_field_.size() == kMostOwn) break;
    if (!OwnCompletion::suits(*bound.part)) continue;
    if (own_.size() == own_field_.size()) own_.emplace_back();
    OwnCompletion& own = own_[own_field_.size()];
    own.build(bound, *task_->folded, task_->completion, bytes() - own.bytes(), budget);
    own_field_.push_back(states_.field_of(p));
  }
  for (int t = 0; t < length_; ++t) {
    auto& heap = heaps_[t];
    budget.work(8 * static_cast<int64_t>(heap.size()));
    std::size_t kept = 0;
    for (Waiting& waiting : heap) {
      const Node& node = nodes_[waiting.node];
      // Without the emission, which completions hold as well; rounding may put that above the old promise.
      const double before = node.score - task_->folded->emissions[t][node.label];
      waiting.promise = std::min(waiting.promise, promise_of(before, t, node.label, key(waiting.node)));
      if (waiting.promise >= threshold_) heap[kept++] = waiting;
    }
    heap.resize(kept);
    std::make_heap(heap.begin(), heap.end());
  }
}

void StateSearch::go_round(StateSearchResult& result, const Limits& limits, Budget& budget) {
  int64_t opened = 0;
  for (bool any = true; any;) {
    any = false;
    for (int t = 0; t < filled_; ++t) {
      auto& heap = heaps_[t];
      for (int n = 0; n < kAtOnce && !heap.empty(); ++n) {
        const Waiting top = heap.front();
        if (top.promise < threshold_) {  // nor can those behind it
          heap.clear();
          break;
        }
        any = true;
        if (static_cast<int64_t>(nodes_.size()) > limits.max_states) throw LimitReached(LimitHit::states);
        if (opened >= task_->most_opened) return;
        if (!dominated(t, top.node, budget)) {
          open(t, top.node, budget);  // before it leaves the heap: at a limit its promise is still a bound
          ++opened;
        }
        // What was opened came into the next heap, so that this one is as it was.
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
    }
    budget.hold(bytes());
    if (opened >= kUntilOwn && own_field_.empty() && any) tighten(budget);
  }
  result.finished = true;
}

StateSearchResult StateSearch::run(const Task& task, const Limits& limits, Budget& budget) {
  task_ = &task;
  words_ = states_.words();
  length_ = task.folded->length;
  labels_ = task.folded->labels;
  stride_ = task.folded->stride;
  threshold_ = task.threshold;
  caution_ = 1 + kRounding * (2 * length_ + 4);
  arcs_ = 0;
  filled_ = 0;
  nodes_.clear();
  keys_.clear();
  own_field_.clear();
  if (heaps_.size() < static_cast<std::size_t>(length_)) heaps_.resize(length_);
  for (auto& heap : heaps_) heap.clear();
  StateSearchResult result;
  bool started = false;
  try {
    const std::size_t places = static_cast<std::size_t>(length_) * labels_;
    budget.hold(bytes() + places * (kCompared + 1) * sizeof(int32_t));
    opened_.resize(std::max(opened_.size(), places * kCompared));
    opened_count_.assign(places, 0);
    budget.work(static_cast<int64_t>(places));
    for (int k = 0; k < labels_; ++k) reach(0, -1, k, -1, 0.0, budget);
    started = true;
    go_round(result, limits, budget);
  } catch (const LimitReached& reached) {
    result.limit = reached.limit;
    if (!started) result.bound = -kForbidden;
  }
  for (const auto& heap : heaps_)
    for (const Waiting& waiting : heap) result.bound = std::max(result.bound, waiting.promise);
  result.states = static_cast<int64_t>(nodes_.size());
  result.arcs = arcs_;
  kept_ = bytes();
  return result;
}

}  // namespace lawful
