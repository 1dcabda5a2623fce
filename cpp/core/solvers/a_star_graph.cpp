#include "core/solvers/a_star_graph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/graph/distances.hpp"
#include "core/solvers/joint_states.hpp"

namespace lawful {
namespace {

constexpr std::size_t kCompleted = 64;  // prefixes that are completed where the search had to stop
constexpr double kSlack = 4e-15;      // of what a promise adds up, lost by rounding
constexpr double kEqual = 4e-16;      // of a prefix's score, within which another is no better

class GraphAStar {
 public:
  GraphAStar(const Graph& graph, std::vector<BoundPart> parts, int64_t length, Budget& budget)
      : graph_(graph), length_(length), budget_(budget), completions_(completions(graph, budget)) {
    for (BoundPart& bound : parts) {
      if (bound.part->kinds == 1) bound.kinds = nullptr;
      looks_ |= bound.kinds != nullptr;
    }
    states_.begin(std::move(parts));
  }

  Outcome run(const Limits& limits) {
    Outcome outcome;
    if (graph_.empty()) return outcome;
    reach(-1, completions_.best[0], 0.0, 0, 0, kEpsilon);
    while (!queue_.empty()) {
      const Entry top = queue_.front();
      outcome.states = static_cast<int64_t>(nodes_.size());
      outcome.arcs = arcs_;
      if (top.ends) {
        outcome.status = Status::optimal;
        outcome.score = outcome.bound = top.promise;
        outcome.labels = path_to(top.node);
        return outcome;
      }
      try {
        require_rest(limits, top);
      } catch (const LimitReached& reached) {
        outcome.limit = reached.limit;
        return stopped(limits, outcome);
      }
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (nodes_[top.node].closed) continue;
      nodes_[top.node].closed = true;
      extend(top.node, top.promise);
    }
    return outcome;
  }

 private:
  struct Node {
    double score;
    int32_t parent, state, rules, label;
    bool closed;
  };
  // Better promises first; among equals whole paths, then what was met last.
  struct Entry {
    double promise;
    bool ends;
    int32_t node;
    bool operator<(const Entry& other) const {
      if (promise != other.promise) return promise < other.promise;
      return ends != other.ends ? ends < other.ends : node < other.node;
    }
  };

  void push(Entry entry) {
    queue_.push_back(entry);
    std::push_heap(queue_.begin(), queue_.end());
  }

  void reach(int32_t parent, double promise, double score, int32_t state, int32_t rules, int32_t label) {
    double hope = score + completions_.best[state];
    if (hope == kForbidden) return;
    if (hope > promise - kSlack * (std::abs(promise) + std::abs(score))) hope = promise;
    const auto [number, fresh] = numbers_.number(static_cast<uint64_t>(state) << 32 | static_cast<uint32_t>(rules));
    if (fresh) nodes_.push_back({score, parent, state, rules, label, false});
    // A node that was closed opens again: where a huge completion hides what prefixes score, a worse one may come first.
    else if (score <= nodes_[number].score + (nodes_[number].closed ? kEqual * std::abs(score) : 0.0)) return;
    nodes_[number] = {score, parent, state, rules, label, false};
    push({hope, false, number});
  }

  // The rules' states after an arc.
  JointStates::Reading read(int32_t state, const Arc& arc, int32_t rules) {
    if (arc.label == kEpsilon) return {rules, 0, 0};
    const int32_t t = graph_.position[state];
    if (looks_ && t == kAmbiguous)
      throw std::invalid_argument("state " + std::to_string(graph_.origin[state]) + " is reached after different " +
                                  "numbers of labels, so a rule cannot tell which token comes next");
    if (looks_ && t >= length_)
      throw std::invalid_argument("a path reads more labels than the " + std::to_string(length_) + " tokens");
    return states_.read(rules, t, arc.label);
  }

  void extend(int32_t parent, double promise) {
    const Node node = nodes_[parent];
    const double whole = node.score + graph_.final[node.state] + states_.at_end(node.rules);
    if (whole > kForbidden) push({whole, true, parent});
    for (auto i = graph_.first[node.state]; i < graph_.first[node.state + 1]; ++i) {
      const Arc& arc = graph_.arcs[i];
      const auto [rules, worth, _] = read(node.state, arc, node.rules);
      ++arcs_;
      if (rules != kDead) reach(parent, promise, node.score + arc.weight + worth, arc.target, rules, arc.label);
    }
  }

