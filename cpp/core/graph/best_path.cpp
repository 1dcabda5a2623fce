#include <algorithm>
#include <cmath>

#include "core/graph/distances.hpp"

namespace lawful {

BestPath best_path(const Graph& graph, const Limits& limits) {
  BestPath path;
  if (graph.empty()) return path;
  Budget budget(limits);
  const Completions after = completions(graph, budget);
  if (!after.cycle.empty()) {
    const std::vector<int32_t> source = sources(graph);
    for (const int64_t arc : after.cycle) {
      path.cycle.push_back(graph.origin[source[arc]]);
      path.gain += graph.arcs[arc].weight;
    }
    return path;
  }
  std::vector<int64_t> arcs;
  int32_t state = 0;
  for (; after.choice[state] != Completions::kEnd; state = graph.arcs[arcs.back()].target) {
    arcs.push_back(after.choice[state]);
    if (graph.arcs[arcs.back()].label != kEpsilon) path.labels.push_back(graph.arcs[arcs.back()].label);
  }
  // Added up again along the path: values inside cycles are only exact up to rounding.
  path.score = graph.final[state];
  for (auto arc = arcs.rbegin(); arc != arcs.rend(); ++arc) path.score = graph.arcs[*arc].weight + path.score;
  return path;
}

GraphPointer prune(const Graph& graph, double threshold, const Limits& limits) {
  Budget budget(limits);
  const Completions after = completions(graph, budget);
  const std::vector<double> before = prefixes(graph, budget);
  // A path at the threshold itself must survive, though prefix and completion are summed in another order.
  const double least = threshold - 1e-12 * std::max(1.0, std::abs(threshold));
  Acceptor raw;
  raw.labels = graph.labels;
  raw.origin = graph.origin;
  raw.first.push_back(0);
  for (int32_t s = 0; s < graph.states(); ++s) {
    raw.final.push_back(before[s] + graph.final[s] >= least ? graph.final[s] : kForbidden);
    budget.work(10 + 3 * (graph.first[s + 1] - graph.first[s]));
    for (auto i = graph.first[s]; i < graph.first[s + 1]; ++i) {
      const Arc& arc = graph.arcs[i];
      if (before[s] + arc.weight + after.best[arc.target] >= least) raw.arcs.push_back(arc);
    }
    raw.first.push_back(static_cast<int64_t>(raw.arcs.size()));
  }
  budget.set_aside(graph.bytes());
  return put_in_order(std::move(raw), budget);
}

}  // namespace lawful
