#include "core/graph/distances.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace lawful {
namespace {

// Arcs as seen from one of their two ends.
struct Link {
  int32_t other;
  int64_t arc;
};

// The arcs into each state from its own component, needed only where there are cycles.
struct InnerLinks {
  std::vector<int64_t> first;
  std::vector<Link> links;
};

template <typename Visit>
void for_inner_arcs(const Graph& graph, std::size_t component, Visit&& visit) {
  const int32_t begin = graph.components[component], end = graph.components[component + 1];
  for (int32_t s = begin; s < end; ++s) {
    for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {
      if (graph.arcs[i].target >= begin && graph.arcs[i].target < end) visit(s, graph.arcs[i].target, i);
    }
  }
}

// Links of one component's states (numbered from 0) to the states whose value depends on theirs.
InnerLinks dependants(const Graph& graph, std::size_t component, bool backward) {
  const int32_t begin = graph.components[component], size = graph.components[component + 1] - begin;
  InnerLinks inner;
  inner.first.assign(size + 1, 0);
  for_inner_arcs(graph, component, [&](int32_t s, int32_t t, int64_t) { ++inner.first[(backward ? t : s) - begin + 1]; });
  for (int32_t s = 0; s < size; ++s) inner.first[s + 1] += inner.first[s];
  inner.links.resize(inner.first[size]);
  std::vector<int64_t> at(inner.first.begin(), inner.first.end() - 1);
  for_inner_arcs(graph, component, [&](int32_t s, int32_t t, int64_t arc) {
    inner.links[at[(backward ? t : s) - begin]++] = {backward ? s : t, arc};
  });
  return inner;
}

// Settles the values of one cyclic component, given those that enter from outside.
class CycleSolver {
 public:
  CycleSolver(const Graph& graph, std::size_t component, bool backward, std::vector<double>& best, std::vector<int64_t>& choice,
              Budget& budget)
      : graph_(graph), budget_(budget), begin_(graph.components[component]), end_(graph.components[component + 1]),
        backward_(backward), best_(best), choice_(choice), parent_(end_ - begin_, kNone),
        inner_(dependants(graph, component, backward)) {
    for (const Link& link : inner_.links) {
      const double weight = graph.arcs[link.arc].weight;
      gains_ |= weight > 0;
    }
  }

  Cycle solve() {
    if (gains_) return bellman_ford();
    dijkstra();
    return {};
  }

 private:
  static constexpr int32_t kNone = -1;

  // No arc gains, so the best state that is left is final.
  void dijkstra() {
    std::priority_queue<std::pair<double, int32_t>> queue;
    for (int32_t s = begin_; s < end_; ++s) {
      if (best_[s] > kForbidden) queue.emplace(best_[s], s);
    }
    while (!queue.empty()) {
      const auto [value, state] = queue.top();
      queue.pop();
      if (value < best_[state]) continue;
      relax(state, [&](int32_t other) { queue.emplace(best_[other], other); });
    }
  }

  // Passes over the states that changed. A cycle of choices is a cycle that gains; without one, this ends.
  Cycle bellman_ford() {
    rounding_.assign(end_ - begin_, 0.0);
    std::vector<int32_t> changed, next;
    std::vector<bool> waiting(end_ - begin_, false);
    for (int32_t s = begin_; s < end_; ++s) {
      if (best_[s] > kForbidden) changed.push_back(s);
    }
    for (int64_t pass = 1; !changed.empty(); ++pass) {
      for (const int32_t state : changed) {
        waiting[state - begin_] = false;
        relax(state, [&](int32_t other) {
          if (!waiting[other - begin_]) {
            next.push_back(other);
            waiting[other - begin_] = true;
          }
        });
      }
      changed.swap(next);
      next.clear();
      if ((pass & (pass - 1)) != 0) continue;  // looking at powers of two costs little and finds cycles early
      Cycle cycle = cycle_of_choices();
      if (!cycle.empty()) return cycle;
    }
    return {};
  }

