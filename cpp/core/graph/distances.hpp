// Best scores to and from every state of a graph.
#pragma once

#include "core/graph/graph.hpp"

namespace lawful {

// A cycle that gains, as arcs of the graph; empty if there is none.
using Cycle = std::vector<int64_t>;

// From each state to the best end.
struct Completions {
  std::vector<double> best;     // (states)
  std::vector<int64_t> choice;  // (states): the arc to take, or kEnd
  Cycle cycle;
  static constexpr int64_t kEnd = -1;
};

Completions completions(const Graph& graph, Budget& budget);

// From the start to each state. The graph must hold no cycle that gains.
std::vector<double> prefixes(const Graph& graph, Budget& budget);

// The source of each arc.
std::vector<int32_t> sources(const Graph& graph);

}  // namespace lawful
