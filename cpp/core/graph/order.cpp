// Strongly connected components by Tarjan's algorithm, without recursion: lattices are deep.
#include <algorithm>

#include "core/graph/graph.hpp"

namespace lawful {
namespace {

struct Components {
  std::vector<int32_t> states;  // those the start can reach, component by component, the furthest first
  std::vector<int32_t> ends;    // where each component ends in `states`
};

Components find_components(const Acceptor& raw, Budget& budget) {
  struct Visit {
    int32_t state;
    int64_t arc;
  };
  constexpr int32_t kNew = 0;
  Components components;
  std::vector<int32_t> order(raw.states(), kNew), low(raw.states());
  std::vector<bool> open(raw.states(), false);
  std::vector<int32_t> pending;
  std::vector<Visit> visits;
  int32_t clock = kNew;
  auto enter = [&](int32_t state) {
    order[state] = low[state] = ++clock;
    open[state] = true;
    pending.push_back(state);
    visits.push_back({state, raw.first[state]});
  };
  enter(raw.start);
  while (!visits.empty()) {
    budget.work(10);
    auto& [state, arc] = visits.back();
    if (arc < raw.first[state + 1]) {
      const int32_t target = raw.arcs[arc++].target;
      if (order[target] == kNew) enter(target);
      else if (open[target]) low[state] = std::min(low[state], order[target]);
      continue;
    }
    const int32_t done = state;
    visits.pop_back();
    if (!visits.empty()) low[visits.back().state] = std::min(low[visits.back().state], low[done]);
    if (low[done] != order[done]) continue;
    const auto begin = std::find(pending.rbegin(), pending.rend(), done).base() - 1;
    components.states.insert(components.states.end(), begin, pending.end());
    for (auto it = begin; it != pending.end(); ++it) open[*it] = false;
    pending.erase(begin, pending.end());
    components.ends.push_back(static_cast<int32_t>(components.states.size()));
  }
  return components;
}

// Labels read so far. A state changes at most twice (unknown, known, ambiguous), so this is linear.
std::vector<int32_t> find_positions(const Graph& graph, Budget& budget) {
  constexpr int32_t kUnknown = -2;
  std::vector<int32_t> position(graph.states(), kUnknown);
  std::vector<int32_t> queue;
  auto reach = [&](int32_t state, int32_t value) {
    if (position[state] == value || position[state] == kAmbiguous) return;
    position[state] = position[state] == kUnknown ? value : kAmbiguous;
    queue.push_back(state);
  };
  if (!graph.empty()) reach(0, 0);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const int32_t state = queue[next], here = position[state];
    budget.work(5 + 3 * (graph.first[state + 1] - graph.first[state]));
    for (auto i = graph.first[state]; i < graph.first[state + 1]; ++i) {
      const Arc& arc = graph.arcs[i];
      reach(arc.target, here == kAmbiguous ? kAmbiguous : here + (arc.label != kEpsilon));
    }
  }
  return position;
}

}  // namespace

GraphPointer put_in_order(Acceptor&& raw, Budget& budget, DeadEnds dead_ends) {
  constexpr std::size_t kStateBytes = 120;  // of the components, the order and the new graph together
  const std::shared_ptr<Graph> graph(new Graph, [](Graph* done) {
    const std::size_t freed = done->bytes();
    delete done;
    give_back(freed);
  });
  graph->labels = raw.labels;
  graph->components.push_back(0);
  graph->first.push_back(0);
  if (raw.states() == 0) return graph;

  budget.hold(raw.bytes() + raw.arcs.size() * sizeof(Arc) + raw.final.size() * kStateBytes);

  // Components come furthest first, so a component's targets are decided before it is.
  const Components components = find_components(raw, budget);
  std::vector<bool> useful(raw.states(), false);
  std::vector<std::pair<int32_t, int32_t>> kept;  // ranges of components.states
  for (std::size_t c = 0; c < components.ends.size(); ++c) {
    const int32_t begin = c == 0 ? 0 : components.ends[c - 1], end = components.ends[c];
    bool leads_to_an_end = dead_ends == DeadEnds::keep;
    for (int32_t i = begin; i < end && !leads_to_an_end; ++i) {
      const int32_t state = components.states[i];
      leads_to_an_end = raw.final[state] > kForbidden;
      for (auto a = raw.first[state]; a < raw.first[state + 1] && !leads_to_an_end; ++a)
        leads_to_an_end = useful[raw.arcs[a].target];
    }
    if (!leads_to_an_end) continue;
    for (int32_t i = begin; i < end; ++i) useful[components.states[i]] = true;
    kept.emplace_back(begin, end);
  }

  std::vector<int32_t> number(raw.states(), -1), order;
  for (auto range = kept.rbegin(); range != kept.rend(); ++range) {
    for (int32_t i = range->first; i < range->second; ++i) {
      number[components.states[i]] = static_cast<int32_t>(order.size());
      order.push_back(components.states[i]);
    }
    graph->components.push_back(static_cast<int32_t>(order.size()));
  }
  graph->first.reserve(order.size() + 1);
  graph->arcs.reserve(raw.arcs.size());
  for (const int32_t state : order) {
    budget.work(20 + 4 * (raw.first[state + 1] - raw.first[state]));
    graph->final.push_back(raw.final[state]);
    graph->origin.push_back(raw.origin[state]);
    for (auto i = raw.first[state]; i < raw.first[state + 1]; ++i) {
      Arc arc = raw.arcs[i];
      if (!useful[arc.target]) continue;
      arc.target = number[arc.target];
      graph->arcs.push_back(arc);
    }
    graph->first.push_back(static_cast<int64_t>(graph->arcs.size()));
  }
  for (std::size_t c = 0; c + 1 < graph->components.size(); ++c) {
    const int32_t begin = graph->components[c];
    bool cycle = graph->components[c + 1] - begin > 1;
    for (auto i = graph->first[begin]; i < graph->first[begin + 1]; ++i) cycle |= graph->arcs[i].target == begin;
    graph->cyclic.push_back(cycle);
    graph->acyclic &= !cycle;
  }
  graph->position = find_positions(*graph, budget);
  return graph;
}

int32_t Graph::length() const {
  int32_t length = kAmbiguous;
  for (int32_t s = 0; s < states(); ++s) {
    if (final[s] == kForbidden) continue;
    if (position[s] == kAmbiguous || (length != kAmbiguous && length != position[s])) return kAmbiguous;
    length = position[s];
  }
  return length;
}

int32_t Graph::furthest() const { return empty() ? kAmbiguous : *std::max_element(position.begin(), position.end()); }

std::size_t Acceptor::bytes() const {
  return arcs.capacity() * sizeof(Arc) + (first.capacity() + origin.capacity()) * sizeof(int64_t) +
         final.capacity() * sizeof(double);
}

std::size_t Graph::bytes() const { return Acceptor::bytes() + (components.capacity() + position.capacity()) * sizeof(int32_t); }

}  // namespace lawful
