#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/graph/graph.hpp"

namespace lawful {

GraphPointer graph_from_arcs(int labels, int32_t start, const std::vector<int32_t>& sources, std::vector<Arc> arcs,
                             std::vector<double> final, std::vector<int64_t> origin) {
  Acceptor raw;
  raw.labels = labels;
  raw.start = start;
  raw.final = std::move(final);
  raw.origin = std::move(origin);
  raw.first.assign(raw.final.size() + 1, 0);

  std::vector<int64_t> order;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (arcs[i].weight > kForbidden) {
      order.push_back(static_cast<int64_t>(i));
      ++raw.first[sources[i] + 1];
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return sources[a] != sources[b] ? sources[a] < sources[b] : arcs[a].label < arcs[b].label;
  });
  std::partial_sum(raw.first.begin(), raw.first.end(), raw.first.begin());
  raw.arcs.reserve(order.size());
  for (const int64_t i : order) raw.arcs.push_back(arcs[i]);
  Budget budget{Limits()};
  return put_in_order(std::move(raw), budget);
}

GraphPointer graph_from_trellis(const Trellis& trellis, DeadEnds dead_ends, const Limits& limits) {
  Budget budget(limits);
  const int K = trellis.labels, T = trellis.length;
  if (static_cast<int64_t>(T) * K >= std::numeric_limits<int32_t>::max())
    throw std::length_error("the lattice has too many states for a graph");
  auto state_of = [&](int t, int label) { return static_cast<int32_t>(1 + static_cast<int64_t>(t) * K + label); };

  Acceptor raw;
  raw.labels = trellis.read_labels();
  const std::size_t states = 1 + static_cast<std::size_t>(T) * K;
  raw.final.assign(states, kForbidden);
  for (int k = 0; k < K; ++k) raw.final[state_of(T - 1, k)] = trellis.end.empty() ? 0 : trellis.end[k];
  raw.origin.resize(states);
  std::iota(raw.origin.begin(), raw.origin.end(), 0);
  raw.first.push_back(0);
  raw.first.reserve(states + 1);
  budget.hold((K + static_cast<std::size_t>(T - 1) * K * K) * sizeof(Arc));
  raw.arcs.reserve(K + static_cast<std::size_t>(T - 1) * K * K);

  auto close_state = [&] { raw.first.push_back(static_cast<int64_t>(raw.arcs.size())); };
  auto add = [&](int t, int label, double step) {
    const double weight = step + trellis.emission(t)[label];
    if (weight > kForbidden)
      raw.arcs.push_back({state_of(t, label), trellis.reading ? trellis.reading->label_of[label] : label, weight});
  };
  std::vector<int32_t> labels(K);  // the arcs of a state come in the order of what they are read as
  if (trellis.reading) labels = trellis.reading->by_label;
  else std::iota(labels.begin(), labels.end(), 0);
  for (const int32_t k : labels) add(0, k, trellis.start.empty() ? 0 : trellis.start[k]);
  close_state();
  for (int t = 1; t < T; ++t) {
    for (int i = 0; i < K; ++i) {
      budget.work(3 * K);
      const double* row = trellis.transitions ? trellis.transitions->forward_at(t - 1) + i * trellis.stride : nullptr;
      for (const int32_t k : labels) add(t, k, row ? row[k] : 0);
      close_state();
    }
  }
  for (int k = 0; k < K; ++k) close_state();
  return put_in_order(std::move(raw), budget, dead_ends);
}

}  // namespace lawful