  template <typename Improved>
  void relax(int32_t state, Improved&& improved) {
    budget_.work(20 + 3 * (inner_.first[state - begin_ + 1] - inner_.first[state - begin_]));
    for (auto i = inner_.first[state - begin_]; i < inner_.first[state - begin_ + 1]; ++i) {
      const auto [other, arc] = inner_.links[i];
      const double value = best_[state] + graph_.arcs[arc].weight, known = best_[other];
      // Rounding must not turn a cycle of weight 0 into a tiny gain, so it is counted where arcs gain.
      const double rounding = gains_ ? rounding_[state - begin_] + kRounding * std::abs(value) : 0.0;
      if (known > kForbidden && value <= known + (gains_ ? rounding + rounding_[other - begin_] : 0.0)) continue;
      if (gains_) rounding_[other - begin_] = rounding;
      best_[other] = value;
      choice_[other] = arc;
      parent_[other - begin_] = state;
      improved(other);
    }
  }

  Cycle cycle_of_choices() const {
    std::vector<int32_t> seen(end_ - begin_, 0);
    for (int32_t s = begin_; s < end_; ++s) {
      int32_t at = s;
      while (at != kNone && seen[at - begin_] == 0) {
        seen[at - begin_] = s - begin_ + 1;
        at = parent_[at - begin_];
      }
      if (at == kNone || seen[at - begin_] != s - begin_ + 1) continue;
      Cycle cycle;
      int32_t around = at;
      do {
        cycle.push_back(choice_[around]);
        around = parent_[around - begin_];
      } while (around != at);
      if (!backward_) std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    return {};
  }

  const Graph& graph_;
  Budget& budget_;
  const int32_t begin_, end_;
  const bool backward_;
  std::vector<double>& best_;
  std::vector<int64_t>& choice_;
  std::vector<int32_t> parent_;
  const InnerLinks inner_;
  bool gains_ = false;
  std::vector<double> rounding_;  // (states): what rounding may have done to their values in here, if arcs gain
};

}  // namespace

Completions completions(const Graph& graph, Budget& budget) {
  Completions result;
  budget.hold(static_cast<std::size_t>(graph.states()) * (sizeof(double) + sizeof(int64_t)));
  result.best = graph.final;
  result.choice.assign(graph.states(), Completions::kEnd);
  for (std::size_t c = graph.cyclic.size(); c-- > 0;) {
    const int32_t begin = graph.components[c], end = graph.components[c + 1];
    for (int32_t s = begin; s < end; ++s) {
      double& best = result.best[s];
      budget.work(3 + 2 * (graph.first[s + 1] - graph.first[s]));
      for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {
        const Arc& arc = graph.arcs[i];
        if (arc.target < end) continue;  // inside the component: below
        const double value = arc.weight + result.best[arc.target];
        if (value > best) {
          best = value;
          result.choice[s] = i;
        }
      }
    }
    if (!graph.cyclic[c]) continue;
    result.cycle = CycleSolver(graph, c, true, result.best, result.choice, budget).solve();
    if (!result.cycle.empty()) return result;
  }
  return result;
}

std::vector<double> prefixes(const Graph& graph, Budget& budget) {
  std::vector<double> best(graph.states(), kForbidden);
  std::vector<int64_t> choice(graph.states());
  if (!best.empty()) best[0] = 0;
  for (std::size_t c = 0; c < graph.cyclic.size(); ++c) {
    const int32_t begin = graph.components[c], end = graph.components[c + 1];
    if (graph.cyclic[c]) CycleSolver(graph, c, false, best, choice, budget).solve();
    for (int32_t s = begin; s < end; ++s) {
      budget.work(3 + 2 * (graph.first[s + 1] - graph.first[s]));
      for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {
        const Arc& arc = graph.arcs[i];
        if (arc.target >= end) best[arc.target] = std::max(best[arc.target], best[s] + arc.weight);
      }
    }
  }
  return best;
}

std::vector<int32_t> sources(const Graph& graph) {
  std::vector<int32_t> result(graph.arcs.size());
  for (int32_t s = 0; s < graph.states(); ++s) std::fill(result.begin() + graph.first[s], result.begin() + graph.first[s + 1], s);
  return result;
}

}  // namespace lawful
