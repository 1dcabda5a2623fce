// Best-first search over a general graph and the states of all rules, with exact rule-free completions.
#pragma once

#include "core/graph/graph.hpp"
#include "core/solvers/outcome.hpp"

namespace lawful {

// The graph must hold no cycle that gains. `length` is the number of tokens that the parts' kinds cover; throws
// std::invalid_argument if a part looks at tokens and the graph cannot tell which token comes next. The score is that
// of the path that was found; the caller judges it.
Outcome a_star_graph(const Graph& graph, std::vector<BoundPart> parts, int64_t length, const Limits& limits);

}  // namespace lawful