  std::vector<int32_t> path_to(int32_t node) const {
    std::vector<int32_t> path;
    for (; node >= 0; node = nodes_[node].parent)
      if (nodes_[node].label != kEpsilon) path.push_back(nodes_[node].label);
    std::reverse(path.begin(), path.end());
    return path;
  }

  // Completes a prefix without regard to the rules; it counts if it happens to obey the hard ones.
  void complete(int32_t number, Outcome& outcome) {
    const Node& node = nodes_[number];
    double score = node.score;
    int32_t state = node.state, rules = node.rules;
    std::vector<int32_t> path = path_to(number);
    for (int64_t choice; (choice = completions_.choice[state]) != Completions::kEnd;) {
      const Arc& arc = graph_.arcs[choice];
      const JointStates::Reading reading = read(state, arc, rules);
      rules = reading.states;
      if (rules == kDead) return;
      if (arc.label != kEpsilon) path.push_back(arc.label);
      score += arc.weight + reading.worth;
      state = arc.target;
    }
    score += graph_.final[state] + states_.at_end(rules);
    if (score > outcome.score) {
      outcome.score = score;
      outcome.labels = std::move(path);
    }
  }

  Outcome stopped(const Limits& limits, Outcome& outcome) {
    outcome.status = limits.bounded ? Status::bounded : Status::limited;
    if (!limits.bounded) return outcome;
    outcome.bound = queue_.front().promise;
    for (const Entry& entry : queue_)  // a whole path that waits for its proof
      if (entry.ends && entry.promise > outcome.score) {
        outcome.score = entry.promise;
        outcome.labels = path_to(entry.node);
      }
    for (std::size_t n = 0; n < kCompleted && !queue_.empty(); ++n) {
      if (!queue_.front().ends) complete(queue_.front().node, outcome);
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
    }
    if (outcome.bound <= outcome.score) {
      outcome.status = Status::optimal;
      outcome.bound = outcome.score;
    }
    return outcome;
  }

  // For all that extending one node may take.
  void require_rest(const Limits& limits, const Entry& top) {
    if (static_cast<int64_t>(nodes_.size()) > limits.max_states) throw LimitReached(LimitHit::states);
    budget_.work(100);
    const Node& node = nodes_[top.node];
    if (node.closed) return;
    const auto arcs = static_cast<std::size_t>(graph_.first[node.state + 1] - graph_.first[node.state]) + 1;
    budget_.work(static_cast<int64_t>(arcs) * (states_.units_to_read() + 40));
    auto others = [&] {
      return completions_.best.size() * (sizeof(double) + sizeof(int64_t)) + nodes_.capacity() * sizeof(Node) +
             queue_.capacity() * sizeof(Entry) + numbers_.bytes_to_grow() + states_.bytes_to_grow();
    };
    budget_.hold(others());
    budget_.make_room(nodes_, arcs, others() - nodes_.capacity() * sizeof(Node));
    budget_.make_room(queue_, arcs, others() - queue_.capacity() * sizeof(Entry));
  }

  const Graph& graph_;
  const int64_t length_;
  Budget& budget_;
  const Completions completions_;
  bool looks_ = false;
  JointStates states_;
  KeyNumbers numbers_;
  std::vector<Node> nodes_;
  std::vector<Entry> queue_;  // a heap
  int64_t arcs_ = 0;
};

}  // namespace

Outcome a_star_graph(const Graph& graph, std::vector<BoundPart> parts, int64_t length, const Limits& limits) {
  Budget budget(limits);
  try {
    Outcome outcome = GraphAStar(graph, std::move(parts), length, budget).run(limits);
    outcome.held = budget.most();
    return outcome;
  } catch (const LimitReached& reached) {  // before the search began
    Outcome outcome;
    outcome.limit = reached.limit;
    outcome.status = limits.bounded ? Status::bounded : Status::limited;
    outcome.bound = -kForbidden;
    return outcome;
  }
}

}  // namespace lawful
